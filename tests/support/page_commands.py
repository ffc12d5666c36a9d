#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Executes the commands of a page, from its text, in a folder that has what the page takes for granted.

Indented blocks are commands; in a block whose first line starts with `$ `, lines without it are output. What `$ cat FILE`
shows is written to that file before.

usage: page_commands.py PAGE [--replace "WRITTEN => MEANT"]... [--elsewhere START]... [--least N]
Works in the current folder. Commands with one of the starts are executed by other tests.
"""
import argparse
import pathlib
import re
import shlex
import subprocess
import sys


def blocks(text):
    found, current, previous = [], [], ""
    for line in text.splitlines() + [""]:
        if line.startswith("    ") and (current or not previous.strip()):
            current.append(line[4:])
        elif line.strip() or not current:
            if current:
                found.append(current)
            current = []
        previous = line
    return found + ([current] if current else [])


def commands_of(block):
    """A command may go on in the next line, behind a backslash."""
    lines = [line.strip() for line in block]
    if lines[0].startswith("$ "):
        lines = [line[2:] for line in lines if line.startswith("$ ")]
    elif re.match(r"[{\[\"|]", lines[0]):
        return []  # a file
    return [c for c in "\n".join(lines).replace("\\\n", "").split("\n") if c and not c.startswith("#")]


def commands_in(page):
    return [c for block in blocks(page.read_text()) for c in commands_of(block)]


def files_in(page):
    """Names and contents of files that the page shows"""
    found = {}
    for block in blocks(page.read_text()):
        name = None
        for line in block:
            if line.lstrip().startswith("$ "):
                shown = re.fullmatch(r"\$ cat (\S+)", line.strip())
                name = shown and shown.group(1)
            elif name:
                found[name] = found.get(name, "") + line + "\n"
    return found


def replaced(command, pairs):
    """What stands for something else on every machine, in this order"""
    for written, meant in pairs:
        command = command.replace(written, meant)
    return command


def execute(commands, pairs, folder):
    """The commands that failed, and what all of them have printed. They are executed in one shell, since they set
    variables for each other. Exit code 3 is an answer of check, not a failure."""
    script = "".join(f"{replaced(c, pairs)}\ncode=$?; ((code == 0 || code == 3)) || failed+=({shlex.quote(c)})\n"
                     for c in commands)
    names = pathlib.Path(folder) / "failed-commands"
    script = "failed=()\n" + script + f'((${{#failed[@]}} == 0)) || printf "%s\\n" "${{failed[@]}}" >{shlex.quote(str(names))}\n'
    result = subprocess.run(["bash", "-c", script], cwd=folder, text=True, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    failed = names.read_text().splitlines() if names.exists() else []
    return failed or (["the shell"] if result.returncode != 0 else []), result.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--replace", action="append", default=[])
    parser.add_argument("--elsewhere", action="append", default=[])
    parser.add_argument("--least", type=int, default=1)
    options = parser.parse_args()
    here = [c for c in commands_in(options.page) if not c.startswith(tuple(options.elsewhere))]
    for name, text in files_in(options.page).items():
        pathlib.Path(name).write_text(text)
    failed, output = execute(here, [r.split(" => ", 1) for r in options.replace], pathlib.Path.cwd())
    print(output)
    for command in failed:
        print("FAILED:", command)
    print(f"{len(here)} commands of {options.page.name} executed, {len(failed)} failed")
    return 1 if failed or len(here) < options.least else 0


if __name__ == "__main__":
    sys.exit(main())
