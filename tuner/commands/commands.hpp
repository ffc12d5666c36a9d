// SPDX-License-Identifier: MIT
// The commands of the program. Each function defines the options of one, and what is done when it is called.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tuner::commands {

inline const std::string default_run = "changeover-run";

struct Invocation {
    std::vector<std::string> command_line;
    int exit_code = 0;  // set by the command that was called
};

void define_tune(CLI::App& command, Invocation& invocation);
void define_run(CLI::App& command, Invocation& invocation);
void define_fit(CLI::App& command, Invocation& invocation);
void define_decide(CLI::App& command, Invocation& invocation);
void define_verify(CLI::App& command, Invocation& invocation);
void define_summary(CLI::App& command, Invocation& invocation);
void define_report(CLI::App& command, Invocation& invocation);
void define_emit(CLI::App& command, Invocation& invocation);
void define_explain(CLI::App& command, Invocation& invocation);
void define_lint(CLI::App& command, Invocation& invocation);
void define_check(CLI::App& command, Invocation& invocation);
void define_compare(CLI::App& command, Invocation& invocation);
void define_combine(CLI::App& command, Invocation& invocation);
void define_distributions(CLI::App& command, Invocation& invocation);
void define_predict(CLI::App& command, Invocation& invocation);
void define_trace(CLI::App& command, Invocation& invocation);
void define_env(CLI::App& command, Invocation& invocation);
void define_reap(CLI::App& command, Invocation& invocation);

// Options that several commands have
inline void add_run_option(CLI::App& command, std::string& folder) {
    command.add_option("--run", folder, "run directory")->capture_default_str();
}

inline void add_format_option(CLI::App& command, std::string& format) {
    command.add_option("--format", format, "text or json")
        ->check(CLI::IsMember({"text", "json"}))
        ->capture_default_str();
}

}  // namespace tuner::commands
