// SPDX-License-Identifier: MIT
#include "mpich.hpp"

#include <algorithm>
#include <stdexcept>

namespace bench {

namespace {

// In MPICH 4.0.2 itself, for calls that its checks let through: few elements, unequal counts, datatypes with
// gaps, one process. They can be asked for by name, but nobody should tune with them.
constexpr std::pair<const char*, const char*> wrong_results[] = {
    {"ibcast", "tsp_scatterv_recexch_allgatherv"},
    {"iallgatherv", "tsp_brucks"},
    {"ireduce_scatter", "sched_noncommutative"},
    {"ireduce_scatter_block", "sched_noncommutative"},
    {"igather", "tsp_tree"},
};

bool has_wrong_results(const std::string& collective, const std::string& algorithm) {
    return std::any_of(std::begin(wrong_results), std::end(wrong_results),
                       [&](const auto& row) { return collective == row.first && algorithm == row.second; });
}

bool is_power_of_two(int number) {
    return (number & (number - 1)) == 0;
}

}  // namespace

std::string upper(const std::string& text) {
    std::string result = text;
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return std::toupper(c); });
    return result;
}

std::vector<std::string> Mpich::algorithms(const Pattern& pattern) {
    std::vector<std::string> names;
    for (const auto& [name, position] : switch_of(pattern).positions) {
        if (!has_wrong_results(pattern.name, name)) {
            const auto variants = parameters_.variants(function_of(pattern, name), name, ranks_);
            names.insert(names.end(), variants.begin(), variants.end());
        }
    }
    return names;
}

std::map<std::string, int> Mpich::values(const Pattern& pattern) {
    return is_nonblocking(pattern) ? switch_of(pattern).positions : std::map<std::string, int>();
}

std::optional<std::string> Mpich::refusal(const PlannedCall& call, const std::string& algorithm) {
    if (algorithm == default_algorithm) {
        return std::nullopt;
    }
    try {
        const models::AlgorithmName name(algorithm);
        if (const auto problem = refusal_without_parameters(call, name.algorithm); problem) {
            return problem;
        }
        return parameters_.refusal(function_of(*call.pattern, name.algorithm), name, call);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

std::optional<std::string> Mpich::refusal_without_parameters(const PlannedCall& call,
                                                             const std::string& algorithm) {
    const Switch& s = switch_of(*call.pattern);
    if (!s.positions.contains(algorithm)) {
        std::string known;
        for (const auto& [name, position] : s.positions) {
            known += (known.empty() ? "" : ", ") + name;
        }
        return "there is no algorithm '" + algorithm + "'; MPICH has: " + known;
    }
    if (call.count == 0 && call.pattern->has_message) {
        return "an empty message is not sent: no algorithm runs";
    }
    if (std::string(call.pattern->name) == "reduce_scatter" && algorithm == "noncommutative" &&
        !is_power_of_two(ranks_)) {
        return "needs a power-of-two number of ranks, which MPICH does not check but asserts "
               "(reduce_scatter_intra_noncommutative.c)";
    }
    return failed_precondition(call, algorithm, s);
}

MPI_Comm Mpich::choose(const Pattern& pattern, const std::string& algorithm) {
    const Switch& s = switch_of(pattern);
    if (forced_ != nullptr && forced_ != &s) {  // collectives may be parts of others
        forced_->variable.write(0);
        forced_->device.write(forced_->device_default);
    }
    forced_ = &s;
    const bool forced = algorithm != default_algorithm;
    if (forced) {
        const models::AlgorithmName name(algorithm);
        parameters_.choose(function_of(pattern, name.algorithm), name);
        s.variable.write(s.positions.at(name.algorithm));
    } else {
        parameters_.choose_none();
        s.variable.write(0);
    }
    // a ch4 device would apply it to the parts that it composes the call of
    s.device.write(forced ? 0 : s.device_default);
    return comm_;
}

std::string Mpich::canonical(const Pattern& pattern, const std::string& algorithm) {
    const models::AlgorithmName name(algorithm);
    return parameters_.canonical(function_of(pattern, name.algorithm), name);
}

Mpich::Switch& Mpich::switch_of(const Pattern& pattern) {
    const auto found = switches_.find(pattern.name);
    if (found != switches_.end()) {
        return *found->second;
    }
    const std::string name = "MPIR_CVAR_" + upper(pattern.name);
    auto s = std::make_unique<Switch>(Switch{
        ControlVariable(name + "_INTRA_ALGORITHM"), ControlVariable(name + "_DEVICE_COLLECTIVE"), 0, {}});
    s->device_default = s->device.read();
    s->positions = find_positions(pattern, s->variable);
    // the nonblocking version, whatever that chooses; and one of 5.0 for the memory of GPUs, in whose place
    // another one runs for all other buffers
    for (const char* not_an_algorithm : {"nb", "ccl"}) {
        s->positions.erase(not_an_algorithm);
    }
    return *(switches_[pattern.name] = std::move(s));
}

}  // namespace bench
