// SPDX-License-Identifier: MIT
// Kills leftover processes of a job. Jobs start it on other nodes (measure/job.cpp), which read its output.
#include <memory>

#include "commands.hpp"
#include "output.hpp"
#include "process.hpp"

namespace tuner::commands {

void define_reap(CLI::App& command, Invocation& invocation) {
    const auto token = std::make_shared<std::string>();
    command.add_option("token", *token, "token of the job, from samples.jsonl of its run")->required();
    command.callback([token, &invocation] {
        const Ending ending = reap(*token);
        print_data("ended {}, left {}\n", ending.ended, ending.left);
        if (!ending.problem.empty()) {
            print_note("Error: {}\n", ending.problem);
            invocation.exit_code = 1;
        }
    });
}

}  // namespace tuner::commands
