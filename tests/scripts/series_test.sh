#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The patch series of a release against its real source.
# usage: series_test.sh RELEASE SOURCE_CACHE [TARBALL]
set -euo pipefail
root=$(dirname "$(dirname "$(dirname "$(realpath "$0")")")")
tarball=$("$root/mpich-patches/fetch-source" "$root/mpich-patches/$1" "$2" "${@:3}")
"$root/scripts/patches" check --source "$tarball" "$1"
