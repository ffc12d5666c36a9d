#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# mpich-patches/install-to-cache: an installation appears complete or not at all, also if two builds end at once.
# check-cache and CMakeLists.txt: one that is damaged is built again, one that others could have written is refused.
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../support/shell.sh"
folder=$(dirname "$(realpath "$0")")/../../mpich-patches
install=$folder/install-to-cache check=$folder/check-cache
prefix=$work/cache/mpich/key

# a build whose `make install` takes its time
make_build() {
    mkdir -p "$1/source/src/include" "$1/build"
    echo "/* query */" >"$1/source/src/include/mpix_coll.h"
    cat >"$1/build/Makefile" <<EOF
CFLAGS = -I../source/src -O2
install:
	mkdir -p \$(DESTDIR)$prefix/include \$(DESTDIR)$prefix/bin \$(DESTDIR)$prefix/lib/pkgconfig
	sleep 0.1
	echo $2 > \$(DESTDIR)$prefix/bin/mpiexec
	printf '#!/bin/sh\nprefix=$prefix\nlibdir=$prefix/lib\necho "\$\$libdir"\n' > \$(DESTDIR)$prefix/bin/mpicc
	printf 'prefix=$prefix\nlibdir=$prefix/lib\n' > \$(DESTDIR)$prefix/lib/pkgconfig/mpich.pc
	touch \$(DESTDIR)$prefix/lib/libmpi.la \$(DESTDIR)$prefix/lib/libmpi.so.12
	echo h > \$(DESTDIR)$prefix/include/mpi.h
	ln -s mpiexec \$(DESTDIR)$prefix/bin/mpirun
	chmod 775 \$(DESTDIR)$prefix/bin
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
expect "with the inner headers" test -f "$prefix/internal/source/src/include/mpix_coll.h"
expect "with their flags" grep -q -- "-I$prefix/internal/source/src -O2" "$prefix/internal/flags"
cp -a "$prefix" "$work/moved" && ln -s "$work/moved/bin/mpicc" "$work/mpicc"
expect "a copy of mpicc knows where it is" test "$(sh "$work/mpicc")" = "$work/moved/lib"
expect "so does pkg-config" test "$(cat "$prefix/lib/pkgconfig/mpich.pc")" = $'prefix=${pcfiledir}/../..\nlibdir=${prefix}/lib'
expect "no file of libtool names the old place" test ! -e "$prefix/lib/libmpi.la"
expect "the library has Debian's name as well" test "$prefix/lib/debian/libmpich.so.12" -ef "$prefix/lib/libmpi.so.12"
expect "nothing is nested or left over" test "$(ls "$work/cache/mpich")" = key -a ! -e "$prefix/key"

state() { # WHAT CODE PATTERN PREFIX
    "$check" "$4" >"$work/output" 2>&1
    expect "$1: exit $2" test $? = "$2"
    [[ -z $3 ]] || expect_output "$1" "$3"
}
state "what was installed is complete" 0 "" "$prefix"
state "nothing is there" 1 "" "$work/cache/mpich/none"

# damage: each is found, and a new installation replaces it
damage() { # WHAT PATTERN COMMAND
    (cd "$prefix" && eval "$3")
    state "$1" 3 "$2" "$prefix"
    make_build "$work/again" again
    expect_ok "$1: is installed again" "$install" "$work/again" "$prefix"
    state "$1: is complete again" 0 "" "$prefix"
    expect "$1: nothing is left over" test "$(ls "$work/cache/mpich")" = key
}
damage "an empty folder" "changeover-manifest is missing" "rm -r ./*"
damage "a missing program" "bin/mpiexec is missing" "rm bin/mpiexec"
damage "an empty file" "bin/mpicc is missing or empty" ": >bin/mpicc"
damage "a changed file" "include/mpi.h: FAILED" "echo >>include/mpi.h"
damage "a missing file" "internal/flags" "rm internal/flags"
damage "a manifest without its end" "cut off" "sed -i '\$d' changeover-manifest"
damage "a manifest that lacks a file" "does not have bin/mpicc" "sed -i '/mpicc/d; s/complete: [0-9]*/complete: 5/' changeover-manifest; sed -i \"s/complete: 5/complete: \$(grep -c '^[^#]' changeover-manifest)/\" changeover-manifest"
damage "a manifest of zeros" "cut off" "head -c 300 /dev/zero >changeover-manifest"
expect "the new one was installed" grep -qx again "$prefix/bin/mpiexec"

# what others can write to, or have written
foreign() { # WHAT COMMAND UNDO
    (cd "$prefix" && eval "$2")
    state "$1" 4 "CHANGEOVER_CACHE_DIR" "$prefix"
    make_build "$work/again" again
    expect_error "$1: is not installed over" "CHANGEOVER_CACHE_DIR" "$install" "$work/again" "$prefix"
    (cd "$prefix" && eval "$3")
}
foreign "a program that everybody can write to" "chmod o+w bin/mpiexec" "chmod o-w bin/mpiexec"
foreign "a folder that a group can write to" "chmod g+w bin" "chmod g-w bin"
foreign "a cache that everybody can write to" "chmod o+w ../.." "chmod o-w ../.."
foreign "installations that a group can rename" "chmod g+w .." "chmod g-w .."
mv "$prefix" "$work/elsewhere"
ln -s "$work/elsewhere" "$prefix"
state "a link" 4 "is not a folder" "$prefix"
rm "$prefix"
mv "$work/elsewhere" "$prefix"
if ((EUID == 0)); then
    foreign "a program of another user" "chown 65534 bin/mpiexec" "chown 0 bin/mpiexec"
    foreign "a link of another user" "chown -h 65534 bin/mpirun" "chown -h 0 bin/mpirun"
    foreign "a cache of another user" "chown 65534 ../.." "chown 0 ../.."
else
    echo "skipped: installations of other users (root only)"
fi
state "undone" 0 "" "$prefix"
expect "others cannot write what was installed" test -z "$(find "$prefix" ! -type l -perm /022)"

# the same, through CMake
mkdir "$work/project"
cat >"$work/project/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.22)
project(uses_mpich C)
add_subdirectory($(realpath "$folder") mpich-patches)
EOF
configure() { CHANGEOVER_CACHE_DIR=$work/cmake-cache cmake -S "$work/project" -B "$work/project/build"; }
keyed_prefix=$prefix
expect_ok "configure without a cache" configure
expect_output "it is to be built" "to be built into $work/cmake-cache/mpich/"
prefix=$(cat "$work/project/build/mpich-prefix")
mkdir -p "$prefix"
expect_ok "configure with an empty folder" configure
expect_output "which is not an installation" "is missing or empty; it is built again"
make_build "$work/keyed" keyed
expect_ok "install" "$install" "$work/keyed" "$prefix"
expect_ok "configure" configure
expect_output "the cache is used" "in the cache, $prefix"
echo >>"$prefix/bin/mpiexec"
expect_ok "configure with a damaged cache" configure
expect_output "it is built again" "bin/mpiexec: FAILED; it is built again"
chmod o+w "$prefix/bin"
expect_error "configure with a cache that others can write to" "other users can write" configure
prefix=$keyed_prefix

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
