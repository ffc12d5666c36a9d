# SPDX-License-Identifier: MIT
# For tests in bash: cases that must work or must fail with a message. Source it; end with `finish`.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
cases=0

fail_case() {
    echo "FAILED: $1" >&2
    [[ ! -e $work/output ]] || sed 's/^/    /' "$work/output" | cut -c1-300 | tail -n 12 >&2
    failures=$((failures + 1))
}

# expect_ok WHAT COMMAND...            [the output is in $work/output]
expect_ok() {
    cases=$((cases + 1))
    "${@:2}" >"$work/output" 2>&1 || fail_case "$1: exit $?"
}

# expect_error WHAT PATTERN COMMAND... the command fails and says PATTERN (a fixed string)
expect_error() {
    cases=$((cases + 1))
    if "${@:3}" >"$work/output" 2>&1; then
        fail_case "$1: it did not fail"
    elif ! grep -qF -- "$2" "$work/output"; then
        fail_case "$1: the message lacks '$2'"
    fi
}

# expect WHAT CONDITION...             a test of the shell
expect() {
    cases=$((cases + 1))
    "${@:2}" || fail_case "$1: ${*:2}"
}

# expect_output WHAT PATTERN           in the output of the last command
expect_output() {
    cases=$((cases + 1))
    grep -qF -- "$2" "$work/output" || fail_case "$1: no '$2'"
}

finish() {
    echo "$((cases - failures)) passed, $failures failed"
    ((failures == 0))
}
