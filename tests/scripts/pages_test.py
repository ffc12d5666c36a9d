#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Commands on the pages start jobs by the mpiexec of the patched MPICH: a plain `mpiexec` may be of another library. A
page that means any library says so ("In this page `mpiexec` is ...").

usage: pages_test.py SOURCE_FOLDER
"""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
names = subprocess.run(["git", "-C", root, "ls-files", "*.md"], capture_output=True, text=True, check=True).stdout.split()
# of a command: behind variables that are set for it
PLAIN = re.compile(r"^    +(\$ )?([A-Z_]+=\S* +)*mpiexec ")
problems = []
for name in names:
    text = (root / name).read_text()
    if "In this page `mpiexec` is" in text:
        continue
    problems += [f"{name}:{number}: use $prefix/bin/mpiexec: {line.strip()}"
                 for number, line in enumerate(text.splitlines(), 1) if PLAIN.match(line)]
print(f"{len(names)} pages looked at")
for problem in problems:
    print(problem, file=sys.stderr)
sys.exit(1 if problems or len(names) < 10 else 0)
