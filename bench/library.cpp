// SPDX-License-Identifier: MIT
#include "library.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "control_variable.hpp"

#if __has_include(<mpir_coll_query.h>)
#include <mpir_coll_query.h>
#define HAVE_COLL_QUERY 1
#else
#define HAVE_COLL_QUERY 0
#endif

namespace bench {

namespace {

std::string version_line() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(text, &length);
    std::string line(text, static_cast<std::size_t>(length));
    std::replace(line.begin(), line.end(), '\t', ' ');
    while (!line.empty() && line.back() == '\n') {
        line.pop_back();
    }
    std::replace(line.begin(), line.end(), '\n', ';');
    return line;
}

class AnyLibrary : public Library {
  public:
    std::string version() const override { return version_line(); }
    bool can_switch() const override { return false; }
    std::vector<std::string> algorithms(const Pattern&) override { return {}; }
    std::optional<std::string> refusal(const PlannedCall&, const std::string& algorithm) override {
        if (algorithm == default_algorithm) {
            return std::nullopt;
        }
        return "this MPI library has no switch for algorithms that the benchmark knows; only 'default' can "
               "be timed";
    }
    void choose(const Pattern&, const std::string&) override {}
    std::string last_used(const Pattern&) const override { return {}; }
};

#if HAVE_COLL_QUERY

std::string upper(const std::string& text) {
    std::string result = text;
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return std::toupper(c); });
    return result;
}

// MPIR_Bcast_intra_scatter_ring_allgather -> scatter_ring_allgather, MPIR_Bcast_allcomm_nb -> nb
std::string short_name(const std::string& algorithm) {
    for (const char* part : {"_intra_", "_allcomm_"}) {
        if (const auto at = algorithm.find(part); at != std::string::npos) {
            return algorithm.substr(at + std::string(part).size());
        }
    }
    return algorithm;
}

class Query {
  public:
    Query(MPI_Comm comm, const MPIR_Coll_layout_t* layout) {
        if (MPIR_Coll_query_create(comm, layout, &query_) != MPI_SUCCESS) {
            throw std::runtime_error("MPIR_Coll_query_create failed");
        }
    }
    ~Query() { MPIR_Coll_query_free(&query_); }
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;

    MPIR_Coll_choice_t ask(const PlannedCall& call) const {
        const MPIR_Coll_call_t question = {
            MPIR_Coll_query_collective(call.pattern->name), static_cast<MPI_Aint>(call.count),
            call.elements->datatype, call.elements->operation, call.in_place ? MPIR_COLL_CALL_IN_PLACE : 0};
        MPIR_Coll_choice_t choice = {};
        MPIR_Coll_query_call(query_, &question, nullptr, &choice);
        return choice;
    }

  private:
    MPIR_Coll_query_t* query_ = nullptr;
};

// The patched MPICH. MPIR_CVAR_X_INTRA_ALGORITHM forces an algorithm by its position in an enumeration that
// MPI_T does not name; the library is asked what each position means.
class PatchedMpich : public Library {
  public:
    explicit PatchedMpich(MPI_Comm comm) : comm_(comm), query_(comm, nullptr) {
        MPI_Comm_size(comm, &ranks_);
    }

    std::string version() const override { return version_line() + "; changeover patches"; }
    bool can_switch() const override { return true; }

    std::vector<std::string> algorithms(const Pattern& pattern) override {
        std::vector<std::string> names;
        for (const auto& [name, position] : switch_of(pattern).positions) {
            names.push_back(name);
        }
        return names;
    }

    std::optional<std::string> refusal(const PlannedCall& call, const std::string& algorithm) override {
        if (algorithm == default_algorithm) {
            return std::nullopt;
        }
        Switch& s = switch_of(*call.pattern);
        if (!s.positions.contains(algorithm)) {
            std::string known;
            for (const auto& [name, position] : s.positions) {
                known += (known.empty() ? "" : ", ") + name;
            }
            return "there is no algorithm '" + algorithm + "'; MPICH has: " + known;
        }
        if (call.count == 0 && call.pattern->has_message) {
            return "an empty message is sent by no algorithm";
        }
        if (std::string(call.pattern->name) == "reduce_scatter" && algorithm == "noncommutative" &&
            !is_power_of_two(ranks_)) {
            return "needs a power of two of ranks, which MPICH does not check but asserts "
                   "(reduce_scatter_intra_noncommutative.c)";
        }
        s.variable.write(s.positions.at(algorithm));
        const MPIR_Coll_choice_t choice = query_.ask(call);
        s.variable.write(0);
        if (choice.source == MPIR_COLL_SOURCE_FORCED) {
            return std::nullopt;
        }
        return "a precondition fails for this call; MPICH would run " + short_name(choice.algorithm) +
               " instead";
    }

    void choose(const Pattern& pattern, const std::string& algorithm) override {
        Switch& s = switch_of(pattern);
        const bool forced = algorithm != default_algorithm;
        s.variable.write(forced ? s.positions.at(algorithm) : 0);
        // a ch4 device would apply it to the parts that it composes the call of
        s.device.write(forced ? 0 : s.device_default);
    }

    std::string last_used(const Pattern& pattern) const override {
        MPIR_Coll_choice_t choice = {};
        MPIR_Coll_query_last(comm_, MPIR_Coll_query_collective(pattern.name), &choice);
        return choice.algorithm ? short_name(choice.algorithm) : std::string("none");
    }

  private:
    struct Switch {
        ControlVariable variable;
        ControlVariable device;
        int device_default;
        std::map<std::string, int> positions;
    };

    Switch& switch_of(const Pattern& pattern) {
        const auto found = switches_.find(&pattern);
        if (found != switches_.end()) {
            return *found->second;
        }
        const std::string name = "MPIR_CVAR_" + upper(pattern.name);
        auto s = std::make_unique<Switch>(Switch{
            ControlVariable(name + "_INTRA_ALGORITHM"), ControlVariable(name + "_DEVICE_COLLECTIVE"), 0, {}});
        s->device_default = s->device.read();
        discover(pattern, *s);
        return *(switches_[&pattern] = std::move(s));
    }

    // Every algorithm is legal for one of these: a power of two of ranks, alone on their nodes or not, in
    // place or not
    void discover(const Pattern& pattern, Switch& s) {
        const MPIR_Coll_layout_t layouts[] = {{8, 0, 0, 0}, {8, 0, 4, 0}};
        constexpr int more_than_there_are = 40;
        for (const MPIR_Coll_layout_t& layout : layouts) {
            const Query query(comm_, &layout);
            for (const bool in_place : {false, true}) {
                const PlannedCall call = {&pattern, &find_elements("byte", "sum"), 1024, in_place};
                for (int position = 0; position < more_than_there_are; ++position) {
                    s.variable.write(position);
                    const MPIR_Coll_choice_t choice = query.ask(call);
                    if (choice.source == MPIR_COLL_SOURCE_FORCED) {
                        s.positions[short_name(choice.algorithm)] = position;
                    }
                }
            }
        }
        s.variable.write(0);
        s.positions.erase("nb");  // not an algorithm but the nonblocking version, whatever that chooses
    }

    static bool is_power_of_two(int number) { return (number & (number - 1)) == 0; }

    MPI_Comm comm_;
    int ranks_ = 0;
    Query query_;
    std::map<const Pattern*, std::unique_ptr<Switch>> switches_;
};

#endif

}  // namespace

std::unique_ptr<Library> make_library(MPI_Comm comm) {
#if HAVE_COLL_QUERY
    return std::make_unique<PatchedMpich>(comm);
#else
    static_cast<void>(comm);
    return std::make_unique<AnyLibrary>();
#endif
}

}  // namespace bench
