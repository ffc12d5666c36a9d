#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Faults in every call with which one rank writes the event file of the library. Whatever fails, the job does not; one
warning says which files are missing; no half file, no file of an earlier job beside those of this one. After that, the
same job without a fault writes all files.

usage: event_faults_test.py --mpiexec MPIEXEC --workload EVENT_WORKLOAD --files EVENT_FILES --library LIBRARY [--every N]
"""
import argparse
import collections
import os
import shutil
import subprocess
import sys
import tempfile

from faults_test import chosen_faults, counts_of, is_kill, print_table, print_violations, Violation
from scenarios import read_log, SECONDS_AT_MOST

RANKS = 2
WARNING = "MPICH: MPIR_CVAR_COLL_EVENTS_FILE="


class EventJobs:
    def __init__(self, arguments, work):
        self.arguments = arguments
        self.folder, self.log = os.path.join(work, "traces"), os.path.join(work, "log")
        self.prefix = os.path.join(self.folder, "t")

    def run(self, rank, fault=None):
        """Exit code, lines of warnings, calls and faults of the rank"""
        if os.path.exists(self.log):
            os.unlink(self.log)
        environment = dict(os.environ, LD_PRELOAD=self.arguments.library, FAULT_RANK=str(rank), FAULT_FOLDER=self.folder,
                           FAULT_PROGRAM=os.path.basename(self.arguments.workload), FAULT_LOG=self.log,
                           MPIR_CVAR_COLL_EVENTS_FILE=self.prefix)
        if fault:
            environment["FAULT"] = fault
        done = subprocess.run([self.arguments.mpiexec, "-n", str(RANKS), self.arguments.workload, "allreduces"],
                              env=environment, capture_output=True, text=True, errors="replace", check=False,
                              stdin=subprocess.DEVNULL, timeout=SECONDS_AT_MOST)
        warnings = [line for line in done.stderr.splitlines() if line.startswith(WARNING)]
        calls, faults, _ = read_log(self.log)
        return done.returncode, warnings, calls, faults

    def contents(self):
        """Of all files, by name"""
        result = {}
        for name in os.listdir(self.folder):
            with open(os.path.join(self.folder, name), "rb") as file:
                result[name] = file.read()
        return result

    def are_whole(self):
        done = subprocess.run([self.arguments.files, self.prefix, str(RANKS)], capture_output=True, check=False)
        return done.returncode == 0

    def disturb(self, rank, fault):
        """Violations, as text"""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.mkdir(self.folder)
        self.run(rank)
        names = {f"t.{number}.events" for number in range(RANKS)}
        old = self.contents()
        code, warnings, _, faults = self.run(rank, "{}:{}:{}".format(*fault))
        now, problems = self.contents(), []
        if not faults:
            return ["the fault was not reached"]
        kept = {name for name in names & set(now) if old.get(name) == now[name]}
        is_mixed = kept and names & set(now) != kept
        # where nothing can be removed, the numbers of the jobs in the headers tell readers of it
        if is_mixed and fault[0] != "any":
            problems.append(f"files of an earlier job beside those of this one: {sorted(kept)}")
        if not is_kill(fault[2]):
            problems += [f"the job failed with exit code {code}"] if code != 0 else []
            can_remove = fault[0] not in ("any", "unlink")
            problems += [f"stray files: {len(set(now) - names)}"] if can_remove and set(now) - names else []
            is_done = names <= set(now) and not kept and self.are_whole()
            if len(warnings) != (0 if is_done else 1) and not (is_done and len(warnings) == 1):
                problems.append(f"{len(warnings)} warnings; all files are written: {is_done}")
        problems += ["half a file"] if names <= set(now) and not is_mixed and not self.are_whole() else []
        code, warnings, _, _ = self.run(rank)
        if code != 0 or warnings or not names <= set(self.contents()) or not self.are_whole():
            problems.append("the next job has not written its files")
        return problems


def main():
    parser = argparse.ArgumentParser()
    for name in ("--mpiexec", "--workload", "--files", "--library"):
        parser.add_argument(name, required=True, type=os.path.realpath)
    parser.add_argument("--every", type=int, default=1)
    arguments = parser.parse_args()
    work = os.path.realpath(tempfile.mkdtemp(prefix="changeover-event-faults-"))
    counts, violations = {}, []
    try:
        jobs = EventJobs(arguments, work)
        os.mkdir(jobs.folder)
        for rank in range(RANKS):
            faults = chosen_faults(counts_of(jobs.run(rank)[2]), arguments.every, [])
            counts[f"rank {rank}"] = collections.Counter(kind for kind, _, _ in faults)
            for fault in faults:
                violations += [Violation(f"rank {rank}", "{}:{}:{}".format(*fault), "events", text)
                               for text in jobs.disturb(rank, fault)]
    finally:
        shutil.rmtree(work)
    print_table(counts)
    print_violations(violations)
    return 1 if violations or not sum(counts.values(), collections.Counter()) else 0


if __name__ == "__main__":
    sys.exit(main())
