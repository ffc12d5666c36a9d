#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a command whose standard error is a terminal, and plays what it writes there.

Leaves in the folder: bytes (as written), output (each state of each line), screen (the lines at the end).

usage: live_view.py FOLDER TERM NO_COLOR COLUMNS INTERRUPT_AT COMMAND...   INTERRUPT_AT: a text; then ^C is sent once
"""
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios

folder, term, no_color, columns, interrupt_at, *command = sys.argv[1:]
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(columns), 0, 0))
environment = {**os.environ, "TERM": term, "NO_COLOR": no_color}
process = subprocess.Popen(command, stdout=open(f"{folder}/stdout", "w"), stderr=slave, env=environment)
os.close(slave)
written = b""
while True:
    try:
        piece = os.read(master, 65536)
    except OSError:  # the other side is closed
        break
    if not piece:
        break
    written += piece
    if interrupt_at and interrupt_at.encode() in written:
        process.send_signal(signal.SIGINT)
        interrupt_at = ""
code = process.wait()

lines, row, column, seen = [""], 0, 0, []
for token in re.findall(r"\033\[\d*[A-Za-z]|\r|\n|[^\r\n\033]+", written.decode()):
    if token == "\r":
        column = 0
    elif token == "\n":
        row, column = row + 1, 0  # the terminal adds the carriage return
        lines += [""] * (row + 1 - len(lines))
    elif token == "\033[K":
        lines[row] = lines[row][:column]
    elif token == "\033[A":
        row -= 1
        assert row >= 0, "above the first line"
    elif not token.startswith("\033"):
        lines[row] = lines[row][:column] + token + lines[row][column + len(token):]
        column += len(token)
        seen.append(lines[row])
for name, text in (("output", seen), ("screen", lines)):
    with open(f"{folder}/{name}", "w") as file:
        file.write("\n".join(text) + "\n")
with open(f"{folder}/bytes", "wb") as file:
    file.write(written)
too_long = [line for line in seen if "grids" in line and len(line) >= int(columns)]
assert not too_long, too_long
sys.exit(0 if code in (0, 1) else 1)
