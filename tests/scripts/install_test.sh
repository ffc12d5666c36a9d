#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installed, and moved to another folder, the programs find their MPICH, pages and examples; without the folder in which
# they were built, where that can be hidden.
# usage: install_test.sh BUILD_FOLDER MPICH_PREFIX
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../support/shell.sh"
build=$1 cache=$2

expect_ok "DESTDIR" env DESTDIR="$work/stage" cmake --install "$build" --prefix /opt/changeover
expect "DESTDIR: nothing elsewhere" test ! -e /opt/changeover
expect "DESTDIR: the programs" test -x "$work/stage/opt/changeover/bin/changeover"
mv "$work/stage/opt/changeover" "$work/moved"
moved=$work/moved

# no file of the build may be needed: its MPICH is hidden
hidden() {
    if ((EUID == 0)) && unshare --mount true 2>/dev/null; then
        unshare --mount sh -c 'mount -t tmpfs none "$0" && exec "$@"' "$cache" "$@"
    else
        "$@"
    fi
}
expect_ok "changeover" hidden "$moved/bin/changeover" tune --ranks 2 --collectives bcast --dry-run
expect_output "starts the MPICH of its prefix" "$moved/mpich/bin/mpiexec "
expect_ok "changeover-which" hidden "$moved/mpich/bin/mpiexec" -n 2 "$moved/bin/changeover-which" bcast --bytes 100
expect_output "changeover-which" "built-in"
expect_ok "changeover env" hidden "$moved/bin/changeover" env --ranks 2
expect_output "changeover env" "changeover patches"
expect_ok "mpicc" hidden "$moved/mpich/bin/mpicc" "$moved/share/changeover/examples/heat.c" -o "$work/heat"
expect_ok "a program" hidden env LD_LIBRARY_PATH="$moved/mpich/lib" "$moved/mpich/bin/mpiexec" -n 2 "$work/heat" 5
expect_output "a program" "2 ranks, 5 steps"

# a file for all jobs of this prefix
mkdir -p "$moved/mpich/etc/changeover"
echo '{"version": 1, "mpir": [{"collective": "bcast", "algorithm": "scatter_ring_allgather"}]}' >"$moved/mpich/etc/changeover/tuning.json"
expect_ok "an installed tuning file" hidden "$moved/mpich/bin/mpiexec" -n 2 "$moved/bin/changeover-which" bcast --bytes 100
expect_output "is used without a variable" "rule /mpir/0 of the tuning file"

# pages, examples, completion, module
for page in changeover changeover-tune changeover-emit; do
    expect "the man page of $page" grep -q "^\.TH \"${page^^}\" \"1\"" "$moved/share/man/man1/$page.1"
done
expect "an example" test -e "$moved/share/changeover/examples/hydra.json"
expect "a page" test -e "$moved/share/doc/changeover/tuner/docs/formats.md"
complete_words() { # WORDS... the last one is completed
    PATH=$moved/bin:$PATH bash -c 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _changeover; echo "${COMPREPLY[@]}"' \
        "$moved/share/bash-completion/completions/changeover" "$@"
}
expect "completion of commands" test "$(complete_words changeover ver)" = verify
expect "completion of options" grep -qw -- --fake-nodes <(complete_words changeover tune --)
if command -v tclsh >/dev/null; then
    cat >"$work/module.tcl" <<'TCL'
proc module-whatis {text} {}
proc prepend-path {name folder} { puts "$name $folder" }
set ModulesCurrentModulefile [lindex $argv 0]
source $ModulesCurrentModulefile
TCL
    expect_ok "the module" tclsh "$work/module.tcl" "$moved/share/modulefiles/changeover"
    expect_output "the module finds its prefix" "PATH $moved/mpich/bin"
fi

# uninstalled: what others put there stays
install=$(dirname "$(realpath "$0")")/../../scripts/install
mkdir -p "$work/prefix/share/empty" "$work/prefix/bin"
touch "$work/prefix/bin/other"
expect_ok "scripts/install" bash -c 'umask 077; exec "$@"' - "$install" --build "$build" "$work/prefix"
expect "scripts/install: the programs" test -x "$work/prefix/bin/changeover"
expect "others can read all of it" test -z "$(find "$work/prefix" ! -type l ! -perm -o+r -print -quit)"
expect_ok "scripts/install --uninstall" "$install" --uninstall "$work/prefix"
expect "what is left" test "$(cd "$work/prefix" && find . | sort | tr '\n' ' ')" = ". ./bin ./bin/other ./share ./share/empty "
expect_error "nothing is installed" "nothing was installed" "$install" --uninstall "$work/prefix"

# a cache that others cannot read
if ((EUID == 0)) && command -v setpriv >/dev/null; then
    mkdir -p "$work/home/cache/mpich/bin" "$work/build" "$work/scripts"
    install -m 755 "$(dirname "$install")/mpich-prefix" "$work/scripts"
    echo "$work/home/cache/mpich" >"$work/build/mpich-prefix"
    chmod 711 "$work"
    chmod 700 "$work/home"
    expect_error "the cache of another user" "only the owner of $work/home can read it" \
        setpriv --reuid 65534 --clear-groups "$work/scripts/mpich-prefix"
fi

# the package
if command -v dpkg-deb >/dev/null; then
    expect_ok "cpack" cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work/package"
    expect_ok "the package" dpkg-deb --extract "$work"/package/*.deb "$work/unpacked"
    expect_ok "a program of the package" hidden "$work/unpacked/opt/changeover/bin/changeover" env --ranks 2
    expect_output "a program of the package" "changeover patches"
    expect "its dependencies" grep -q libfmt <(dpkg-deb --field "$work"/package/*.deb Depends)
fi
finish
