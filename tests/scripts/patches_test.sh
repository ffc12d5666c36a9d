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
Forwarded: no
Risk: none
Tested: by hand"
sed -i 's/^22$/twenty-two/' "$work/tree/src/numbers"
commit "Description: write out twenty-two: the second, with a long name of which nothing may be lost
 Because, too.
Author: somebody
Forwarded: no
Risk: none
Tested: by hand"
expect_ok "extract" "$patches" extract 1.0 "$work/tree"
expect "the patches are numbered and named" test -f "$release/0001-write-out-twenty.patch" -a "$(wc -l <"$release/series")" = 2
expect "names are whole" test -f "$release/0002-write-out-twenty-two-the-second-with-a-long-name-of-which-nothing-may-be-lost.patch"
expect_ok "the checker is content" "$patches" check
expect_ok "apply" bash -c "tar -C '$work' -xzf '$work/pkg.tar.gz' && '$patches' apply 1.0 '$work/pkg-1.0'"
expect "the applied tree is the committed one" diff -q "$work/pkg-1.0/src/numbers" "$work/tree/src/numbers"
cp -a "$release" "$work/good"
expect_ok "a table" "$patches" map 1.0
expect_output "with title, lines, risk and upstream" "| 0001 write out twenty | 2 | none | no |"
echo "| 0001 write out twenty | 3 | none | no |" >"$CHANGEOVER_PATCHES_ROOT/README.md"
expect_error "a table that is out of date" "lacks the line '| 0001 write out twenty | 2 | none | no |'" "$patches" check
rm "$CHANGEOVER_PATCHES_ROOT/README.md"
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
sed -i '/^Tested:/d' "$release/$first"
expect_error "a header that does not say how it is tested" "lacks 'Tested: ...'" "$patches" check
restore
sed -i 's#src/numbers#src/util/mpir_cvars.c#' "$release/$first"
expect_error "a patch of what is generated" "changes src/util/mpir_cvars.c, which is generated" "$patches" check
restore
seq 800 | sed 's/^/+/' >>"$release/$first"
expect_error "a patch that nobody can read" "changes 802 lines, more than 700" "$patches" check
restore
sed -i '1s/write/fix/' "$release"/0002*
expect_error "a fix behind something else" "a fix behind $first; fixes come first" "$patches" check
restore
sed -i '1s/write/fix/' "$release/$first"
seq 120 | sed 's/^/+/' >>"$release/$first"
expect_error "a fix that is none" "a fix of 122 lines, more than 120" "$patches" check
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

# another release: the first patch is there already, and the second meets other text, or applies
port_to() { # NAME COMMAND...: makes the numbers of the release
    rm -rf "$work/pkg-2.0" "$work/ported" && mkdir -p "$work/pkg-2.0/src"
    "$@" >"$work/pkg-2.0/src/numbers"
    tar -C "$work" -czf "$work/pkg2.tar.gz" pkg-2.0
}
port_to bash -c 'seq 1 40 | sed s/^20$/twenty/'
expect_ok "a release that has a patch" "$patches" port 1.0 "$work/ported" "$work/pkg2.tar.gz"
expect_output "it is named" "is there already  0001-write-out-twenty"
expect_output "the next one is applied" "1 apply, 1 are there already, 0 do not apply"
expect "and committed, with its header" grep -q "Description: write out twenty-two" <(git -C "$work/ported" show -s --format=%B)
port_to bash -c 'seq 1 21; echo other; seq 23 40'
expect_error "a release with other text" "does not apply    0002" "$patches" port 1.0 "$work/ported" "$work/pkg2.tar.gz"
"$patches" port 1.0 "$work/ported3" "$work/pkg2.tar.gz" >/dev/null 2>&1
expect "exit code 3" test $? = 3
expect_output "where it fails" "src/numbers, line 19: the text around hunk 1 is another one"
expect_output "the other one is kept" "1 apply, 0 are there already, 1 do not apply"
expect "the patch is kept for the one who makes it fit" test -f "$work/ported"/.port/0002*.patch
port_to true && mv "$work/pkg-2.0/src/numbers" "$work/pkg-2.0/src/others" && tar -C "$work" -czf "$work/pkg2.tar.gz" pkg-2.0
expect_error "a release without the file" "0 apply" "$patches" port 1.0 "$work/ported" "$work/pkg2.tar.gz"
expect_output "it is named" "src/numbers is not in this release"
expect_error "no tarball" "cannot be read" "$patches" port 1.0 "$work/ported2" "$work/none.tar.gz"
expect_error "generators need a tree of MPICH" "No such file" "$patches" generate "$work/pkg-1.0"

# what is generated: everything, then only what has changed, and none of it is in a patch
mkdir -p "$work"/pkg-3.0/{maint/tuning/coll,maint/local_perl/lib,confdb,examples,src/mpi/coll/src,src/mpi/coll/include,src/include,src/util}
cd "$work/pkg-3.0" || exit 1
echo "sed s/^/json:/ maint/tuning/coll/tree >src/mpi/coll/src/csel_json_autogen.c" >maint/tuning/coll/json_gen.sh
echo one >maint/tuning/coll/tree
echo 'for name in "mpir_coll.c", "include/coll_algos.h": open("src/mpi/coll/" + name, "w").write("code")' >maint/gen_coll.py
echo '/release/src/mpi' >maint/cvardirs
echo 'for (@ARGV) { if (/^--(?:header|c-file|readme-file)=(.*)/) { open(my $file, ">", $1); print $file "variables\n *   on:   Friday\n" } }' >maint/extractcvars
printf '%s\n' 'AC_INIT([sample], [1])' 'AC_CONFIG_AUX_DIR([confdb])' 'AM_INIT_AUTOMAKE([foreign])' 'AC_CONFIG_HEADERS([src/include/mpichconf.h])' \
    'AC_CONFIG_FILES([Makefile examples/Makefile])' 'AC_OUTPUT' >configure.ac
touch confdb/{install-sh,missing}
for name in src/include/mpir_cvars.h src/util/mpir_cvars.c README.envvar; do # as a release ships them: made somewhere, some day
    printf '%s\n' 'variables' ' *   on:   Monday' >"$name"
done
echo json:one >src/mpi/coll/src/csel_json_autogen.c
printf code | tee src/mpi/coll/include/coll_algos.h >src/mpi/coll/mpir_coll.c
echo 'SUBDIRS = examples' >Makefile.am
echo 'EXTRA_DIST = sample' >examples/Makefile.am
cd - >/dev/null || exit 1
tar -C "$work" -czf "$work/pkg3.tar.gz" pkg-3.0
mkdir -p "$CHANGEOVER_PATCHES_ROOT/3.0"
touch "$CHANGEOVER_PATCHES_ROOT/3.0/series"
expect_ok "a tree with generators" "$patches" checkout 3.0 "$work/tree3" "$work/pkg3.tar.gz"
generated=(configure Makefile.in examples/Makefile.in src/include/mpichconf.h.in src/mpi/coll/mpir_coll.c src/mpi/coll/src/csel_json_autogen.c src/util/mpir_cvars.c)
older() { (cd "$work/tree3" && touch -d '2020-01-01' "${generated[@]}"); }
newer() { (cd "$work/tree3" && find "${generated[@]}" -newermt '2020-01-02' | sort | tr '\n' ' '); }
expect_ok "the release ships what is generated here" "$patches" generate --unchanged "$work/tree3"
expect_ok "generate" "$patches" generate "$work/tree3"
expect "all is there" test "$(cd "$work/tree3" && cat "${generated[@]}" | grep -c .)" -gt 100
expect "git sees none of it" test -z "$(git -C "$work/tree3" status --porcelain)"
older
expect_ok "generate again" "$patches" generate --again "$work/tree3"
expect "nothing has changed" test -z "$(newer)"
echo two >"$work/tree3/maint/tuning/coll/tree"
expect_ok "after an edit of a selection tree" "$patches" generate --again "$work/tree3"
expect "its code is new" test "$(newer)" = "src/mpi/coll/src/csel_json_autogen.c "
expect "and right" grep -qx "json:two" "$work/tree3/src/mpi/coll/src/csel_json_autogen.c"
older
sed -i 's/^AC_OUTPUT/AC_DEFINE([NEW], [1], [new])\nAC_OUTPUT/' "$work/tree3/configure.ac"
expect_ok "after an edit of configure.ac" "$patches" generate --again "$work/tree3"
expect "configure and its header are new" test "$(newer)" = "configure src/include/mpichconf.h.in "
expect_error "the release ships other code" "csel_json_autogen.c: the generators of MPICH write another one here" \
    bash -c "echo three >'$work/tree3/maint/tuning/coll/tree' && '$patches' generate --unchanged '$work/tree3'"

expect_error "an unknown release" "there is no series for MPICH 2.0" "$patches" apply 2.0 "$work/moved"
expect_error "an unknown command" "usage:" "$patches" frobnicate

finish
