# SPDX-License-Identifier: MIT
"""The commands that are disturbed, what each starts from, and how they are run: in a box (a folder of its own), with
the preloaded library that injects faults into calls on files of the box."""
import collections
import json
import os
import shutil
import subprocess

SECONDS_AT_MOST = 60  # of a command that takes 0.2 s: it hangs

COLLECTIVES = ("bcast", "allgather", "allreduce")  # the rule of the last one is rejected when it is verified
PLAN = {"collectives": [{"name": name, "max_bytes": "1Mi"} for name in COLLECTIVES],
        "size_step": 64, "changeover_factor": 3, "verify_repetitions": 12, "verify_sizes": 2,
        "arrivals": ["one-late:0.5"], "guidelines": False}

Scenario = collections.namedtuple("Scenario", "name base arguments phase output writes_once", defaults=[False])
# base: what is in the box before; output: the run directory or the file that the command writes; writes_once: done, it
# refuses to do it again
SCENARIOS = [
    Scenario("tune", "nothing", ["tune", "--cluster", "{work}/cluster.json", "--plan", "{work}/plan.json",
                                 "--run", "{box}/run"], "before", "run"),
    Scenario("verify", "decided", ["verify", "--run", "{box}/run"], "before", "run"),
    Scenario("verify again", "tuned", ["verify", "--run", "{box}/run"], "before", "run"),
    Scenario("check --retune", "tuned", ["check", "--retune", "--run", "{box}/run"], "after", "run"),
    Scenario("combine", "two runs", ["combine", "{box}/run", "{box}/other", "-o", "{box}/both"], "before", "both",
             True),
    Scenario("emit mpich", "emitted", ["emit", "--run", "{box}/run", "--format", "mpich", "-o", "{box}/out/tuned"],
             "before", "out/tuned"),
    Scenario("emit env", "emitted", ["emit", "--run", "{box}/run", "--format", "env", "-o", "{box}/out/tuned"],
             "before", "out/tuned"),
]

# exit: as of subprocess, None if it hung; calls, faults, synced: of the log; answers: requests that the benchmark
# has answered
Result = collections.namedtuple("Result", "exit out error calls faults synced answers")
Call = collections.namedtuple("Call", "kind needs_space path")
Fault = collections.namedtuple("Fault", "kind number action path")


class Programs:
    """Paths of the program, the preloaded library and the benchmark; and the folder to work in"""

    def __init__(self, changeover, library, bench, work):
        self.changeover, self.library, self.bench, self.work = changeover, library, bench, work
        os.makedirs(work, exist_ok=True)
        cluster = {"hosts": ["a", "b"], "launcher": {"kind": "hydra-fork", "program": bench},
                   "mpi": {"benchmark": bench, "changeover": changeover},
                   "networks": [{"name": "net"}], "layouts": [{"nodes": 2, "ppn": 1}]}
        for name, content in (("cluster.json", cluster), ("plan.json", PLAN)):
            with open(os.path.join(work, name), "w", encoding="utf-8") as file:
                json.dump(content, file)

    def run(self, box, arguments, phase="before", fault=None):
        """One command in a box; arguments may name {work} and {box}"""
        log, bench_log = box + ".log", box + ".bench"
        for name in (log, bench_log):
            if os.path.exists(name):
                os.unlink(name)
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("SLURM_", "FAULT"))}
        environment.update({"LD_PRELOAD": self.library, "FAULT_PROGRAM": os.path.basename(self.changeover),
                            "FAULT_FOLDER": box, "FAULT_LOG": log, "BENCH_LOG": bench_log, "BENCH_PHASE": phase,
                            "ASAN_OPTIONS": "verify_asan_link_order=0:" + os.environ.get("ASAN_OPTIONS", "")})
        if fault:
            environment["FAULT"] = fault
        filled = [argument.format(work=self.work, box=box) for argument in arguments]
        child = subprocess.Popen([self.changeover, *filled], env=environment, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
        try:
            out, error = child.communicate(timeout=SECONDS_AT_MOST)
            status = child.returncode
        except subprocess.TimeoutExpired:
            child.kill()
            out, error = child.communicate()
            status = None
        return Result(status, out, error, *read_log(log), read_lines(bench_log))


def read_lines(name):
    if not os.path.exists(name):
        return []
    with open(name, encoding="utf-8") as file:
        return file.read().splitlines()


def read_log(name):
    calls, faults, synced = [], [], {}
    for line in read_lines(name):
        what, *fields = line.split("\t")
        if what == "call":
            calls.append(Call(fields[0], fields[1] == "space", fields[2]))
        elif what == "fault":
            faults.append(Fault(fields[0], int(fields[1]), fields[2], fields[3]))
        else:
            synced[fields[1]] = int(fields[0])
    return calls, faults, synced


class Bases:
    """What a box has before a command is disturbed, by name; made once by the undisturbed program"""

    def __init__(self, programs):
        self.folder = os.path.join(programs.work, "bases")
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.of("nothing"))

        def make(name, start, *commands):
            shutil.copytree(self.of(start), self.of(name))
            for arguments in commands:
                result = programs.run(self.of(name), arguments)
                if result.exit != 0:
                    raise SystemExit(f"{arguments} failed without any fault: exit {result.exit}\n{result.error}")

        tune = SCENARIOS[0].arguments
        measure = ["run", *tune[1:]]
        make("decided", "nothing", measure, ["decide", "--run", "{box}/run"])
        make("tuned", "nothing", tune)
        make("two runs", "tuned", [*tune[:-1], "{box}/other"])
        make("emitted", "tuned")
        os.mkdir(os.path.join(self.of("emitted"), "out"))
        with open(os.path.join(self.of("emitted"), "out/tuned"), "w", encoding="utf-8") as file:
            file.write("what a job reads until now\n")

    def of(self, name):
        return os.path.join(self.folder, name.replace(" ", "-"))

    def fill(self, box, name):
        shutil.rmtree(box, ignore_errors=True)
        shutil.copytree(self.of(name), box)
