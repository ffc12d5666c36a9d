// SPDX-License-Identifier: MIT
// The patched MPICH: is asked what each position means, what a call would do, and what the last one did.
#include "mpich.hpp"

#if __has_include(<mpix_coll.h>)
#include <mpix_coll.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace bench {

namespace {

constexpr const char* enable_variable = "MPIR_CVAR_COLL_TUNING_ENABLE";

// MPIR_Bcast_intra_scatter_ring_allgather -> scatter_ring_allgather, MPIR_Bcast_allcomm_nb -> nb
std::string short_name(const std::string& algorithm) {
    for (const char* part : {"_intra_", "_allcomm_"}) {
        if (const auto at = algorithm.find(part); at != std::string::npos) {
            return algorithm.substr(at + std::string(part).size());
        }
    }
    return algorithm;
}

// Some chunks have -1 for what 0 says as well: one chunk
int in_range(const MPIX_Coll_param_t& parameter) {
    return std::clamp(parameter.value, parameter.min, parameter.max);
}

class Query {
  public:
    Query(MPI_Comm comm, const MPIX_Coll_layout_t* layout) {
        if (MPIX_Coll_query_create(comm, layout, &query_) != MPI_SUCCESS) {
            throw std::runtime_error("MPIX_Coll_query_create failed");
        }
    }
    ~Query() { MPIX_Coll_query_free(&query_); }
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;

    MPIX_Coll_choice_t ask(const PlannedCall& call) const {
        const MPIX_Coll_call_t question = {
            MPIX_Coll_query_collective(call.pattern->name.c_str()), static_cast<MPI_Aint>(call.count),
            call.elements->datatype, call.elements->operation, call.in_place ? MPIX_COLL_CALL_IN_PLACE : 0};
        MPIX_Coll_choice_t choice = {};
        MPIX_Coll_query_call(query_, &question, nullptr, &choice);
        return choice;
    }

  private:
    MPIX_Coll_query_t* query_ = nullptr;
};

class PatchedMpich : public Mpich {
  public:
    explicit PatchedMpich(MPI_Comm comm)
        : Mpich(comm),
          query_(comm, nullptr),
          tuning_(enable_variable),
          default_is_tuned_(std::getenv(enable_variable) != nullptr && tuning_.read() != 0) {}

    std::string version() const override { return version_line() + "; changeover patches"; }

    std::string tuning_file() const override {
        const char* file = std::getenv("MPIR_CVAR_COLL_TUNING_FILE");
        return file && std::string(file) != "none" ? file : "";
    }

    std::optional<std::string> refusal(const PlannedCall& call, const std::string& algorithm) override {
        if (algorithm == tuned_algorithm) {
            return tuning_file().empty() ? std::optional<std::string>(
                                               "there is no tuning file; name one with "
                                               "MPIR_CVAR_COLL_TUNING_FILE")
                                         : std::nullopt;
        }
        return Mpich::refusal(call, algorithm);
    }

    // All other algorithms are without the file, also where one calls another inside; the default, and
    // mock-ups, which are made of it, have it in a job that turns the file on by name
    MPI_Comm choose(const Pattern& pattern, const std::string& algorithm) override {
        const bool tuned = algorithm == tuned_algorithm;
        tuning_.write(tuned || (default_is_tuned_ && algorithm == default_algorithm) ? 1 : 0);
        return Mpich::choose(pattern, tuned ? default_algorithm : algorithm);
    }

    std::string last_used(const Pattern& pattern) const override {
        const int collective = MPIX_Coll_query_collective(pattern.name.c_str());
        MPIX_Coll_choice_t choice = {};
        MPIX_Coll_query_last(comm(), collective, &choice);
        if (choice.algorithm == nullptr) {
            return "none";
        }
        std::map<std::string, int> values;
        MPIX_Coll_param_t parameter = {};
        for (int i = 0; MPIX_Coll_query_last_param(comm(), collective, i, &parameter) == MPI_SUCCESS; ++i) {
            values[parameter.name] = in_range(parameter);
        }
        return parameters().name_with(choice.algorithm, short_name(choice.algorithm), values);
    }

  private:
    std::optional<std::string> failed_precondition(const PlannedCall& call, const std::string& algorithm,
                                                   const Switch& s) override {
        s.variable.write(s.positions.at(algorithm));
        const MPIX_Coll_choice_t choice = query_.ask(call);
        s.variable.write(0);
        if (choice.source == MPIX_COLL_SOURCE_FORCED) {
            return std::nullopt;
        }
        return "a precondition fails for this call; MPICH would run " + short_name(choice.algorithm) +
               " instead";
    }

    // Every algorithm is legal for one of these: a power of two of ranks, alone on their nodes or not, in
    // place or not
    std::map<std::string, int> find_positions(const Pattern& pattern,
                                              const ControlVariable& variable) override {
        const MPIX_Coll_layout_t layouts[] = {{8, 0, 0, 0}, {8, 0, 4, 0}};
        constexpr int more_than_there_are = 40;
        std::map<std::string, int> positions;
        for (const MPIX_Coll_layout_t& layout : layouts) {
            const Query query(comm(), &layout);
            for (const bool in_place : {false, true}) {
                const PlannedCall call = {&pattern, &find_elements("byte", "sum"), 1024, in_place};
                for (int position = 0; position < more_than_there_are; ++position) {
                    variable.write(position);
                    const MPIX_Coll_choice_t choice = query.ask(call);
                    if (choice.source == MPIX_COLL_SOURCE_FORCED) {
                        const std::string name = short_name(choice.algorithm);
                        positions[name] = position;
                        functions_[{pattern.name, name}] = choice.algorithm;
                    }
                }
            }
        }
        variable.write(0);
        return positions;
    }

    std::vector<MpichParameter> read_parameters(const std::string& function) override {
        std::vector<MpichParameter> parameters;
        MPIX_Coll_param_t parameter = {};
        for (int i = 0; MPIX_Coll_query_param(function.c_str(), i, &parameter) == MPI_SUCCESS; ++i) {
            MpichParameter& added = parameters.emplace_back(
                MpichParameter{parameter.name, in_range(parameter), parameter.min, parameter.max});
            for (int value = parameter.min; parameter.value_names != nullptr && value <= parameter.max;
                 ++value) {
                added.value_names.emplace_back(parameter.value_names[value - parameter.min]);
            }
        }
        return parameters;
    }

    void write_parameter(const std::string& function, const std::string& name, int value) override {
        if (MPIX_Coll_set_param(function.c_str(), name.c_str(), value) != MPI_SUCCESS) {
            throw std::runtime_error("MPIX_Coll_set_param failed for " + name + " of " + function);
        }
    }

    // As the library calls it
    std::string function_of(const Pattern& pattern, const std::string& algorithm) override {
        switch_of(pattern);  // finds them
        const auto found = functions_.find({pattern.name, algorithm});
        return found == functions_.end() ? std::string() : found->second;
    }

    Query query_;
    ControlVariable tuning_;
    bool default_is_tuned_;
    std::map<std::pair<std::string, std::string>, std::string> functions_;  // by pattern and short name
};

}  // namespace

extern const Backend mpich_patched;
const Backend mpich_patched = {
    .is_here = [] { return true; },
    .make = [](MPI_Comm comm) -> std::unique_ptr<Library> { return std::make_unique<PatchedMpich>(comm); },
};

}  // namespace bench

#else

namespace bench {

extern const Backend mpich_patched;
const Backend mpich_patched = {.is_here = [] { return false; }, .make = nullptr};

}  // namespace bench

#endif
