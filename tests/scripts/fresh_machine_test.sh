#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts/quickstart on a machine that has nothing: an empty Debian in a folder, an empty cache, a clone of this commit.
# What was installed by hand on this machine cannot hide a missing step there. Needs root and the network.
# usage: fresh_machine_test.sh PROJECT
set -uo pipefail
((EUID == 0)) || { echo "skipped: an empty Debian needs root; run the tests as root" >&2; exit 77; }
source "$(dirname "$(realpath "$0")")/../support/shell.sh"
root=$work/root
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")

# inside COMMAND...     in the empty Debian, in the clone
inside() {
    unshare --mount --pid --fork --kill-child bash -c '
        mount -t proc proc "$0/proc" && mount --rbind /sys "$0/sys" && mount --rbind /dev "$0/dev" || exit
        exec chroot "$0" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -c "cd /root/changeover && exec \"\$@\"" sh "$@"
    ' "$root" "$@"
}

expect_ok "an empty Debian" debootstrap --variant=minbase "$suite" "$root"
((failures == 0)) || { finish; exit 1; }
cp /etc/resolv.conf /etc/hosts "$root/etc/"
expect_ok "a clone" git clone --quiet --no-local "$1" "$root/root/changeover"
expect_ok "quickstart" inside scripts/quickstart
expect_output "quickstart: where the report is" "report          /root/changeover/build/quickstart-run/report.html"
expect "quickstart: the report" [ -s "$root/root/changeover/build/quickstart-run/report.html" ]
expect "quickstart: the tuning file" [ -s "$root/root/changeover/build/quickstart-run/tuning.json" ]
next=$(sed -n 's/^  summary again  *//p' "$work/output")
expect_ok "quickstart: the command that it prints" inside sh -c "${next:-false}"
expect_output "quickstart: the summary of the run" "the measured calls took"
expect_ok "again: nothing is installed or built twice" inside scripts/setup
expect "again: nothing is said" [ ! -s "$work/output" ]
finish
