#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do verified gains hold in later jobs? Measures every verified size of a run's rules in new jobs that read its
tuning.json, and prints how many verified intervals hold the median of these jobs, and at how many sizes calls in a row
agree that it is a gain. For runs of hydra's fork launcher.
usage: later_jobs.py MPIEXEC BENCHMARK RUN [--jobs 6] [--pairs 30] [--calls-in-a-row 20]"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("mpiexec")
parser.add_argument("benchmark")
parser.add_argument("run", type=pathlib.Path)
parser.add_argument("--jobs", type=int, default=6)
parser.add_argument("--pairs", type=int, default=30)
parser.add_argument("--calls-in-a-row", type=int, default=20)
parser.add_argument("--least-share", type=float, default=0, help="exit code 1 if fewer intervals hold")
options = parser.parse_args()

config = json.loads((options.run / "config.json").read_text())
proofs = json.loads((options.run / "verification.json").read_text())["proofs"]
manifest = json.loads((options.run / "manifest.json").read_text())
networks = {network["name"]: network for network in manifest["cluster"]["networks"]}
reductions = {"reduce", "allreduce", "reduce_scatter", "reduce_scatter_block", "scan", "exscan"}


def proofs_of(rule):
    return [proof for proof in proofs
            if all(proof[key] == rule[key] for key in ("network", "nodes", "ppn", "mapping", "collective", "algorithm"))
            and rule["from_bytes"] <= proof["bytes"] <= rule["to_bytes"] and not proof.get("same_algorithm")]


def log_ratios(rule, sizes, pairs, calls):
    """By size: the median of log(default / tuned) of one new job"""
    network = networks[rule["network"]]
    environment = dict(os.environ, **network.get("environment", {}), MPIR_CVAR_COLL_TUNING_NETWORK=rule["network"],
                       MPIR_CVAR_COLL_TUNING_FILE=str((options.run / "tuning.json").resolve()))
    hosts = ",".join(f"node{i}:{rule['ppn']}" for i in range(rule["nodes"]))
    interface = network.get("interface", "lo")
    command = [options.mpiexec, "-launcher", "fork", "-iface", interface, "-hosts", hosts,
               "-n", str(rule["nodes"] * rule["ppn"]), options.benchmark, rule["collective"],
               "--sizes", ",".join(map(str, sizes)), "--algorithms", "default,tuned", "--order", "pairs",
               "--min-repetitions", str(pairs), "--max-repetitions", str(pairs), "--precision", "1e-9",
               "--max-seconds", "60", "--calls-in-a-row", str(calls), "--interface", interface, "--format", "json"]
    if rule["collective"] in reductions:
        command += ["--datatype", "float"]
    output = subprocess.run(command, env=environment, capture_output=True, text=True)
    if output.returncode != 0:
        sys.exit(f"{' '.join(command)}: {output.stderr}")
    times = {}
    for line in output.stdout.splitlines():
        answer = json.loads(line)
        if answer.get("type") == "case":
            times[answer["bytes"], answer["algorithm"]] = answer["samples_us"]
    return {size: statistics.median(math.log(a / b) for a, b in zip(times[size, "default"], times[size, "tuned"]))
            for size in sizes}


held = sizes_seen = agree = 0
for rule in config["rules"]:
    of_rule = proofs_of(rule)
    sizes = sorted(proof["bytes"] for proof in of_rule)
    if not sizes:
        continue
    jobs = [log_ratios(rule, sizes, options.pairs, 1) for _ in range(options.jobs)]
    rows = [log_ratios(rule, sizes, 4, options.calls_in_a_row) for _ in range(3)]
    for proof in of_rule:
        later = math.exp(statistics.median(job[proof["bytes"]] for job in jobs))
        in_a_row = math.exp(statistics.median(job[proof["bytes"]] for job in rows))
        low, high = proof["interval"]
        holds = low <= later <= high
        sizes_seen += 1
        held += holds
        agree += in_a_row > 1
        print(f"{rule['collective']:22} {rule['nodes']}x{rule['ppn']} {proof['bytes']:8} {rule['algorithm']:38} verified "
              f"{proof['default_by_tuned']:.3f} ({low:.3f} to {high:.3f}), {options.jobs} later jobs {later:.3f}"
              f"{'' if holds else ' OUTSIDE'}, {options.calls_in_a_row} calls in a row {in_a_row:.3f}"
              f"{'' if in_a_row > 1 else ' SLOWER'}", flush=True)
if sizes_seen == 0:
    sys.exit("the run has no verified size")
print(f"{held} of {sizes_seen} verified intervals ({100 * held / sizes_seen:.0f}%) hold the median of {options.jobs} later jobs; "
      f"calls in a row are faster at {agree} of {sizes_seen}")
sys.exit(held < options.least_share * sizes_seen)
