# SPDX-License-Identifier: MIT
"""The journal of a run, as the tests of kills see it: what must not be lost, and what was measured how often."""
import collections
import json

KEY = ("stage", "network", "nodes", "ppn", "mapping", "collective", "operation", "bytes", "algorithm", "link", "calls_in_a_row", "arrival")


class Journal:
    """Reads a growing journal; `count` has the cases of whole groups by stage"""

    def __init__(self, path):
        self.path = path
        self.restart()

    def restart(self):
        self.offset = 0
        self.lines = []
        self.count = collections.Counter()

    def grow(self):
        """The lines that are new"""
        try:
            with open(self.path, "rb") as file:
                if file.seek(0, 2) < self.offset:  # an end that was not whole is removed on resuming
                    self.restart()
                file.seek(self.offset)
                text = file.read()
        except FileNotFoundError:
            return []
        whole = text[:text.rfind(b"\n") + 1]
        self.offset += len(whole)
        new = [parse(line) for line in whole.splitlines()]
        self.lines += new
        self.count.update(line["stage"] for line in new if line["type"] == "case")
        return new


def parse(line):
    return json.JSONDecoder().raw_decode(line.decode())[0]  # what follows the object is the journal's own


def whole_part(text):
    """Up to the last whole group"""
    end = at = missing = 0
    for line in text.splitlines(keepends=True):
        at += len(line)
        if not line.endswith(b"\n"):
            break
        try:
            content = parse(line)
        except ValueError:
            break
        if content["type"] == "case":
            missing = (missing or content["of"]) - 1
        if missing == 0:
            end = at
    return text[:end]


def key_of(line):
    """What makes two cases the same: how long a pause is depends on measured times, whether there is one does not"""
    parameters = line.get("parameters") or {}
    return (*(json.dumps(line.get(key)) for key in KEY), parameters.get("messages") == 1, parameters.get("delay_us", 0) > 0)


def case_of(line):
    return (*(json.dumps(line.get(key)) for key in KEY if key != "algorithm"), line["algorithm"])


def measured(lines):
    """How often each case was measured, apart for what was measured again because a check found it stale. Without what a
    search measured apart from the default after a job died: it is measured together with the default, too. What failed alone
    at first and is measured later brings the default with it"""
    algorithms = collections.defaultdict(set)
    for line in lines:
        if line["type"] == "case" and line["stage"] == "search":
            algorithms[line["group"]].add(line["algorithm"])
    apart = {group for group, names in algorithms.items() if len(names) == 1 or "default" not in names}
    crashed = {case_of(line) for line in lines if line.get("stage") == "search" and line["status"] == "crashed"}
    times = collections.Counter()
    times_stale = 0
    for line in lines:
        if line.get("group") in apart:
            continue
        if line.get("stage") == "search" and line["algorithm"] == "default":
            others = algorithms[line["group"]] - {"default"}
            if times[times_stale, *key_of(line)] and all((*case_of(line)[:-1], name) in crashed for name in others):
                continue
        times_stale += line.get("event") == "stale"
        if line["type"] == "case" and line["status"] == "measured" and line["stage"] != "check":
            times[times_stale, *key_of(line)] += 1
    return times


def open_jobs(lines):
    jobs = set()
    for line in lines:
        if line.get("event") == "job_started":
            jobs.add(line["token"])
        elif line.get("event") == "job_ended":
            jobs.discard(line["token"])
    return jobs
