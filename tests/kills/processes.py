# SPDX-License-Identifier: MIT
"""Processes of a job, found by a variable of their environment: whom to kill, and who is left."""
import dataclasses
import os
import pathlib
import signal

RANK_VARIABLES = (b"OMPI_COMM_WORLD_RANK", b"PMI_RANK", b"SLURM_PROCID")
PROXIES = (b"hydra_pmi_proxy", b"orted", b"prted", b"srun")


@dataclasses.dataclass
class Found:
    pid: int
    parent: int
    arguments: list
    environment: dict

    def rank(self, benchmark):
        """None: not a rank"""
        if benchmark not in self.arguments[:2]:  # of a script, the interpreter comes first
            return None
        return next((int(self.environment[name]) for name in RANK_VARIABLES if name in self.environment), None)


def read(pid):
    folder = pathlib.Path("/proc", str(pid))
    variables = (row.partition(b"=") for row in (folder / "environ").read_bytes().split(b"\0"))
    parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
    arguments = (folder / "cmdline").read_bytes().split(b"\0")
    return Found(pid, parent, arguments, {name: value for name, _, value in variables})


def with_variable(name, value):
    """A process that has ended but was not waited for has no environment any more"""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                process = read(entry)
            except OSError:  # it has ended
                continue
            if process.environment.get(name.encode()) == str(value).encode():
                found.append(dataclasses.replace(process, pid=int(entry)))
    return found


def victims(name, tuner, job, benchmark):
    """Those of the tuner and its job's processes that the name means"""
    benchmark = os.fsencode(benchmark)
    ranks = {process.pid: process.rank(benchmark) for process in job}
    if name == "tuner":
        return [tuner]
    if name == "launcher":
        return [process.pid for process in job if process.parent == tuner]
    if name == "proxy":
        return [process.pid for process in job if process.parent != tuner and ranks[process.pid] is None
                and os.path.basename(process.arguments[0]) in PROXIES]
    return [pid for pid, rank in ranks.items() if rank is not None and (rank == 0) == (name == "rank 0")]


def kill(pid):
    """False: there is no such process any more"""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True
