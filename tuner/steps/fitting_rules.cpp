// SPDX-License-Identifier: MIT
#include "fitting_rules.hpp"

#include <fmt/format.h>

#include "decide.hpp"
#include "estimate.hpp"
#include "pair_questions.hpp"
#include "units.hpp"
#include "verify.hpp"

namespace tuner::commands {

namespace {

constexpr double long_call_seconds = 0.05;

// The largest measured size of the rule below its last one; 0: there is none
std::size_t smaller_end(const Rule& rule, const Cell& cell) {
    const auto end = cell.times.lower_bound(rule.to_bytes);
    return end == cell.times.begin() || std::prev(end)->first < rule.from_bytes ? 0 : std::prev(end)->first;
}

// It goes on where the measured sizes end
bool is_beyond(const Rule& rule, const Cell& cell) {
    return !cell.times.empty() && rule.from_bytes > cell.times.rbegin()->first;
}

}  // namespace

std::vector<Rule> fitting_rules(const Config& config, const RunData& run, const Plan& plan,
                                double launch_seconds, double seconds, std::vector<std::string>& notes) {
    const Cells cells = cells_of(run, Stage::search);
    Config fitting = config;
    while (verification_estimate(fitting, run, plan, launch_seconds).seconds > seconds) {
        Rule* longest = nullptr;
        double longest_call = long_call_seconds;
        for (Rule& rule : fitting.rules) {
            const auto cell = is_predicted(rule) ? cells.end() : cells.find(cell_of(rule));
            if (cell != cells.end() &&
                (smaller_end(rule, cell->second) > 0 || is_beyond(rule, cell->second)) &&
                slowest_call(cell->second, rule.to_bytes) > longest_call) {
                longest = &rule;
                longest_call = slowest_call(cell->second, rule.to_bytes);
            }
        }
        if (longest == nullptr) {
            break;
        }
        const std::size_t end = smaller_end(*longest, cells.at(cell_of(*longest)));
        notes.push_back(fmt::format(
            "{} is left to the library{}: the time limit leaves no time to verify calls of {}",
            name_of(*longest), end > 0 ? " above " + bytes_text(end) : "", seconds_text(longest_call)));
        if (end > 0) {
            longest->to_bytes = end;
        } else {
            fitting.rules.erase(fitting.rules.begin() + (longest - fitting.rules.data()));
        }
    }
    return fitting.rules;
}

}  // namespace tuner::commands
