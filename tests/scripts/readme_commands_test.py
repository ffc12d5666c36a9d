#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Executes the commands of README.md, from its text, in a folder that looks like the project's.

Indented blocks are commands; in a block whose first line starts with `$ `, lines without it are output. What takes long
or needs a cluster is executed by other tests, which are named below.

usage: readme_commands_test.py SOURCE_FOLDER BUILD_FOLDER MPICH_PREFIX
"""
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

source, build, prefix = (pathlib.Path(a).resolve() for a in sys.argv[1:])

# Start of a command: who executes it
ELSEWHERE = {
    "scripts/quickstart": "scripts.fresh_machine",
    "scripts/test": "is what runs this",
    "scripts/setup": "scripts.fresh_machine",
    "scripts/reproduce-thesis": "people: 8 minutes",
    "scripts/lab": "lab.*",
    "cmake": "scripts/test --device",
    "salloc": "slurm.jobs",
    "sbatch": "slurm.resume",
    "build/bin/changeover-micro": "people: minutes",
    "export CHANGEOVER_CACHE_DIR": "set for the build of the cluster's MPICH",
}


def blocks(text):
    found, current = [], []
    for line in text.splitlines() + [""]:
        if line.startswith("    ") and (current or not previous.strip()):
            current.append(line[4:])
        elif line.strip() or not current:
            if current:
                found.append(current)
            current = []
        previous = line
    return found


def commands_of(block):
    """A command may go on in the next line, behind a backslash."""
    lines = [line.strip() for line in block]
    if lines[0].startswith("$ "):
        lines = [line[2:] for line in lines if line.startswith("$ ")]
    elif re.match(r"[{\[\"|]", lines[0]):
        return []  # a file
    return [c for c in "\n".join(lines).replace("\\\n", "").split("\n") if c and not c.startswith("#")]


APP = """#include <mpi.h>
int main(int argc, char **argv) {
    double value = 1;
    MPI_Init(&argc, &argv);
    MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return MPI_Finalize();
}
"""


def prepare(folder):
    """What the README takes for granted: the project, a program, a cluster file, and runs that were measured before."""
    for name in ("scripts", "tuner", "bench", "mpich-patches"):
        (folder / name).symlink_to(source / name)
    (folder / "build").symlink_to(build)
    (folder / "app.c").write_text(APP)
    (folder / "cluster.json").write_text(
        '{"hosts": [{"name": "a", "slots": 2}, {"name": "b", "slots": 2}], "launcher": {"kind": "hydra-fork"},\n'
        ' "layouts": [{"nodes": 2, "ppn": 1}, {"nodes": 2, "ppn": 2}]}\n')
    for run in (["--plan", "quick", "--budget", "60s", "--run", "tuned"],
                ["--cluster", "cluster.json", "--plan", "standard", "--collectives", "bcast", "--budget", "25s", "--run",
                 "shared/changeover/tuned"]):
        subprocess.run([build / "bin/changeover", "tune", *run], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
    shutil.copytree(folder / "tuned", folder / "other")
    (folder / "shared/modulefiles").mkdir()


# What stands for something else on every machine
def made_local(command, folder):
    return command.replace("/shared/", f"{folder}/shared/").replace("--network NAME", "--network default").replace(
        "scripts/mpich-prefix)", "scripts/mpich-prefix build)").replace("--budget 2h", "--collectives bcast --budget 25s")


def main():
    commands = [c for block in blocks((source / "README.md").read_text()) for c in commands_of(block)]
    here = [c for c in commands if not any(c.startswith(start) for start in ELSEWHERE)]
    with tempfile.TemporaryDirectory(prefix="changeover-readme-") as name:
        prepare(pathlib.Path(name))
        # in one shell: they set variables for each other. Exit code 3 is an answer of check, not a failure.
        script = "".join(f"{made_local(c, name)}\ncode=$?; ((code == 0 || code == 3)) || failed+=({shlex.quote(c)})\n"
                         for c in here)
        script = "failed=()\n" + script + 'printf "FAILED: %s\\n" "${failed[@]}" >"$PWD/failed"\nexit ${#failed[@]}\n'
        result = subprocess.run(["bash", "-c", script], cwd=name, text=True, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
        if result.returncode != 0:
            print(result.stdout[-6000:])
            print((pathlib.Path(name) / "failed").read_text())
    print(f"{len(here)} commands executed, {result.returncode} failed; {len(commands) - len(here)} are executed by other tests")
    return 1 if result.returncode != 0 or len(here) < 12 else 0


sys.exit(main())
