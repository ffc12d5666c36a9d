#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# mpich-patches/fetch-source: the order of the sources, and that a wrong hash is an error at each of them.
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../support/shell.sh"
fetch=$(dirname "$(realpath "$0")")/../../mpich-patches/fetch-source

release=$work/9.9
cache=$work/cache
mkdir -p "$release" "$work/bin" "$work/apt-etc"
echo "packed by Debian" >"$work/debian.tar"
echo "released upstream" >"$work/upstream.tar"
hash_of() { sha256sum "$1" | cut -d' ' -f1; }
cat >"$release/source" <<EOF
# comment
debian    mpich_9.9.orig.tar  $(hash_of "$work/debian.tar")
upstream  mpich-9.9.tar       $(hash_of "$work/upstream.tar")
EOF
# a download page that hands out $work/page, if there is one
cat >"$work/bin/curl" <<EOF
#!/bin/sh
while [ \$# -gt 1 ]; do [ "\$1" = -o ] && out=\$2; shift; done
echo "\$1" >> "$work/asked"
cp "$work/page" "\$out"
EOF
# a distribution that has $work/package as its source package, of the release in $work/package-release
cat >"$work/bin/apt-get" <<EOF
#!/bin/sh
echo "\$*" >> "$work/apt-asked"
case "\$*" in
*update*) cat "\$(echo "\$*" | sed 's/.*SourceParts=\([^ ]*\).*/\1/')"/* > "$work/apt-sources" ;;
*--print-uris*) [ -e "$work/package" ] && echo "'http://x/mpich_\$(cat "$work/package-release").orig.tar' mpich_9.9.orig.tar" | sed "s/ mpich_.*//" ;;
*source*) cp "$work/package" mpich_9.9.orig.tar ;;
esac
EOF
chmod +x "$work/bin/curl" "$work/bin/apt-get"
mkdir -p "$work/apt-etc/sources.list.d"
echo 'deb [signed-by=/k] http://h/debian stable main' >"$work/apt-etc/sources.list"
printf 'Types: deb\nURIs: http://h2/debian\nSuites: stable\n' >"$work/apt-etc/sources.list.d/d.sources"
export PATH=$work/bin:$PATH CHANGEOVER_APT_ETC=$work/apt-etc

expect_ok "a named tarball, upstream's" "$fetch" "$release" "$cache" "$work/upstream.tar"
expect_output "is used where it lies" "$work/upstream.tar"
expect_ok "a named tarball, Debian's" "$fetch" "$release" "$cache" "$work/debian.tar"
echo other >"$work/other.tar"
expect_error "a named tarball that is another" "is not the tarball of MPICH 9.9" "$fetch" "$release" "$cache" "$work/other.tar"
expect_error "a named tarball that is not there" "cannot be read" "$fetch" "$release" "$cache" "$work/none.tar"

expect_error "nothing to be had" "CHANGEOVER_MPICH_TARBALL" "$fetch" "$release" "$cache"
expect "the download page was asked last" grep -q 'www.mpich.org.*/9.9/mpich-9.9.tar' "$work/asked"
cp "$work/other.tar" "$work/page"
expect_error "a download with a wrong hash" "it was not kept" "$fetch" "$release" "$cache"
expect "and is not kept" test -z "$(ls "$cache")"
cp "$work/upstream.tar" "$work/page"
expect_ok "a download" "$fetch" "$release" "$cache"
expect "is in the cache, alone" test "$(ls "$cache")" = mpich-9.9.tar
rm "$work/page" "$work/asked"
expect_ok "the cache" "$fetch" "$release" "$cache"
expect "needs no download" test ! -e "$work/asked"
echo damage >>"$cache/mpich-9.9.tar"
expect_error "a damaged cache" "delete it and try again" "$fetch" "$release" "$cache"

rm -r "$cache" "$work/apt-asked"
cp "$work/upstream.tar" "$work/page"
cp "$work/debian.tar" "$work/package"
echo 9.9 >"$work/package-release"
expect_ok "the distribution's source package" "$fetch" "$release" "$cache"
expect_output "comes before the download page" "$cache/mpich_9.9.orig.tar"
expect "sources in lines become sources of source packages" grep -qx 'deb-src \[signed-by=/k\] http://h/debian stable main' "$work/apt-sources"
expect "sources in stanzas, too" grep -qx 'Types: deb-src' "$work/apt-sources"
expect "the system's own are not used" grep -q 'Dir::Etc::SourceList=/dev/null' "$work/apt-asked"
rm -r "$cache"
cp "$work/other.tar" "$work/package"
expect_error "a source package with a wrong hash" "it was not kept" "$fetch" "$release" "$cache"
echo 8.8 >"$work/package-release"
expect_ok "a source package of another release" "$fetch" "$release" "$cache"
expect_output "is passed over for the download page" "$cache/mpich-9.9.tar"

expect_error "wrong use" "usage:" "$fetch" "$release"

finish
