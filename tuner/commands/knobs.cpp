// SPDX-License-Identifier: MIT
// Variables of the library that are no algorithms: which values help the jobs that read the rules of a run.
#include <memory>

#include "command_lines.hpp"
#include "commands.hpp"
#include "error.hpp"
#include "output.hpp"
#include "run_options.hpp"
#include "verifying.hpp"

namespace tuner::commands {

namespace {

struct KnobsCommand : ResumeOptions {
    std::vector<std::string> knobs;
};

std::vector<PlannedKnob> asked_knobs(const KnobsCommand& options, const Plan& plan) {
    std::vector<PlannedKnob> knobs = options.knobs.empty() ? plan.knobs : std::vector<PlannedKnob>{};
    for (const std::string& text : options.knobs) {
        try {
            knobs.push_back(parse_knob(text));
        } catch (const std::invalid_argument& error) {
            throw usage_error(error.what());
        }
    }
    if (knobs.empty()) {
        throw usage_error(
            "the plan of the run has no knobs; name some, such as "
            "MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE=16384,65536");
    }
    return knobs;
}

void measure_asked(const KnobsCommand& options) {
    OpenRun run = resumed_run(options);
    require_allocation(run);
    require_decided(run.files);
    if (run.cluster.is_simulated()) {
        throw usage_error("a simulated machine has no variables; measure a real one");
    }
    Progress progress;
    const std::vector<KnobResult> results = prove_knobs(run, progress, asked_knobs(options, run.plan));
    progress.clear();
    print_data("{}", to_text(results));
    if (!proven_knobs(results).empty()) {
        print_data("Next:\n  # set them in jobs\n  {}\n",
                   changeover_command({"emit", "--run", options.folder, "--format", "knobs"}));
    }
}

}  // namespace

void define_knobs(CLI::App& command, Invocation&) {
    const auto o = std::make_shared<KnobsCommand>();
    add_resume_options(command, *o);
    command.add_option(
        "knobs", o->knobs,
        "variables with the values to try, such as MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE=16384,65536 "
        "(default: those of the plan)");
    command.footer(
        "Jobs that read the rules of the run, without and with each value, take turns. A value is used if it "
        "is\n"
        "faster over all sizes, and slower at none; emit --format knobs, env and module then set it.");
    command.callback([o] { measure_asked(*o); });
}

}  // namespace tuner::commands
