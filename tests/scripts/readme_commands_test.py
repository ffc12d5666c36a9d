#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Executes the commands of README.md, from its text, in a folder that looks like the project's.

What takes long or needs a cluster is executed by other tests, which are named below.

usage: readme_commands_test.py SOURCE_FOLDER BUILD_FOLDER MPICH_PREFIX
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import page_commands  # noqa: E402

source, build, prefix = (pathlib.Path(a).resolve() for a in sys.argv[1:])

# Start of a command: who executes it
ELSEWHERE = {
    "scripts/quickstart": "scripts.fresh_machine",
    "scripts/test": "is what runs this",
    "scripts/setup": "scripts.fresh_machine",
    "scripts/reproduce-thesis": "people: 8 minutes",
    "scripts/lab": "lab.*",
    "cmake": "scripts/test --device",
    "build/bin/changeover init": "tuner.init and lab.jobs",
    "build/bin/changeover doctor": "tuner.doctor and lab.doctor",
    "salloc": "slurm.jobs",
    "sbatch": "slurm.resume",
    "build/bin/changeover-micro": "people: minutes",
    "export CHANGEOVER_CACHE_DIR": "set for the build of the cluster's MPICH",
}

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
    for run in (["--plan", "quick", "--ranks", "16", "--budget", "120s", "--run", "tuned"],
                ["--cluster", "cluster.json", "--plan", "standard", "--collectives", "bcast", "--budget", "25s", "--run",
                 "shared/changeover/tuned"]):
        subprocess.run([build / "bin/changeover", "tune", *run], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
    shutil.copytree(folder / "tuned", folder / "other")
    (folder / "shared/modulefiles").mkdir()


def meanings(folder):
    return (("/shared/", f"{folder}/shared/"), ("--network NAME", "--network default"),
            ('--prefix "$(scripts/mpich-prefix)"', f"--prefix {folder}/shared/prefix"),
            ("scripts/mpich-prefix)", "scripts/mpich-prefix build)"), ("--budget 2h", "--collectives bcast --budget 25s"))


def main():
    commands = page_commands.commands_in(source / "README.md")
    here = [c for c in commands if not c.startswith(tuple(ELSEWHERE))]
    with tempfile.TemporaryDirectory(prefix="changeover-readme-") as name:
        prepare(pathlib.Path(name))
        failed, output = page_commands.execute(here, meanings(name), name)
    if failed:
        print(output[-6000:])
        print("\n".join(f"FAILED: {command}" for command in failed))
    print(f"{len(here)} commands executed, {len(failed)} failed; {len(commands) - len(here)} are executed by other tests")
    return 1 if failed or len(here) < 12 else 0


sys.exit(main())
