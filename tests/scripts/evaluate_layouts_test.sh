#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The rules of the quick start serve jobs that it did not measure: on this machine, 1xN for N from 2 to 16 and faked nodes,
# each layout has a rule, and none is significantly slower than the library's own choice by more than 5%.
# usage: evaluate_layouts_test.sh SOURCE_FOLDER PROGRAMS
set -euo pipefail
source=$1 programs=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$source/scripts/evaluate-layouts" --here --check --budget 3m --programs "$programs" "$work/evaluation"
