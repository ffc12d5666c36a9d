#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every source has a test of its name, in the same place below tests/; or the table says which test has it instead.

usage: test_names_test.py SOURCE_FOLDER
"""
import pathlib
import sys

# Of a folder: of all its sources that have no test of their own. Programs and commands are tested as people use them,
# by scripts.
TESTED_BY = {
    "models/schedules": "models/schedules/schedule_test.cpp",  # executes all of them
    "bench/main.cpp": "bench/bench_test.sh",
    "bench/io/measure_and_print.cpp": "bench/bench_test.sh",
    "bench/io/serve.cpp": "bench/bench_test.sh",
    "bench/libraries/mpich.cpp": "bench/libraries/library_test.cpp",
    "bench/libraries/mpich_parameters.cpp": "bench/libraries/parameters_test.cpp",
    "bench/libraries/mpich_patched.cpp": "bench/libraries/library_test.cpp",
    "bench/libraries/mpich_stock.cpp": "bench/other_library_test.sh",
    "bench/libraries/openmpi.cpp": "bench/libraries/openmpi_messages_test.cpp",
    "bench/measure/warm_up.cpp": "bench/measure/measure_test.cpp",
    "bench/micro": "scripts/readme_commands_test.py",  # for people
    "bench/patterns/nonblocking.cpp": "bench/nonblocking_test.sh",
    "bench/patterns/collectives": "bench/patterns/patterns_test.cpp",
    "bench/patterns/exchanges": "bench/exchanges_test.sh",
    "bench/replay/replay_calls.cpp": "bench/replay_test.sh",
    "bench/replay/replay_run.cpp": "bench/replay_test.sh",
    "tuner/main.cpp": "tuner/commands/changeover_test.sh",
    "tuner/commands": "tuner/commands/changeover_test.sh",
    "tuner/commands/audit.cpp": "tuner/audit/audit_command_test.sh",
    "tuner/commands/combine.cpp": "tuner/commands/network_plan_test.sh",
    "tuner/commands/distributions.cpp": "tuner/commands/network_plan_test.sh",
    "tuner/commands/predict.cpp": "tuner/commands/recorded_run_test.sh",
    "tuner/commands/reap.cpp": "tuner/base/process_test.cpp",
    "tuner/steps/run_options.cpp": "tuner/commands/resume_options_test.sh",
    "tuner/steps/changed_networks.cpp": "tuner/commands/changed_networks_test.sh",
    "tuner/steps/measuring.cpp": "tuner/commands/auto_layouts_test.sh",
    "tuner/steps/prior_run.cpp": "tuner/simulate/simulated_tune_test.sh",
    "tuner/steps/try_file.cpp": "tuner/commands/other_library_tune_test.sh",
    "tuner/steps/run_summary.cpp": "tuner/commands/changeover_test.sh",
    "tuner/commands/tune.cpp": "tuner/commands/commit_test.sh",
    "tuner/steps/verifying.cpp": "tuner/commands/commit_test.sh",
    "tuner/commands/platform.cpp": "tuner/simulate/simulated_tune_test.sh",
    "tuner/commands/what_if.cpp": "tuner/simulate/what_if_test.sh",
    "tuner/simulate/engine/main.cpp": "tuner/simulate/simulated_tune_test.sh",
    "tuner/simulate/show/simulated_section.cpp": "browser/simulated_test.py",
    "tuner/simulate/simulated_prediction.cpp": "tuner/simulate/simulated_tune_test.sh",
    "tuner/loaded/measure_knobs.cpp": "tuner/loaded/knobs_test.sh",
    "tuner/loaded/rules_loaded.cpp": "tuner/loaded/knobs_test.sh",
    "tuner/lint/lint_coverage.cpp": "tuner/lint/lint_test.cpp",
    "tuner/trace/analysis/trace.cpp": "tuner/commands/trace_test.sh",
}

root = pathlib.Path(sys.argv[1])
problems = []
by_table = set()


def has_test(source):
    """In the folder of the same name, or in one below it"""
    folder = root / "tests" / source.parent
    return any(folder.rglob(f"{source.stem}_test.*"))


sources = [path.relative_to(root) for folder in ("models", "bench", "tuner") for path in (root / folder).rglob("*.cpp")]
for source in sources:
    if not has_test(source):
        keys = [str(place) for place in (source, *source.parents) if str(place) in TESTED_BY]
        by_table.update(keys[:1])
        if not keys:
            problems.append(f"{source} has no test; write tests/{source.parent}/{source.stem}_test.cpp")
for key, test in TESTED_BY.items():
    if not (root / "tests" / test).exists():
        problems.append(f"the test of {key} is missing: tests/{test}")
    if key not in by_table:
        problems.append(f"{key} has tests of its own; remove the row")
print(f"{len(sources)} sources looked at")
for problem in problems:
    print(problem, file=sys.stderr)
sys.exit(1 if problems or len(sources) < 200 else 0)
