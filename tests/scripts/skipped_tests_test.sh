#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What tests/support/skipped-tests says of a small project with all kinds of skipped tests, and when it fails.
set -uo pipefail
here=$(dirname "$(realpath "$0")")
source "$here/../support/shell.sh"
unset CI
inside=() # a command that runs skipped-tests elsewhere
mkdir "$work/source"
cd "$work/source" || exit 1

# add NAME LABELS OUTPUT EXIT_CODE
add() {
    printf '%b\n' "$3" >"$1.txt"
    {
        echo "add_test(NAME $1 COMMAND sh -c \"cat $PWD/$1.txt && exit $4\")"
        echo "set_tests_properties($1 PROPERTIES LABELS \"$2\" SKIP_RETURN_CODE 77)"
    } >>CMakeLists.txt
}
start_project() { printf 'cmake_minimum_required(VERSION 3.22)\nproject(small NONE)\nenable_testing()\n' >CMakeLists.txt; }
# run [VARIABLE=VALUE...] [CTEST_ARGUMENTS...]: what scripts/test does; its exit code is that of skipped-tests
run() {
    local variables=()
    while [[ ${1:-} == *=* ]]; do variables+=("$1"); shift; done
    rm -rf "$work/build" "$work/tests.xml"
    cmake -S . -B "$work/build" >/dev/null || return 99
    ctest --test-dir "$work/build" --output-junit "$work/tests.xml" --test-output-size-passed 1000000 -LE long "$@" >/dev/null
    "${inside[@]}" env "${variables[@]}" "$here/../support/skipped-tests" "$work/build" "$work/tests.xml"
}
not_said() { ! grep -qF -- "$1" "$work/output"; }

start_project
add passes unit "all is well: nothing was skipped today" 0
expect_ok "nothing is skipped" run CI=1
expect_output "... and it says so" "skipped: none"
expect_output "... and how many there are" "1 tests of 1 were started"

add whole unit "skipped: there is no srun; try: scripts/setup --tests" 77
expect_ok "a skipped test outside of CI" run
expect_output "... with its reason" "skipped: whole: there is no srun; try: scripts/setup --tests"
expect_error "a skipped test in CI" "1 skipped tests can run here" run CI=1

start_project
add silent unit "nothing to see" 77
expect_error "a test that does not say why" "silent: SKIP_RETURN_CODE=77" run CI=1

start_project
add part unit "1 passed\nskipped: no viewer" 0
add google unit "[ RUN      ] Disk.IsFull\n/a/files_test.cpp:37: Skipped\nno disk is\nsmall enough\n\n[  SKIPPED ] Disk.IsFull (0 ms)" 0
add python unit "OK (skipped=2)" 0
expect_error "parts of tests in CI" "3 skipped tests can run here" run CI=1
expect_output "... of a script" "part: no viewer"
expect_output "... of GoogleTest" "google: Disk.IsFull: no disk is small enough"
expect_output "... of unittest" "python: OK (skipped=2)"

# Limits of the machine excuse a test only where they are true
start_project
add order unit "skipped: the kernel's table is in the byte order of the machine" 77
expect_error "a limit that this machine does not have" "1 skipped tests can run here" run CI=1
start_project
add address unit "skipped: this machine has no other address than the loopback's" 77
if unshare --net true 2>/dev/null; then
    inside=(unshare --net)
    expect_ok "a limit that the machine has" run CI=1
    inside=()
fi
start_project
add lab lab "skipped: a lab needs root; run the tests as root" 77
if ((EUID == 0)); then
    expect_error "a test for root, as root" "1 skipped tests can run here" run CI=1
else
    expect_ok "a test for root, as somebody else" run CI=1
fi
start_project
add counts "unit;no-sanitizer" "skipped: counts instructions with valgrind" 77
expect_ok "what cannot work with sanitizers" run CI=1
expect_output "... is said, too" "counts: counts instructions with valgrind"

# What was not started
start_project
add passes unit "" 0
add other unit "" 0
add slow "unit;long" "" 0
expect_ok "labels" run CI=1
expect_output "... that are excluded" "not started: 1 with the label long (scripts/test --all)"
expect "... only those" not_said "options"
expect_ok "a choice of tests" run CI=1 -R passes
expect_output "... leaves out others" "not started: 1 that the options do not select"

start_project
echo 'add_test(NAME gone COMMAND /no/such/program)' >>CMakeLists.txt
expect_error "a program that is not there" "gone: " run CI=1
finish
