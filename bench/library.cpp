// SPDX-License-Identifier: MIT
#include "library.hpp"

#include <algorithm>
#include <cstdlib>
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

std::string upper(const std::string& text) {
    std::string result = text;
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return std::toupper(c); });
    return result;
}

// What all MPICHs have in common: MPIR_CVAR_X_INTRA_ALGORITHM forces an algorithm by its position in an
// enumeration, from the next call on. MPI_T does not name the positions.
class Mpich : public Library {
  public:
    explicit Mpich(MPI_Comm comm) : comm_(comm) { MPI_Comm_size(comm, &ranks_); }

    std::string version() const override { return version_line(); }
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
        const Switch& s = switch_of(*call.pattern);
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
        return failed_precondition(call, algorithm, s);
    }

    void choose(const Pattern& pattern, const std::string& algorithm) override {
        const Switch& s = switch_of(pattern);
        const bool forced = algorithm != default_algorithm;
        s.variable.write(forced ? s.positions.at(algorithm) : 0);
        // a ch4 device would apply it to the parts that it composes the call of
        s.device.write(forced ? 0 : s.device_default);
    }

  protected:
    struct Switch {
        ControlVariable variable;
        ControlVariable device;
        int device_default;
        std::map<std::string, int> positions;
    };

    virtual std::map<std::string, int> find_positions(const Pattern& pattern,
                                                      const ControlVariable& variable) = 0;
    // As far as the library can say before the call
    virtual std::optional<std::string> failed_precondition(const PlannedCall& call,
                                                           const std::string& algorithm, const Switch& s) = 0;
    MPI_Comm comm() const { return comm_; }

  private:
    Switch& switch_of(const Pattern& pattern) {
        const auto found = switches_.find(pattern.name);
        if (found != switches_.end()) {
            return *found->second;
        }
        const std::string name = "MPIR_CVAR_" + upper(pattern.name);
        auto s = std::make_unique<Switch>(Switch{
            ControlVariable(name + "_INTRA_ALGORITHM"), ControlVariable(name + "_DEVICE_COLLECTIVE"), 0, {}});
        s->device_default = s->device.read();
        s->positions = find_positions(pattern, s->variable);
        s->positions.erase("nb");  // not an algorithm but the nonblocking version, whatever that chooses
        return *(switches_[pattern.name] = std::move(s));
    }

    static bool is_power_of_two(int number) { return (number & (number - 1)) == 0; }

    MPI_Comm comm_;
    int ranks_ = 0;
    std::map<std::string, std::unique_ptr<Switch>> switches_;
};

#if HAVE_COLL_QUERY

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

// The patched MPICH is asked what each position means, what a call would do, and what the last one did.
class PatchedMpich : public Mpich {
  public:
    explicit PatchedMpich(MPI_Comm comm)
        : Mpich(comm), query_(comm, nullptr), tuning_("MPIR_CVAR_COLL_TUNING_ENABLE") {}

    std::string version() const override { return version_line() + "; changeover patches"; }

    std::string tuning_file() const override {
        const char* file = std::getenv("MPIR_CVAR_COLL_TUNING_FILE");
        return file ? file : "";
    }

    std::optional<std::string> refusal(const PlannedCall& call, const std::string& algorithm) override {
        if (algorithm != tuned_algorithm) {
            return Mpich::refusal(call, algorithm);
        }
        if (tuning_file().empty()) {
            return "there is no tuning file; name one with MPIR_CVAR_COLL_TUNING_FILE";
        }
        return std::nullopt;
    }

    // All other algorithms are without the file, also where one calls another inside
    void choose(const Pattern& pattern, const std::string& algorithm) override {
        const bool tuned = algorithm == tuned_algorithm;
        tuning_.write(tuned ? 1 : 0);
        Mpich::choose(pattern, tuned ? default_algorithm : algorithm);
    }

    std::string last_used(const Pattern& pattern) const override {
        MPIR_Coll_choice_t choice = {};
        MPIR_Coll_query_last(comm(), MPIR_Coll_query_collective(pattern.name), &choice);
        return choice.algorithm ? short_name(choice.algorithm) : std::string("none");
    }

  private:
    std::optional<std::string> failed_precondition(const PlannedCall& call, const std::string& algorithm,
                                                   const Switch& s) override {
        s.variable.write(s.positions.at(algorithm));
        const MPIR_Coll_choice_t choice = query_.ask(call);
        s.variable.write(0);
        if (choice.source == MPIR_COLL_SOURCE_FORCED) {
            return std::nullopt;
        }
        return "a precondition fails for this call; MPICH would run " + short_name(choice.algorithm) +
               " instead";
    }

    // Every algorithm is legal for one of these: a power of two of ranks, alone on their nodes or not, in
    // place or not
    std::map<std::string, int> find_positions(const Pattern& pattern,
                                              const ControlVariable& variable) override {
        const MPIR_Coll_layout_t layouts[] = {{8, 0, 0, 0}, {8, 0, 4, 0}};
        constexpr int more_than_there_are = 40;
        std::map<std::string, int> positions;
        for (const MPIR_Coll_layout_t& layout : layouts) {
            const Query query(comm(), &layout);
            for (const bool in_place : {false, true}) {
                const PlannedCall call = {&pattern, &find_elements("byte", "sum"), 1024, in_place};
                for (int position = 0; position < more_than_there_are; ++position) {
                    variable.write(position);
                    const MPIR_Coll_choice_t choice = query.ask(call);
                    if (choice.source == MPIR_COLL_SOURCE_FORCED) {
                        positions[short_name(choice.algorithm)] = position;
                    }
                }
            }
        }
        variable.write(0);
        return positions;
    }

    Query query_;
    ControlVariable tuning_;
};

#else

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

// Any other MPICH. Its control variables describe their values; whether a precondition holds is seen when a
// call that must not fall back to another algorithm fails. Nothing says afterwards what ran.
class StockMpich : public Mpich {
  public:
    explicit StockMpich(MPI_Comm comm) : Mpich(comm), fallback_("MPIR_CVAR_COLLECTIVE_FALLBACK") {
        MPI_Comm_create_errhandler(note_failure, &note_failure_);
    }
    ~StockMpich() override { MPI_Errhandler_free(&note_failure_); }

    std::string last_used(const Pattern&) const override { return {}; }

    // MPICH checks before it communicates, and on all ranks alike
    std::optional<std::string> try_call(const std::function<void()>& call) override {
        constexpr int error = 0;  // of error, print, silent
        const int before = fallback_.read();
        MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
        MPI_Comm_get_errhandler(comm(), &handler);
        MPI_Comm_set_errhandler(comm(), note_failure_);
        fallback_.write(error);
        has_failed = false;
        call();
        fallback_.write(before);
        MPI_Comm_set_errhandler(comm(), handler);
        MPI_Errhandler_free(&handler);
        if (!has_failed) {
            return std::nullopt;
        }
        return "a precondition fails for this call; MPICH would run another algorithm instead";
    }

  private:
    std::map<std::string, int> find_positions(const Pattern&, const ControlVariable& variable) override {
        return algorithms_in(variable.description());
    }
    std::optional<std::string> failed_precondition(const PlannedCall&, const std::string& algorithm,
                                                   const Switch&) override {
        if (algorithm == "smp") {
            return "calls the collective again inside of a node, where MPICH falls back; without the patches "
                   "that cannot be told from a precondition that fails";
        }
        return std::nullopt;
    }

    static void note_failure(MPI_Comm*, int*, ...) { has_failed = true; }

    inline static bool has_failed = false;
    ControlVariable fallback_;
    MPI_Errhandler note_failure_ = MPI_ERRHANDLER_NULL;
};

#endif

// Patterns with ways of their own to make a call are none of the library's business
class WithPatternVariants : public Library {
  public:
    explicit WithPatternVariants(std::unique_ptr<Library> library) : library_(std::move(library)) {}

    std::string version() const override { return library_->version(); }
    std::string tuning_file() const override { return library_->tuning_file(); }
    bool can_switch() const override { return library_->can_switch(); }
    std::vector<std::string> algorithms(const Pattern& pattern) override {
        return pattern.is_exchange() ? names_of(pattern) : library_->algorithms(pattern);
    }
    std::optional<std::string> refusal(const PlannedCall& call, const std::string& algorithm) override {
        if (!call.pattern->is_exchange()) {
            return library_->refusal(call, algorithm);
        }
        const std::vector<std::string> names = names_of(*call.pattern);
        if (std::find(names.begin(), names.end(), algorithm) != names.end()) {
            return std::nullopt;
        }
        std::string known;
        for (const std::string& name : names) {
            known += (known.empty() ? "" : ", ") + name;
        }
        return "there is no '" + algorithm + "'; " + call.pattern->name + " has: " + known;
    }
    void choose(const Pattern& pattern, const std::string& algorithm) override {
        if (!pattern.is_exchange()) {
            library_->choose(pattern, algorithm);
        }
    }
    std::optional<std::string> try_call(const std::function<void()>& call) override {
        return library_->try_call(call);
    }
    std::string last_used(const Pattern& pattern) const override {
        return pattern.is_exchange() ? std::string() : library_->last_used(pattern);
    }

  private:
    static std::vector<std::string> names_of(const Pattern& pattern) {
        return {pattern.variants.begin(), pattern.variants.end()};
    }

    std::unique_ptr<Library> library_;
};

std::unique_ptr<Library> library_itself([[maybe_unused]] MPI_Comm comm) {
#if HAVE_COLL_QUERY
    return std::make_unique<PatchedMpich>(comm);
#else
    if (ControlVariable::exists("MPIR_CVAR_BCAST_INTRA_ALGORITHM")) {
        return std::make_unique<StockMpich>(comm);
    }
    return std::make_unique<AnyLibrary>();
#endif
}

}  // namespace

std::string Library::device() const {
    const std::string text = version();
    const std::string key = "MPICH Device:";
    const auto at = text.find(key);
    if (at == std::string::npos) {
        return {};
    }
    const auto begin = text.find_first_not_of(' ', at + key.size());
    return text.substr(begin, text.find(';', begin) - begin);
}

// "... auto - Internal selection (...)binomial   - Force the treenb         - Force ...": the lines are
// joined without anything between them, but all names after the first stand in a column of one width.
std::map<std::string, int> algorithms_in(const std::string& description) {
    const std::string mark = " - Force";
    std::map<std::string, int> positions;
    const auto after_auto = description.find(')', description.find("auto - "));
    auto at = description.find(mark);
    if (after_auto == std::string::npos || at == std::string::npos || at <= after_auto) {
        return positions;
    }
    const std::size_t width = at - after_auto - 1;
    for (int position = 1; at != std::string::npos; ++position) {
        std::string name = description.substr(at - width, width);
        name.erase(0, name.find_first_not_of(" \n"));
        name.erase(name.find_last_not_of(' ') + 1);
        positions[name] = position;
        at = description.find(mark, at + 1);
    }
    return positions;
}

std::unique_ptr<Library> make_library(MPI_Comm comm) {
    return std::make_unique<WithPatternVariants>(library_itself(comm));
}

}  // namespace bench
