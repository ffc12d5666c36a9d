# SPDX-License-Identifier: MIT
"""What must hold after a fault, and after the same command has been run again without one. Every function returns a
list of violations, as text."""
import collections
import json
import os
import re

COMPLETE = "is complete"  # what tune says instead of measuring
STRAY = "stray file: "


def read_bytes(path):
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return file.read()


def read_json(path):
    text = read_bytes(path)
    return None if text is None else json.loads(text)


class Journal:
    """samples.jsonl: its lines up to the end of the last whole group, and what is in them"""

    def __init__(self, text):
        self.lines, self.groups, self.events, self.problems = [], [], [], []
        pending, lines, missing = [], [], 0
        for line in (text or b"").split(b"\n")[:-1]:
            lines.append(line)
            try:
                record = json.loads(line)
            except ValueError:
                break  # a torn end; what was acknowledged before is checked by size
            if record.get("type") == "case":
                missing = missing or record["of"]
                pending.append(record)
                missing -= 1
            else:
                self.events.append(record)
            if missing == 0:
                self.lines, lines = self.lines + lines, []
                if pending:
                    self.groups.append(pending)
                    pending = []
        self.size = sum(len(line) + 1 for line in self.lines)
        numbers = [group[0]["group"] for group in self.groups]
        if numbers != list(range(1, len(numbers) + 1)):
            self.problems.append(f"groups of the journal are numbered {numbers}")

    def cases(self):
        """How often each case was measured, and how it ended"""
        return collections.Counter(
            (record["stage"], record["collective"], record["bytes"], record["algorithm"],
             json.dumps(record.get("parameters"), sort_keys=True), record["status"])
            for group in self.groups for record in group if record["stage"] != "check")

    def checks(self):
        return sum(1 for group in self.groups if group[0]["stage"] == "check")

    def stale(self):
        """Cells that were marked as stale; a marking that was interrupted does not count"""
        whole, marks = [], []
        for event in self.events:
            if event["event"] == "stale":
                marks = marks if event["number"] > 1 else []
                marks.append(event["collective"])
                if len(marks) == event["of"]:
                    whole += marks
        return sorted(whole)

    def open_jobs(self):
        tokens = [event["token"] for event in self.events if event["event"] == "job_started"]
        ended = {event["token"] for event in self.events if event["event"] == "job_ended"}
        return [token for token in tokens if token not in ended]


class State:
    """What is in a box: all files, and what the files of its run say"""

    def __init__(self, box, output):
        self.files = sorted(os.path.relpath(os.path.join(folder, name), box)
                            for folder, _, names in os.walk(box) for name in names)
        self.output = read_bytes(os.path.join(box, output)) if os.path.isfile(os.path.join(box, output)) else None
        run = os.path.join(box, output if os.path.isdir(os.path.join(box, output)) else "run")
        self.problems = []
        self.tuning_bytes = read_bytes(os.path.join(run, "tuning.json"))
        self.journal = Journal(read_bytes(os.path.join(run, "samples.jsonl")))
        self.config = self.read(run, "config.json")
        self.verification = self.read(run, "verification.json")
        self.network = self.read(run, "network.json")
        self.tuning = self.read(run, "tuning.json")

    def read(self, run, name):
        try:
            return read_json(os.path.join(run, name))
        except ValueError as error:
            self.problems.append(f"{name} is not JSON: {error}")
            return None

    def rules(self):
        return self.config and (self.config["verified"], self.config["rules"], self.config["notes"])

    def tuned(self):
        return self.tuning and (self.tuning["mpir"], self.tuning["info"]["checksum"])

    def is_complete(self):
        return bool(self.config and self.config["verified"] and self.verification and self.tuning
                    and self.tuning["info"]["checksum"] == self.config["checksum"])


def only_verified(base, state, reference):
    """What jobs read, and what is called verified, is what it was before, or what an undisturbed command writes"""
    problems = list(state.problems)
    if state.tuning_bytes != base.tuning_bytes and state.tuned() != reference.tuned():
        rules = [f'{rule["collective"]} {rule["algorithm"]}' for rule in (state.tuned() or [[]])[0]]
        problems.append(f"tuning.json has rules that were not verified: {rules}")
    if state.config and state.config["verified"] and state.rules() not in (base.rules(), reference.rules()):
        problems.append("config.json says that rules are verified which are not")
    if state.output not in (base.output, reference.output):
        problems.append("the written file is neither the old nor the new one")
    return problems


def same_result(state, reference):
    """As after the undisturbed command"""
    problems = list(state.problems) + state.journal.problems
    for what, mine, wanted in (
            ("rules of config.json", state.rules(), reference.rules()),
            ("verification.json", state.verification, reference.verification),
            ("network.json", state.network, reference.network),
            ("rules of tuning.json", state.tuned(), reference.tuned()),
            ("the written file", state.output, reference.output),
            ("stale cells", state.journal.stale(), reference.journal.stale()),
            ("run is complete", state.is_complete(), reference.is_complete())):
        if mine != wanted:
            problems.append(f"not as after an undisturbed command: {what}")
    for missing in sorted(set(reference.files) - set(state.files)):
        problems.append(f"file is missing: {missing}")
    for stray in sorted(set(state.files) - set(reference.files)):
        problems.append(STRAY + re.sub(r"\w{6}$", "XXXXXX", stray))
    cases, wanted = state.journal.cases(), reference.journal.cases()
    for what, found in (("lost", wanted - cases), ("doubled", cases - wanted)):
        if found:
            problems.append(f"{sum(found.values())} cases are {what}, such as {min(found)}")
    if state.journal.open_jobs():
        problems.append("a job is still open in the journal")
    return problems


def journal_after_fault(base, state, result):
    """What was synchronized is there; at most the group that was being measured is not in the journal"""
    problems = []
    for path, size in result.synced.items():
        if path.endswith("samples.jsonl") and state.journal.size < size:
            problems.append(f"the journal has {state.journal.size} bytes of whole groups, {size} were acknowledged")
    lost = len(result.answers) - (len(state.journal.groups) - len(base.journal.groups))
    if lost not in (0, 1):
        problems.append(f"{lost} measured groups are not in the journal")
    return problems


def journal_after_resume(before, state, result):
    problems = []
    if state.journal.lines[:len(before.journal.lines)] != before.journal.lines:
        problems.append("lines of the journal were changed by resuming")
    added = len(state.journal.groups) - len(before.journal.groups)
    if len(result.answers) != added:
        problems.append(f"{len(result.answers)} groups were measured after resuming, {added} are in the journal")
    return problems


def final_name(path):
    """Of a temporary file: that of the file it becomes"""
    match = re.match(r"^\.(.+)\.changeover-\w{6}$", os.path.basename(path))
    return match.group(1) if match else os.path.basename(path)


def told(result, is_kill):
    """How the disturbed command ended, and what it said"""
    if result.exit is None:
        return ["it hangs"]
    if is_kill:
        return [] if result.exit == -9 else [f"exit code {result.exit} instead of being killed"]
    if result.exit < 0 or result.exit not in (0, 1, 2):
        return [f"it ended with {result.exit}: {result.error[-200:]}"]
    names = {final_name(fault.path) for fault in result.faults}
    names |= {os.path.dirname(fault.path) for fault in result.faults if fault.kind == "flock"}  # "the run X is locked"
    names = sorted(names)
    if result.exit != 0 and not any(name in result.error for name in names):
        return [f"the message does not name {' or '.join(names)}: {result.error.splitlines()[-1:]}"]
    return []


def complete_or_not(before, reference, result):
    """A run that calls itself complete has verified rules; at most tuning.json was still to be written from them"""
    if COMPLETE in result.error and before.rules() != reference.rules():
        return ["the run calls itself complete, and is not"]
    return []


def order_of_calls(calls, box):
    """For a power failure: a new file is synchronized before it gets its name, and its folder after that"""
    problems, unsynced, waiting = [], set(), {}
    for call in calls:
        path = call.path.removeprefix(box + "/")
        folder = os.path.dirname(call.path)
        if call.kind == "write":
            unsynced.add(path)
        elif call.kind in ("fsync", "fdatasync"):
            unsynced.discard(path)
            waiting.pop(call.path, None)
        elif call.kind == "rename":
            temporary = [name for name in unsynced if final_name(name) == os.path.basename(path) and name != path]
            problems += [f"{path} was renamed before it was synchronized"] if temporary else []
            problems += [f"{waiting[folder]}: the folder was not synchronized"] if folder in waiting else []
            waiting[folder] = path
    problems += [f"{path}: the folder was not synchronized" for path in waiting.values()]
    return problems
