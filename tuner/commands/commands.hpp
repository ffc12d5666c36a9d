// SPDX-License-Identifier: MIT
// The commands of the program. Each function defines the options of one, and what is done when it is called.
#pragma once

#include <string>
#include <vector>

#include "common_options.hpp"

namespace tuner::commands {

struct Invocation {
    std::vector<std::string> command_line;
    int exit_code = 0;  // set by the command that was called
};

void define_tune(CLI::App& command, Invocation& invocation);
void define_run(CLI::App& command, Invocation& invocation);
void define_fit(CLI::App& command, Invocation& invocation);
void define_decide(CLI::App& command, Invocation& invocation);
void define_verify(CLI::App& command, Invocation& invocation);
void define_knobs(CLI::App& command, Invocation& invocation);
void define_audit(CLI::App& command, Invocation& invocation);
void define_summary(CLI::App& command, Invocation& invocation);
void define_report(CLI::App& command, Invocation& invocation);
void define_emit(CLI::App& command, Invocation& invocation);
void define_install_config(CLI::App& command, Invocation& invocation);
void define_explain(CLI::App& command, Invocation& invocation);
void define_lint(CLI::App& command, Invocation& invocation);
void define_check(CLI::App& command, Invocation& invocation);
void define_compare(CLI::App& command, Invocation& invocation);
void define_combine(CLI::App& command, Invocation& invocation);
void define_distributions(CLI::App& command, Invocation& invocation);
void define_predict(CLI::App& command, Invocation& invocation);
void define_platform(CLI::App& command, Invocation& invocation);
void define_what_if(CLI::App& command, Invocation& invocation);
void define_trace(CLI::App& command, Invocation& invocation);
void define_init(CLI::App& command, Invocation& invocation);
void define_facts(CLI::App& command, Invocation& invocation);
void define_doctor(CLI::App& command, Invocation& invocation);
void define_env(CLI::App& command, Invocation& invocation);
void define_reap(CLI::App& command, Invocation& invocation);

}  // namespace tuner::commands
