#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs that are killed at every stage and resumed by the same command: nothing that was measured is lost or measured
again, no process is left, what production jobs read only ever holds verified rules, and the result is that of a run
that nobody killed.

usage: kills_test.py --changeover PROGRAM --launcher NAME [--program MPIEXEC] [--benchmark PROGRAM] [--kills N] [--seed N]
With a real benchmark, whose times nobody knows before, it is compared what does not depend on times, and nothing is stale.
The seed chooses stages, victims and events; events are counted, so that a seed kills at the same places again.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import sys
import tempfile
import time

import journal
import processes
from watched_run import Kill, WatchedRun

HERE = pathlib.Path(__file__).resolve().parent
FAKE = str(HERE / "fake_job")
ALL = ("tuner", "launcher", "proxy", "rank", "rank 0")
TUNER = ("tuner",)
WITHOUT_PROXY = tuple(name for name in ALL if name != "proxy")
# stage, its part of a run, victims, how often in a round of kills. Where no job runs, there is only the tuner.
TUNE = (("network", "network", ALL, 1), ("search", "search", ALL, 1), ("decide", "decide", TUNER, 2),
        ("verify", "verify", ALL, 1), ("write", "write", TUNER, 5), ("report", "report", TUNER, 2))
RETUNE = (("retune", "check", ALL, 1), ("retune", "stale", TUNER, 1), ("retune", "network", TUNER, 1),
          ("retune", "search", ALL, 1), ("retune", "verify", ALL, 1), ("retune", "write", TUNER, 4),
          ("retune", "retuned", TUNER, 1))
PLAN = {"collectives": [{"name": name, "max_bytes": "1Mi"} for name in ("bcast", "allgather", "allreduce")],
        "size_step": 64, "changeover_factor": 3, "verify_repetitions": 15, "verify_sizes": 2,
        "arrivals": ["one-late:0.5"], "guidelines": False}
# all that is measured of it does not depend on times, but for the sizes at which rules are verified
REAL_PLAN = {"collectives": [{"name": "bcast", "max_bytes": "64Ki"}, {"name": "allreduce", "max_bytes": "4Ki"}],
             "exhaustive": True, "changeover_factor": 8, "case_seconds": 0.02, "min_repetitions": 6, "verify_repetitions": 12, "verify_sizes": 2,
             "arrivals": ["one-late:0.5", "random:2"], "guidelines": False}


def times(bcast_base_us):
    """Rules for bcast and allgather hold; that for allreduce is slower when it is verified"""
    def table(name, other, base_us):
        return {"default": [100, 1, name], name: [100, 1], other: [base_us, 0.5]}
    return {"bcast": table("binomial", "scatter_ring_allgather", bcast_base_us),
            "allgather": table("ring", "brucks", 150),
            "allreduce": table("recursive_doubling", "reduce_scatter_allgather", 150),
            "allreduce when verified": {"reduce_scatter_allgather": [300, 2]}}


LAUNCHERS = {
    "hydra": ({"kind": "hydra-fork"}, [{"name": name, "slots": 2} for name in "ab"], (2, 2), ALL),
    "hydra-slurm": ({"kind": "hydra-slurm"}, "slurm", (2, 2), ALL),
    "srun": ({"kind": "slurm", "arguments": ["--mpi=pmi2"]}, "slurm", (2, 2), WITHOUT_PROXY),
    "openmpi": ({"kind": "openmpi", "arguments": ["--oversubscribe"]}, [{"name": "localhost", "slots": 4}], (1, 4),
                WITHOUT_PROXY),
    "openmpi-slurm": ({"kind": "openmpi", "arguments": ["--oversubscribe"]}, "slurm", (2, 2), ALL),
}


def cluster(options, control, is_stubborn):
    launcher, hosts, (nodes, ppn), _ = LAUNCHERS[options.launcher]
    environment = {"KILLS_CONTROL": str(control), "KILLS_NODES": str(nodes), "KILLS_PPN": str(ppn)}
    if is_stubborn:
        environment["KILLS_STUBBORN"] = "1"
    if launcher["kind"] == "openmpi":
        environment["KILLS_LIBRARY"] = "Open MPI v4.1.0, fake"
    return {"hosts_from" if hosts == "slurm" else "hosts": hosts,
            "launcher": {**launcher, **({"program": options.program} if options.program else {})},
            "mpi": {"benchmark": options.benchmark, "changeover": options.changeover},
            "networks": [{"name": "net", "environment": environment}],
            "layouts": [{"nodes": nodes, "ppn": ppn}]}


def content(path):
    return json.loads(path.read_text()) if path.exists() else None


def rules_of(tuning_text):
    return json.loads(tuning_text)["mpir"]


JOBS_OF_A_PROOF = 6  # at most; how many it takes depends on measured times
PROOFS = '"verify"', '"arrivals"'


def most_times(key):
    return JOBS_OF_A_PROOF if key[1] in PROOFS else 1


class Outcome:
    """Of a finished command: what a run that was killed must have in common with one that was not"""

    def __init__(self, folder):
        config = content(folder / "config.json")
        self.measured = journal.measured(journal.Journal(folder / "samples.jsonl").grow())
        self.files = {path.name for path in folder.iterdir()}
        self.rules = config["rules"]
        self.is_verified = config["verified"]
        self.checksum = config["checksum"]
        self.tuning = content(folder / "tuning.json")


class Test:
    def __init__(self, options):
        self.options = options
        self.is_real = options.benchmark != FAKE
        self.random = random.Random(options.seed)
        self.kills = collections.Counter()
        self.late = 0
        self.violations = []
        self.points = []
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="kills-"))
        self.runs = 0

    # --- a run ---

    def start_run(self):
        self.runs += 1
        top = self.work / f"{self.runs}"
        folder, control = top / "run", top / "control"
        folder.mkdir(parents=True)
        control.mkdir()
        is_stubborn = self.random.random() < 0.2
        (top / "cluster.json").write_text(json.dumps(cluster(self.options, control, is_stubborn)))
        (top / "plan.json").write_text(json.dumps(REAL_PLAN if self.is_real else PLAN))
        run = WatchedRun(folder, control, self.options.benchmark, self.random)
        run.name = f"run {self.runs}"
        run.told = []
        return run

    def commands(self, run):
        top = run.folder.parent
        files = ["--cluster", top / "cluster.json", "--plan", top / "plan.json"]
        return [[self.options.changeover, *words, "--run", run.folder] for words in (["tune", *files], ["check", "--retune"])]

    def violation(self, run, text):
        self.violations.append(f"{run.name}: {text}; after: {'; '.join(run.told) or 'no kill'}")
        print("VIOLATION", self.violations[-1], file=sys.stderr, flush=True)

    def is_good(self, run):
        return not any(text.startswith(run.name + ":") for text in self.violations)

    def set_times(self, run, bcast_base_us):
        new = run.control / "times.new"
        new.write_text(json.dumps(times(bcast_base_us)))
        new.rename(run.control / "times.json")

    # --- kills ---

    def round_of_points(self):
        """Each stage with each victim, but one proxy only: hydra does not notice it, and the tuner waits for half a minute"""
        victims = LAUNCHERS[self.options.launcher][3]
        points = [(rows, row, victim) for rows in (TUNE, RETUNE)[:1 if self.is_real else 2] for row in rows
                  for victim in row[2] if victim in victims for _ in range(row[3])]
        self.random.shuffle(points)
        proxies = [point for point in points if point[2] == "proxy"]
        seen = collections.Counter()
        numbered = []
        for point in points:
            if point not in proxies[1:]:
                seen[point[1]] += 1
                numbered.append((seen[point[1]], point))
        return [point for _, point in sorted(numbered, key=lambda pair: pair[0])]  # few kills are in many stages

    def next_points(self, rows, wanted):
        """In the order of the run"""
        if not self.points:
            self.points = self.round_of_points()
        taken = [point for point in self.points if point[0] is rows][:wanted]
        for point in taken:
            self.points.remove(point)
        return sorted(((rows.index(row), victim) for _, row, victim in taken), key=lambda point: point[0])

    def kill_at(self, row, victim, run, before):
        """None: the stage is over, or nothing in it can be counted"""
        stage, part = row[0], row[1]
        kill = Kill(stage, part, victim)
        kill.delay_seconds = self.random.choice((0, 0, self.random.uniform(0, 0.01)))
        if part in ("decide", "write", "report"):
            kill.hook = part
            events = {"decide": 1, "write": 20 if self.groups(run, "verify") else 9, "report": 3}
            kill.number = self.random.randint(1, events[part])
        elif part in ("stale", "retuned"):
            kill.hook = "line"
        else:
            left = before.get(part, 0) - self.groups(run, part)
            if left <= 0:
                return None
            kill.number = self.random.randint(1, left)
            kill.phase = self.random.choice(("before", "middle"))
            if self.is_real or self.random.random() < 0.25:
                kill.hook = self.random.choice(("job", "line"))
                kill.number = 1 if kill.hook == "job" else self.random.randint(1, left)
                kill.delay_seconds = self.random.uniform(0, 0.2 if kill.hook == "job" else 0.01)
        return kill

    def groups(self, run, stage):
        lines = journal.Journal(run.folder / "samples.jsonl").grow()[run.from_line:]
        return len({line["group"] for line in lines if line["type"] == "case" and line["stage"] == stage})

    def kept(self, run):
        path = run.folder / "samples.jsonl"
        return journal.whole_part(path.read_bytes()) if path.exists() else b""

    def kills_of(self, run, rows, points, reference):
        """Those that can still be, when they are asked for"""
        while points:
            index, victim = points.pop(0)
            if kill := self.kill_at(rows[index], victim, run, reference.groups):
                yield kill

    def step(self, run, command, kills=iter(())):
        """The exit code of one start; all that was measured before must be there after it"""
        before = self.kept(run)
        start = time.monotonic()
        code = run.run(command, kills)
        if self.options.verbose:
            print(f"{time.monotonic() - start:6.1f} s, exit code {code}: {'; '.join(map(str, run.struck))}", flush=True)
        if not self.kept(run).startswith(before):
            self.violation(run, "something that was measured is lost")
        for kill in run.struck:
            self.kills[kill.stage, kill.victim] += 1
            run.told.append(str(kill))
        if code is None:
            self.violation(run, "it hangs")
        return code

    def run_and_kill(self, run, command, rows, points, reference):
        """Kills in the order of the run, each of the tuner followed by the same command"""
        kills = self.kills_of(run, rows, points, reference)
        code = -1
        while points and code not in (0, None):
            code = self.step(run, command, kills)
            if code not in (0, None) and not any(kill.victim == "tuner" for kill in run.struck) \
                    and not self.killed_both_starts(run, code):
                self.violation(run, f"exit code {code}: {self.last_words(run)}")
        self.late += len(points)
        code = self.step(run, command)
        if code != 0:
            self.violation(run, f"the last resume ends with exit code {code}: {self.last_words(run)}")

    def killed_both_starts(self, run, code):
        """A job is started twice; if both starts were killed, the user is told how to resume"""
        words = self.last_words(run)
        return code == 1 and len(run.struck) >= 2 and "did not start" in words and "resume with: changeover tune" in words

    def last_words(self, run):
        return " | ".join((run.control / "stderr").read_text().splitlines()[-3:])

    # --- what must hold ---

    def check_end(self, run, reference, allowed):
        """`allowed`: verified rules, which tuning.json may have had; gets those of this run"""
        for process in processes.with_variable("KILLS_CONTROL", run.control):
            self.violation(run, f"process {process.pid} is left: {b' '.join(process.arguments)[:200]}")
        lines = journal.Journal(run.folder / "samples.jsonl").grow()
        if journal.open_jobs(lines):
            self.violation(run, f"jobs are open in the journal: {journal.open_jobs(lines)}")
        try:
            outcome = Outcome(run.folder)
        except (OSError, TypeError) as error:
            self.violation(run, f"not complete: {error}")
            return
        crashed = [line for line in lines if line.get("status") == "crashed"]
        is_same = not (self.is_real or crashed)  # after a message that could not be measured, others are asked for
        more = outcome.measured - (reference.measured if is_same else
                                   collections.Counter({key: most_times(key) for key in outcome.measured}))
        wanted = reference.measured if is_same else collections.Counter(set(reference.measured))
        less = {key: n for key, n in (wanted - outcome.measured).items()
                if not (crashed and key[1] == '"network"') and not (self.is_real and key[1] in PROOFS)}
        if more:
            self.violation(run, f"measured again: {list(more.items())[:3]} ({len(more)})")
        if outcome.files != reference.files:
            self.violation(run, f"other files: {sorted(outcome.files ^ reference.files)}")
        if not outcome.is_verified:
            self.violation(run, "config.json is not verified")
        if is_same and outcome.rules != reference.rules:
            self.violation(run, "other rules than without kills")
        if len(less) > len(crashed):
            self.violation(run, f"not measured: {list(less.items())[:3]} ({len(less)})")
        if outcome.tuning and outcome.tuning["info"]["checksum"] != outcome.checksum:
            self.violation(run, "tuning.json is not that of config.json")
        if outcome.tuning and not is_same:
            allowed.append(outcome.tuning["mpir"])
        for text in run.seen:
            if rules_of(text) not in allowed:
                self.violation(run, f"tuning.json had rules that are not verified: {rules_of(text)}")
        run.seen.clear()

    def reference_run(self):
        run = self.start_run()
        run.name = "reference"
        start = time.monotonic()
        self.set_times(run, 150)
        tune, retune = self.commands(run)
        run.from_line = 0
        results = []
        for command in (tune, retune)[:1 if self.is_real else 2]:
            code = run.run(command)
            if code != 0:
                sys.exit(f"the run that is not killed ends with exit code {code}: {self.last_words(run)}")
            outcome = Outcome(run.folder)
            outcome.groups = {stage: self.groups(run, stage) for stage in ("network", "search", "verify", "check")}
            lines = journal.Journal(run.folder / "samples.jsonl").grow()
            outcome.count = collections.Counter(line["stage"] for line in lines if line["type"] == "case")
            run.from_line = len(lines)
            results.append(outcome)
            self.set_times(run, 300)
        print(f"{self.options.launcher}: without kills {time.monotonic() - start:.1f} s, "
              f"{[sum(o.measured.values()) for o in results]} cases, rules {[len(o.rules) for o in results]}", flush=True)
        return results

    def one_run(self, tuned, retuned=None):
        run = self.start_run()
        self.set_times(run, 150)
        tune, retune = self.commands(run)
        run.from_line, run.expected = 0, tuned.count
        wanted = 6 if self.is_real else self.random.choice((1, 3, 6))
        self.run_and_kill(run, tune, TUNE, self.next_points(TUNE, wanted), tuned)
        verified = [tuned.tuning["mpir"]] if tuned.tuning and not self.is_real else []
        self.check_end(run, tuned, verified)
        self.set_times(run, 300)
        points = self.next_points(RETUNE, self.random.choice((1, 2, 4))) if retuned else []
        if points and self.is_good(run):
            run.from_line = len(journal.Journal(run.folder / "samples.jsonl").grow())
            run.expected = retuned.count
            self.run_and_kill(run, retune, RETUNE, points, retuned)
            self.check_end(run, retuned, verified + ([retuned.tuning["mpir"]] if retuned.tuning else []))
        if self.is_good(run):
            shutil.rmtree(run.folder.parent)

    def run(self):
        start = time.monotonic()
        references = self.reference_run()
        while sum(self.kills.values()) < self.options.kills and len(self.violations) < 5:
            self.one_run(*references)
            if self.options.verbose:
                print(f"{sum(self.kills.values())} kills so far", flush=True)
        for (stage, victim), count in sorted(self.kills.items()):
            print(f"{self.options.launcher:14} {stage:8} {victim:9} {count}")
        print(f"{self.options.launcher}: {sum(self.kills.values())} kills in {self.runs} runs, {self.late} not reached, "
              f"{len(self.violations)} violations, {time.monotonic() - start:.0f} s, seed {self.options.seed}")
        if self.violations:
            print(f"kept: {self.work}", file=sys.stderr)
            return 1
        shutil.rmtree(self.work)
        return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--changeover", required=True)
    parser.add_argument("--launcher", required=True, choices=LAUNCHERS)
    parser.add_argument("--program", help="the launcher, if it is not the one that changeover knows")
    parser.add_argument("--benchmark", default=FAKE)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true", help="a line for each start")
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    return Test(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
