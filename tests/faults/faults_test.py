#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lets every call on files fail, or kills the program there, then runs the same command again, and checks that nothing
was lost, doubled, or called verified that is not.

usage: faults_test.py --changeover PROGRAM --library LIBRARY --bench BENCH [--every N] [--commands NAMES] [--kinds KINDS]
                      [--expect TEXT]
  --every N             only every N-th fault of those that are not kills at a rename (default: 1, all)
  --commands, --kinds   only these, separated by commas: tune,verify ... write,rename ...
  --expect TEXT         for a program with a known defect: succeeds only if a violation says this
"""
import argparse
import collections
import concurrent.futures
import os
import queue
import shutil
import sys
import tempfile

import invariants
import scenarios

ERRORS = ("ENOSPC", "EIO", "EINTR", "EDQUOT")
KILLS = ("kill-before", "kill-after")
ACTIONS = collections.defaultdict(lambda: ERRORS + KILLS)
ACTIONS["write"] = ERRORS + ("short", "torn") + KILLS
ACTIONS["space"] = ("ENOSPC+", "EDQUOT+")  # all that needs space, from then on: the disk is full
ACTIONS["any"] = ("EIO+",)  # the file system is gone

# A violation by the command, the fault and the path of the file where it was injected
Violation = collections.namedtuple("Violation", "command fault path text")


def is_kill(action):
    return action in KILLS + ("torn",)


def counts_of(calls):
    counts = collections.Counter(call.kind for call in calls)
    counts["space"] = sum(call.needs_space for call in calls)
    counts["any"] = len(calls)
    return counts


def chosen_faults(counts, every, kinds):
    """Kills at a rename, where what other programs see changes, are all taken"""
    always, others = [], []
    for kind in sorted(counts):
        for action in ACTIONS[kind] if not kinds or kind in kinds else ():
            for number in range(1, counts[kind] + 1):
                to = always if kind == "rename" and action in KILLS else others
                to.append((kind, number, action))
    return always + others[::every]


class Harness:
    def __init__(self, programs, jobs):
        self.programs, self.bases = programs, scenarios.Bases(programs)
        self.boxes = queue.SimpleQueue()
        for number in range(jobs):
            self.boxes.put(os.path.join(programs.work, f"box-{number}"))
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)

    def reference(self, scenario):
        """The undisturbed command: what it leaves, its calls; and what is wrong with it"""
        box = os.path.join(self.programs.work, "reference")
        self.bases.fill(box, scenario.base)
        base = invariants.State(box, scenario.output)
        result = self.programs.run(box, scenario.arguments, scenario.phase)
        if result.exit != 0:
            raise SystemExit(f"{scenario.name} failed without any fault: exit {result.exit}\n{result.error}")
        problems = invariants.order_of_calls(result.calls, box)
        return base, invariants.State(box, scenario.output), result, problems

    def disturb(self, scenario, base, reference, fault):
        box = self.boxes.get()
        try:
            return self.disturb_in(box, scenario, base, reference, fault)
        finally:
            self.boxes.put(box)

    def disturb_in(self, box, scenario, base, reference, fault):
        text = "{}:{}:{}".format(*fault)
        self.bases.fill(box, scenario.base)
        result = self.programs.run(box, scenario.arguments, scenario.phase, text)
        if not result.faults:
            return [Violation(scenario.name, text, "", "the fault was not reached: the program does not do the same "
                              f"calls each time; exit {result.exit}")]
        after_fault = invariants.State(box, scenario.output)
        problems = invariants.told(result, is_kill(fault[2]))
        problems += invariants.only_verified(base, after_fault, reference)
        if scenario.output == "run":
            problems += invariants.journal_after_fault(base, after_fault, result)
        differences = invariants.same_result(after_fault, reference)
        if result.exit == 0:  # what could not be removed is, when the command is run again
            problems += ["exit code 0, but " + p for p in differences
                         if not (p.startswith(invariants.STRAY) and fault[0] == "unlink")]
        resumed = self.programs.run(box, scenario.arguments, scenario.phase)
        state = invariants.State(box, scenario.output)
        if resumed.exit != 0 and (differences or not scenario.writes_once):
            problems.append(f"resumed: exit {resumed.exit}: {resumed.error.splitlines()[-1:]}")
        later = invariants.only_verified(base, state, reference)
        later += [p for p in invariants.same_result(state, reference) if p not in later]
        if scenario.output == "run":
            later += invariants.journal_after_resume(after_fault, state, resumed)
            later += invariants.complete_or_not(after_fault, reference, resumed)
        problems += ["resumed: " + p for p in later]
        path = result.faults[0].path.removeprefix(box + "/")
        return [Violation(scenario.name, text, invariants.final_name(path), p) for p in problems]

    def run(self, scenario, every, kinds):
        """Number of faults by kind of call; violations"""
        base, reference, result, problems = self.reference(scenario)
        violations = [Violation(scenario.name, "none", "", p) for p in problems]
        faults = chosen_faults(counts_of(result.calls), every, kinds)
        done = self.pool.map(lambda fault: self.disturb(scenario, base, reference, fault), faults)
        for found in done:
            violations += found
        return collections.Counter(kind for kind, _, _ in faults), violations


def print_table(counts):
    kinds = sorted({kind for row in counts.values() for kind in row})
    print("Injected faults by command and call (space: the disk stays full; any: the file system is gone):")
    rows = [["", *kinds, "all"]]
    rows += [[name, *(row[kind] for kind in kinds), sum(row.values())] for name, row in counts.items()]
    total = sum(counts.values(), collections.Counter())
    rows.append(["all", *(total[kind] for kind in kinds), sum(total.values())])
    for row in rows:
        print(f"{row[0]:<16}" + "".join(f"{value:>11}" for value in row[1:]))


def print_violations(violations):
    """Alike ones once, with how many there are"""
    alike = collections.defaultdict(list)
    for violation in violations:
        alike[violation.command, violation.path, violation.text].append(violation.fault)
    for (command, path, text), faults in sorted(alike.items()):
        print(f"VIOLATION: {command}, {path}: {text}; {len(faults)} faults, such as {faults[0]}")
    print(f"{len(violations)} violations")


def read_arguments():
    parser = argparse.ArgumentParser()
    for name in ("--changeover", "--library", "--bench"):
        parser.add_argument(name, required=True, type=os.path.realpath)
    parser.add_argument("--every", type=int, default=1)
    for name in ("--commands", "--kinds"):
        parser.add_argument(name, type=lambda text: text.split(","), default=[])
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--expect")
    return parser.parse_args()


def main():
    arguments = read_arguments()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # what is synchronized there costs nothing
    work = os.path.realpath(tempfile.mkdtemp(prefix="changeover-faults-", dir=memory))
    try:
        programs = scenarios.Programs(arguments.changeover, arguments.library, arguments.bench, work)
        harness = Harness(programs, arguments.jobs)
        counts, violations = {}, []
        for scenario in scenarios.SCENARIOS:
            if not arguments.commands or scenario.name in arguments.commands:
                counts[scenario.name], found = harness.run(scenario, arguments.every, arguments.kinds)
                violations += found
    finally:
        shutil.rmtree(work)
    print_table(counts)
    print_violations(violations)
    if arguments.expect:
        violations = not any(arguments.expect in violation.text for violation in violations)
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
