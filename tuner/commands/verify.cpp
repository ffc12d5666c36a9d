// SPDX-License-Identifier: MIT
// The rules against the default at held-out sizes; or jobs that read the emitted file against jobs that do
// not.
#include <memory>

#include "loaded.hpp"
#include "run_options.hpp"
#include "run_summary.hpp"
#include "verifying.hpp"

namespace tuner::commands {

namespace {

void verify(const std::string& folder) {
    OpenRun run = resumed_run(folder);
    Progress progress;
    const Config config = decided_config(run.data, run.plan, run.files);
    write_verified(run.files, config, verify_rules(run, progress, config, {}));
    progress.clear();
    print_summary(folder);
}

int verify_with_file(const std::string& folder) {
    OpenRun run = resumed_run(folder);
    require_allocation(run);
    Progress progress;
    return verify_loaded(run, progress);
}

}  // namespace

void define_verify(CLI::App& command, Invocation& invocation) {
    struct Options {
        std::string folder = default_run;
        bool loaded = false;
    };
    const auto o = std::make_shared<Options>();
    add_run_option(command, o->folder);
    command.add_flag("--loaded", o->loaded,
                     "for a tuned run: emit its rules, let the library read them, and compare jobs with and "
                     "without them; exit code 3 if something is slower");
    command.callback([o, &invocation] {
        if (o->loaded) {
            invocation.exit_code = verify_with_file(o->folder);
        } else {
            verify(o->folder);
        }
    });
}

}  // namespace tuner::commands
