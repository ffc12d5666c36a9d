// SPDX-License-Identifier: MIT
// Rules from what was measured, not verified.
#include <memory>

#include "command.hpp"
#include "commands.hpp"
#include "commit.hpp"
#include "output.hpp"
#include "verifying.hpp"

namespace tuner::commands {

void define_decide(CLI::App& command, Invocation&) {
    const auto folder = std::make_shared<std::string>(default_run);
    const auto reproducible = std::make_shared<std::string>();
    add_run_option(command, *folder);
    add_reproducible_option(command, *reproducible);
    command.callback([folder, reproducible] {
        RunData data;
        const Journal lock = Journal::resume(*folder, data);  // a tuning that verifies must not be disturbed
        const SavedRun run(*folder);
        const Plan plan = with_reproducible(run.plan(), *reproducible, run.files());
        const Config config = decided_config(run.data(), plan, run.files());
        write_decided(run.files(), config);
        print_data("{} rules in {}, not verified; next: changeover verify --run {}{}\n", config.rules.size(),
                   run.files().config(), shell_quoted(*folder),
                   reproducible->empty() ? "" : " --reproducible " + *reproducible);
    });
}

}  // namespace tuner::commands
