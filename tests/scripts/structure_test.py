#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Limits that keep the tree readable: files in a folder, lines in a file, lines in a function, lines that stand twice.

usage: structure_test.py SOURCE_FOLDER
"""
import collections
import pathlib
import re
import subprocess
import sys

MOST_FILES_IN_A_FOLDER = 25
MOST_LINES_IN_A_FILE = 450
MOST_LINES_IN_A_FUNCTION = 60
EQUAL_LINES = 6

root = pathlib.Path(sys.argv[1])
names = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True, check=True).stdout.split()
sources = [n for n in names if n.endswith((".cpp", ".hpp")) and (root / n).exists()]
product = [n for n in sources if not n.startswith("tests/")]
problems = []


def folders():
    files = collections.Counter(str(pathlib.Path(n).parent) for n in names if (root / n).exists())
    for folder, count in files.items():
        # a release of MPICH has a patch for each purpose
        if count > MOST_FILES_IN_A_FOLDER and not folder.startswith("mpich-patches/"):
            yield f"{folder} has {count} files"


def long_files():
    for name in sources:
        lines = len((root / name).read_text().splitlines())
        if lines > MOST_LINES_IN_A_FILE:
            yield f"{name} has {lines} lines"


# clang-format's style: a function starts with a line that ends in " {" and ends with "}" at the same indentation
HEAD = re.compile(r"^( {0,4})(?!namespace|struct|class|enum|union|if|for|while|switch|else|do|extern|\}|//)\w.*[\w)] \{$")


def is_table(lines):
    rows = sum(1 for line in lines if line.lstrip().startswith(("{", ".", "\"")))
    return rows > 0.9 * len(lines)


def long_functions():
    for name in product:
        start = None
        lines = (root / name).read_text().splitlines()
        for number, line in enumerate(lines, 1):
            head = HEAD.match(line)
            if head and "(" in line + " " and start is None:
                start = (number, head.group(1))
            elif start and line == start[1] + "}":
                if number - start[0] + 1 > MOST_LINES_IN_A_FUNCTION and not is_table(lines[start[0]:number - 1]):
                    yield f"{name}:{start[0]}: a function of {number - start[0] + 1} lines"
                start = None
            elif start and re.match(rf"^{start[1]}\S", line) and not line.startswith(start[1] + "}"):
                start = None  # was not a function


def is_code(line):
    line = line.strip()
    return len(re.sub(r"\W", "", line)) > 2 and not line.startswith(("//", "#include", "*", "namespace", "using ", "."))  # ".": a row of a table


def repeated_lines():
    places = collections.defaultdict(list)
    for name in product:
        code = [(i, re.sub(r"\s+", " ", line.strip())) for i, line in enumerate((root / name).read_text().splitlines(), 1) if is_code(line)]
        for at in range(len(code) - EQUAL_LINES + 1):
            run = tuple(text for _, text in code[at:at + EQUAL_LINES])
            places[run].append(f"{name}:{code[at][0]}")
    for found in places.values():
        if len(found) > 1:
            yield f"{EQUAL_LINES} equal lines: {', '.join(found)}"


for check in (folders, long_files, long_functions, repeated_lines):
    problems += check()
print(f"{len(sources)} sources looked at")
for problem in problems:
    print(problem, file=sys.stderr)
sys.exit(1 if problems or len(product) < 200 else 0)
