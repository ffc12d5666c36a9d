#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The selection tree in the program is that of the unpatched MPICH release.
# usage: mpich_tree_test.sh TREE MPICH_SOURCE
set -euo pipefail
tail -n +3 "$1" | cmp - "$2/maint/tuning/coll/mpir/generic.json"
