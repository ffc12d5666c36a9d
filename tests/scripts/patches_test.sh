#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# scripts/patches on a small tree: from tarball to commits to patches and back, and what the checker finds.
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../support/shell.sh"
patches=$(dirname "$(realpath "$0")")/../../scripts/patches

export CHANGEOVER_PATCHES_ROOT=$work/root
release=$CHANGEOVER_PATCHES_ROOT/1.0
mkdir -p "$release" "$work/pkg-1.0/src"
seq 1 40 >"$work/pkg-1.0/src/numbers"
tar -C "$work" -czf "$work/pkg.tar.gz" pkg-1.0
touch "$release/series"

git_tree() { git -C "$work/tree" -c user.name=t -c user.email=t@localhost -c commit.gpgsign=false -c core.hooksPath=/dev/null "$@"; }
commit() { git_tree commit -q -a -m "$1"; }

expect_ok "an empty series is a tree" "$patches" checkout 1.0 "$work/tree" "$work/pkg.tar.gz"
sed -i 's/^20$/twenty/' "$work/tree/src/numbers"
commit "Description: write out twenty
 Because.
Author: somebody
Forwarded: no"
sed -i 's/^22$/twenty-two/' "$work/tree/src/numbers"
commit "Description: write out twenty-two: the second, with a long name that has to be cut somewhere
 Because, too.
Author: somebody
Forwarded: no"
expect_ok "extract" "$patches" extract 1.0 "$work/tree"
expect "the patches are numbered and named" test -f "$release/0001-write-out-twenty.patch" -a "$(wc -l <"$release/series")" = 2
expect_ok "the checker is content" "$patches" check
expect_ok "apply" bash -c "tar -C '$work' -xzf '$work/pkg.tar.gz' && '$patches' apply 1.0 '$work/pkg-1.0'"
expect "the applied tree is the committed one" diff -q "$work/pkg-1.0/src/numbers" "$work/tree/src/numbers"
cp -a "$release" "$work/good"
expect_ok "checkout again" "$patches" checkout 1.0 "$work/tree2" "$work/pkg.tar.gz"
expect_ok "extract again" "$patches" extract 1.0 "$work/tree2"
expect "round trip: the same patches" diff -r "$work/good" "$release"

restore() { rm -rf "$release" && cp -a "$work/good" "$release"; }
first=0001-write-out-twenty.patch

touch "$work/tree2/new" && git -C "$work/tree2" add new
expect_error "uncommitted changes are not lost" "not committed" "$patches" extract 1.0 "$work/tree2"
expect "and nothing is written" diff -r "$work/good" "$release"

cp "$release/$first" "$release/0009-stray.patch"
expect_error "a patch that is not listed" "0009-stray.patch is not in" "$patches" check
restore
rm "$release/$first"
expect_error "a listed patch that is not there" "names $first, which is not there" "$patches" check
restore
sed -i '/^Forwarded:/d' "$release/$first"
expect_error "a header without its upstream status" "lacks 'Forwarded: ...'" "$patches" check
restore
sed -i '/^ Because/d' "$release/$first"
expect_error "a description that is only a title" "only a title" "$patches" check
restore
sed -i '1!G;h;$!d' "$release/series"
expect_error "patches out of order" "number 1 of the series" "$patches" check
restore

# context that moved by a line applies, context that changed does not: no fuzz
prepare() { rm -rf "$work/moved" && mkdir -p "$work/moved/src" && "$@" >"$work/moved/src/numbers"; }
prepare bash -c 'echo 0; seq 1 40'
expect_ok "moved lines" "$patches" apply 1.0 "$work/moved"
prepare bash -c 'seq 1 40 | sed s/^17$/x/'
expect_error "changed context" "does not apply" "$patches" apply 1.0 "$work/moved"
expect_error "an unknown release" "there is no series for MPICH 2.0" "$patches" apply 2.0 "$work/moved"
expect_error "an unknown command" "usage:" "$patches" frobnicate

finish
