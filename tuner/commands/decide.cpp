// SPDX-License-Identifier: MIT
// Rules from what was measured, not verified.
#include <fmt/core.h>

#include <memory>

#include "commands.hpp"
#include "verifying.hpp"

namespace tuner::commands {

void define_decide(CLI::App& command, Invocation&) {
    const auto folder = std::make_shared<std::string>(default_run);
    add_run_option(command, *folder);
    command.callback([folder] {
        const SavedRun run(*folder);
        const Config config = decided_config(run.data(), run.plan(), run.files());
        write_config(run.files(), config);
        fmt::print("{} rules in {}, not verified; next: changeover verify --run {}\n", config.rules.size(),
                   run.files().config(), *folder);
    });
}

}  // namespace tuner::commands
