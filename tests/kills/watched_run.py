# SPDX-License-Identifier: MIT
"""A command of changeover on a run directory that is watched, and killed at a counted event: a request to the job, a line
of the journal, a file of the run, an output."""
import ctypes
import dataclasses
import os
import select
import struct
import subprocess
import time

import journal
import processes

SILENT_SECONDS = 240  # without any event it hangs: a job has 60 s to start, and a request has 30 s and more
MODIFIED, CREATED, RENAMED = 0x2, 0x100, 0x80  # of inotify(7)


@dataclasses.dataclass
class Kill:
    stage: str
    part: str  # of the stage: whose requests, lines or files are counted
    victim: str
    hook: str = "request"  # request, job (that is started), line (of the journal), decide, write, report
    number: int = 1  # of the event
    phase: str = "before"  # or in the middle of the answer
    delay_seconds: float = 0

    def __str__(self):
        return (f"{self.victim} in {self.stage} ({self.part}: {self.hook} {self.number} {self.phase}, "
                f"{1000 * self.delay_seconds:.1f} ms)")


class Folders:
    """Events of inotify in some folders, as (folder, event, file name)"""

    def __init__(self, paths):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.file = self.libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        self.paths = {}
        for path in paths:
            watch = self.libc.inotify_add_watch(self.file, os.fsencode(path), MODIFIED | CREATED | RENAMED)
            if watch < 0:
                raise OSError(ctypes.get_errno(), "inotify_add_watch", str(path))
            self.paths[watch] = path

    def events(self):
        try:
            text = os.read(self.file, 1 << 16)
        except BlockingIOError:
            return
        while text:
            watch, mask, _, length = struct.unpack_from("iIII", text)
            yield self.paths[watch], mask, os.fsdecode(text[16:16 + length].rstrip(b"\0"))
            text = text[16 + length:]

    def close(self):
        os.close(self.file)


class WatchedRun:
    """`expected`: number of cases of each stage after which it is over; `seen`: every content that tuning.json had; `kill`:
    the next one, after `left` events"""

    def __init__(self, folder, control, benchmark, random):
        self.folder, self.control, self.benchmark, self.random = folder, control, benchmark, random
        self.journal = journal.Journal(folder / "samples.jsonl")
        self.expected = {}
        self.seen = []

    def look_at_tuning_file(self):
        try:
            text = (self.folder / "tuning.json").read_text()
        except FileNotFoundError:
            return
        if text not in self.seen:
            self.seen.append(text)

    def arm(self, kill):
        for name in ("stop_at", "count", "reached", "go"):
            (self.control / name).unlink(missing_ok=True)
        if kill and kill.hook == "request":
            (self.control / "stop_at").write_text(f"{kill.part} {kill.number} {kill.phase}")

    def is_measured(self, stage):
        return self.journal.count[stage] >= self.expected.get(stage, 0)

    def fits(self, kill, folder, mask, name):
        """Is this an event that the kill counts?"""
        new = self.journal.grow() if name == "samples.jsonl" else []
        if kill.hook == "request":
            return name == "reached"
        if kill.hook == "job":
            return any(line.get("event") == "job_started" for line in new)
        if kill.hook == "line":
            return any(kill.part in (line.get("event"), line.get("stage")) for line in new)
        if kill.hook == "decide":
            return self.is_measured("search") and any(line.get("event") == "job_ended" for line in new)
        if kill.hook == "write":
            return self.is_measured("verify") and folder == self.folder and name != "samples.jsonl" and "report" not in name
        return name == "stdout" or "report.html" in name

    def strike(self, kill, tuner):
        """True: the victim was there, and is killed"""
        time.sleep(kill.delay_seconds)
        end = time.monotonic() + 2
        while time.monotonic() < end:
            job = processes.with_variable("KILLS_CONTROL", self.control) if kill.victim != "tuner" else []
            found = processes.victims(kill.victim, tuner.pid, job, self.benchmark)
            if found or tuner.poll() is not None:
                break
        struck = bool(found) and tuner.poll() is None and processes.kill(self.random.choice(sorted(found)))
        if not struck:
            (self.control / "go").touch()
        return struck

    def next_kill(self, kills):
        """Counts its events from now on"""
        self.kill = next(kills, None)
        self.left = self.kill.number if self.kill and self.kill.hook != "request" else 1
        self.arm(self.kill)

    def take_event(self, folder, mask, name, tuner, kills):
        if name == "tuning.json":
            self.look_at_tuning_file()
        if not self.kill or not self.fits(self.kill, folder, mask, name):
            return
        self.left -= 1
        if self.left == 0 and self.strike(self.kill, tuner):
            self.struck.append(self.kill)
            if self.kill.victim == "tuner":
                self.kill = None
            else:  # the tuner goes on
                self.next_kill(kills)

    def watch(self, tuner, folders, kills):
        ended = os.pidfd_open(tuner.pid)
        poll = select.poll()
        poll.register(folders.file, select.POLLIN)
        poll.register(ended, select.POLLIN)
        last_event = time.monotonic()
        while tuner.poll() is None and time.monotonic() < last_event + SILENT_SECONDS:
            poll.poll(1000)
            for folder, mask, name in folders.events():
                last_event = time.monotonic()
                self.take_event(folder, mask, name, tuner, kills)
        os.close(ended)

    def run(self, command, kills=iter(())):
        """The exit code, or None for a command that hangs; `struck` has the kills that came in time"""
        self.struck = []
        self.journal.restart()
        self.journal.grow()
        self.next_kill(kills)
        folders = Folders([self.folder, self.control])
        with open(self.control / "stdout", "w") as out, open(self.control / "stderr", "a") as errors:
            tuner = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=out, stderr=errors)
        self.watch(tuner, folders, kills)
        folders.close()
        self.look_at_tuning_file()
        if tuner.poll() is None:
            tuner.kill()
            tuner.wait()
            return None
        return tuner.returncode
