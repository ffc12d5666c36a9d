// SPDX-License-Identifier: MIT
// Options that several commands have.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "reproducible.hpp"

namespace tuner::commands {

inline const std::string default_run = "changeover-run";

inline void add_run_option(CLI::App& command, std::string& folder) {
    command.add_option("--run", folder, "run directory")->capture_default_str();
}

// What rules may do; empty: as the rules that are there, or as the plan says
struct RuleLimits {
    std::string reproducible;
    std::string max_memory;
};

inline void add_limit_options(CLI::App& command, RuleLimits& limits) {
    command
        .add_option(
            "--reproducible", limits.reproducible,
            "what rules may do to sums of floating-point numbers: any; ranks-agree: all ranks of a call have "
            "the same bits; same-as-default: and those that the library has without rules")
        ->check(CLI::IsMember({"any", "ranks-agree", "same-as-default"}));
    command.add_option("--max-memory", limits.max_memory,
                       "memory that the algorithm of a rule may allocate on a rank, besides the buffers of "
                       "the call, such as 16Mi; 0: no limit");
}

inline void add_format_option(CLI::App& command, std::string& format) {
    command.add_option("--format", format, "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
}

}  // namespace tuner::commands
