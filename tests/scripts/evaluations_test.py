#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables of the evaluation scripts, from times that are made up: nothing is measured where all is there already.

usage: evaluations_test.py SOURCE_FOLDER
"""
import json
import pathlib
import subprocess
import sys
import tempfile

SCRIPTS = pathlib.Path(sys.argv[1]) / "scripts"
failures = 0


def expect(what, text, *parts):
    global failures
    for part in parts:
        if part not in text:
            failures += 1
            print(f"FAILED: {what}: no '{part}' in\n{text}", file=sys.stderr)


def output_of(script, *arguments, status=0):
    done = subprocess.run([SCRIPTS / script, *arguments], capture_output=True, text=True)
    if done.returncode != status:
        sys.exit(f"FAILED: {script}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


with tempfile.TemporaryDirectory() as work:
    folder = pathlib.Path(work)
    (folder / "node").mkdir()
    noise = [1.00, 1.02, 0.98, 1.01, 0.99, 1.00]
    for program, tuned in (("cg", 0.8), ("fft", 1.0), ("training", 1.25)):
        (folder / f"node/{program}.jsonl").write_text("".join(
            json.dumps({"default": 10 * noise[i], "tuned": 10 * tuned * noise[(i + 3) % 6]}) + "\n" for i in range(6)))
    programs = [word for name in ("cg", "fft", "training") for word in ("--program", name)]
    text = output_of("evaluate-programs", "--place", "node", "--pairs", "6", *programs, work)
    expect("programs", text, "| cg | 6 | 10.00 s (9.8", "8.00 s (7.90 to 8.10)")
    # the logarithms of six ratios: mean ln 1.25, standard deviation 0.0236; t of five is 2.571
    expect("programs: faster", text, "| 1.250 (1.219 to 1.281) | faster |")
    expect("programs: equal", text, "| 1.000 (0.976 to 1.025) | no difference shown |")
    expect("programs: slower", text, "| 0.800 (0.780 to 0.820) | slower |")
    expect("programs: wrong use", output_of("evaluate-programs", status=2), "usage: scripts/evaluate-programs")

with tempfile.TemporaryDirectory() as work:
    def calls(tuned):
        return "".join(json.dumps({"arrival": arrival, "collective": "bcast", "bytes": 360, "used": "smp",
                                   "default": [100 + i % 3 for i in range(20)], "tuned": [factor * (100 + i % 3) for i in range(20)]}) + "\n"
                       for arrival, factor in tuned.items())
    (pathlib.Path(work) / "harm-eth-4x1.jsonl").write_text(calls({"together": 0.5, "half:2": 1.2}))
    text = output_of("evaluate-arrivals", "--harm", "--network", "eth", "--layout", "4x1", "--arrival", "half:2", work)
    expect("harm: none", text, "| eth 4x1 | together | 1 | 2.00 | 0 (0) |")
    expect("harm: found", text, "| eth 4x1 | half:2 | 1 | 0.83 | 1 (1) | bcast 360 smp: 1.20 (1.20 to 1.20) times the default |")

sys.exit(1 if failures else 0)
