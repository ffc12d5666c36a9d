// SPDX-License-Identifier: MIT
// The rules against the default at held-out sizes; or jobs that read the emitted file against jobs that do
// not.
#include <memory>

#include "commands.hpp"
#include "commit.hpp"
#include "loaded.hpp"
#include "run_options.hpp"
#include "run_summary.hpp"
#include "verifying.hpp"

namespace tuner::commands {

namespace {

void verify(const ResumeOptions& options, const RuleLimits& limits) {
    OpenRun run = resumed_run(options);
    run.plan = with_limits(run.plan, limits, run.files);
    Progress progress;
    const Config config = decided_config(run.data, run.plan, run.files);
    commit_verified(run.files, config, verify_rules(run, progress, config, {}));
    progress.clear();
    print_summary(options.folder);
}

int verify_with_file(const ResumeOptions& options) {
    OpenRun run = resumed_run(options);
    require_allocation(run);
    Progress progress;
    return verify_loaded(run, progress);
}

}  // namespace

void define_verify(CLI::App& command, Invocation& invocation) {
    struct Options : ResumeOptions {
        bool loaded = false;
        RuleLimits limits;
    };
    const auto o = std::make_shared<Options>();
    add_resume_options(command, *o);
    command.add_flag("--loaded", o->loaded,
                     "for a tuned run: emit its rules, let the library read them, and compare jobs with and "
                     "without them; exit code 3 if something is slower");
    add_limit_options(command, o->limits);
    command.callback([o, &invocation] {
        if (o->loaded) {
            invocation.exit_code = verify_with_file(*o);
        } else {
            verify(*o, o->limits);
        }
    });
}

}  // namespace tuner::commands
