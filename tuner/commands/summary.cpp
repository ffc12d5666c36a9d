// SPDX-License-Identifier: MIT
// What was gained where, what it cost, what to type next.
#include <memory>

#include "commands.hpp"
#include "run_summary.hpp"

namespace tuner::commands {

void define_summary(CLI::App& command, Invocation&) {
    const auto folder = std::make_shared<std::string>(default_run);
    add_run_option(command, *folder);
    command.callback([folder] { print_summary(*folder); });
}

}  // namespace tuner::commands
