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
    const auto limits = std::make_shared<RuleLimits>();
    add_run_option(command, *folder);
    add_limit_options(command, *limits);
    command.callback([folder, limits] {
        RunData data;
        const Journal lock = Journal::resume(*folder, data);  // a tuning that verifies must not be disturbed
        const SavedRun run(*folder);
        const Plan plan = with_limits(run.plan(), *limits, run.files());
        const Config config = decided_config(run.data(), plan, run.files());
        write_decided(run.files(), config);
        print_data("{} rules in {}, not verified; next: changeover verify --run {}{}{}\n",
                   config.rules.size(), run.files().config(), shell_quoted(*folder),
                   limits->reproducible.empty() ? "" : " --reproducible " + limits->reproducible,
                   limits->max_memory.empty() ? "" : " --max-memory " + limits->max_memory);
    });
}

}  // namespace tuner::commands
