# SPDX-License-Identifier: MIT
# For tests of scripts/lab: source it instead of ../support/shell.sh. Skips (exit 77) where no lab can be made, names
# labs that nobody else has, ends them, and compares what the machine itself has.
lab=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lab")
((EUID == 0)) || { echo "skipped: a lab needs root; run the tests as root" >&2; exit 77; }
unshare --net --uts --ipc --mount -- true 2>/dev/null || { echo "skipped: root may not make namespaces here (a container without CAP_SYS_ADMIN?)" >&2; exit 77; }
source "$(dirname "${BASH_SOURCE[0]}")/../support/shell.sh"

one=test-$$-one two=test-$$-two
end_labs() {
    for name in $one $two; do
        [[ ! -e /run/changeover-lab/$name ]] || "$lab" down "$name"
    done
}
trap 'end_labs; rm -rf "$work"' EXIT

machine() {
    ip -o link
    ip -o addr | sed 's/valid_lft.*//'
    ip netns
    tc qdisc
    cat /proc/self/mountinfo /etc/hosts
    hostname
}
machine >"$work/before"
expect_unchanged() { # WHAT
    machine >"$work/after"
    expect "$1: the machine is as it was" diff "$work/before" "$work/after"
}

# NAME: neither a process nor a file, nor an address that is taken
nothing_left_of() {
    ! grep -qs "^/run/changeover-lab/$1/" /proc/[0-9]*/cmdline && ! find /run/changeover-lab \( -name "$1" -o -lname "$1" \) 2>/dev/null | grep .
}
