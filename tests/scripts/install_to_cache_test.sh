#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# mpich-patches/install-to-cache: an installation appears complete or not at all, also if two builds end at once.
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../support/shell.sh"
folder=$(dirname "$(realpath "$0")")/../../mpich-patches
install=$folder/install-to-cache
prefix=$work/cache/mpich/key

# a build whose `make install` takes its time
make_build() {
    mkdir -p "$1/source/src/include" "$1/build"
    echo "/* query */" >"$1/source/src/include/mpir_coll_query.h"
    cat >"$1/build/Makefile" <<EOF
CFLAGS = -I../source/src -O2
install:
	mkdir -p \$(DESTDIR)$prefix/include \$(DESTDIR)$prefix/bin
	sleep 0.3
	echo $2 > \$(DESTDIR)$prefix/bin/mpiexec
EOF
}

make_build "$work/one" one
make_build "$work/two" two
"$install" "$work/one" "$prefix" >"$work/one.log" 2>&1 &
first=$!
"$install" "$work/two" "$prefix" >"$work/two.log" 2>&1 &
second=$!
wait "$first"
expect "the first ends well" test $? = 0
wait "$second"
expect "the second ends well" test $? = 0
expect "one of them is installed" grep -qxE 'one|two' "$prefix/bin/mpiexec"
expect "with the header for tools" test -f "$prefix/include/mpir_coll_query.h"
expect "with the inner headers" test -f "$prefix/internal/source/src/include/mpir_coll_query.h"
expect "with their flags" grep -q -- "-I$prefix/internal/source/src -O2" "$prefix/internal/flags"
expect "nothing is nested or left over" test "$(ls "$work/cache/mpich")" = key -a ! -e "$prefix/key"

make_build "$work/bad" bad
echo 'install: ; false' >"$work/bad/build/Makefile"
expect_error "a failed installation" "Error" "$install" "$work/bad" "$work/cache/mpich/bad"
expect "leaves nothing" test "$(ls "$work/cache/mpich")" = key

run_step=$folder/run-step
expect_ok "a step" "$run_step" --log "$work/log" --title "working" -- echo hidden
expect_output "says that it is done" "working: done in 0:0"
expect "its output is in the log" grep -qx hidden "$work/log"
expect_error "a failing step" "the reason" "$run_step" --log "$work/log" --title "working" -- sh -c 'echo the reason; exit 3'
expect_output "names the log" "$work/log"

finish
