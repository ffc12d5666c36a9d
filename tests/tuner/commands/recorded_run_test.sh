#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What is decided, emitted and compared from the recorded run stays the same: config.json, every format of
# emit, and the JSON of compare, against files that an earlier version wrote (tests/data/recorded/golden).
# usage: recorded_run_test.sh CHANGEOVER RECORDED_RUN [--write]     --write: write the files, in place of comparing
set -uo pipefail
here=$(dirname "$(realpath "$0")")
source "$here/../../support/shell.sh"
changeover=$1 recorded=$2 golden=$2/golden
formats=(env mpich mpich-stock openmpi openmpi-params module)

for name in a b; do
    mkdir "$work/$name"
    cp "$recorded"/{manifest.json,samples.jsonl} "$work/$name"
done
cd "$work" || exit 1
# dates and the version of the program are not what is compared
normal() { sed -E "s#$work#WORK#g"';s/"created": ?"[^"]*"/"created":""/; s/20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z/DATE/g; s/changeover [0-9]+\.[0-9]+\.[0-9]+/changeover VERSION/g'; }

expect_ok "decide" "$changeover" decide --run a
normal <a/config.json >config.json
for format in "${formats[@]}"; do
    expect "emit --format $format" "$changeover" emit --run a --format "$format" -o "$format.out"
    normal <"$format.out" >"$format"
    rm "$format.out"
done
"$changeover" compare a b --format json >compare.out || fail_case "compare"
normal <compare.out >compare.json
model_of() { "$changeover" "$1" --run a | sed '/^typical error/q'; }
expect "fit says how far the model is off" grep -q "^typical error of the model" <(model_of fit)
expect "fit and predict have the same model" diff <(model_of fit) <(model_of predict)
"$changeover" predict --run a --format json >predict.json || fail_case "predict --format json"
expect "predicted times lie in their intervals" python3 -c '
import json, sys
times = [t for call in json.load(open("predict.json"))["predictions"] for t in call["times"]]
sys.exit(not times or not all(t["interval_seconds"][0] < t["seconds"] < t["interval_seconds"][1] for t in times))'
mkdir written
mv config.json compare.json "${formats[@]}" written/
if [[ ${3:-} == --write ]]; then
    rm -rf "$golden"
    cp -r written "$golden"
    exit
fi
# Processors and compilers round the last digit of a product and a sum differently, so that numbers are equal within a
# billionth; and a checksum is that of its digits.
is_same() { # FILE
    diff -u "$golden/$1" "written/$1" >"$work/output" || python3 - "$golden/$1" "written/$1" <<'PYTHON'
import math, re, sys
number = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")
a, b = (re.sub("fnv1a-[0-9a-f]{16}", "CHECKSUM", open(name).read()) for name in sys.argv[1:])
close = all(math.isclose(float(x), float(y), rel_tol=1e-9) for x, y in zip(number.findall(a), number.findall(b)))
sys.exit(not (close and number.sub("N", a) == number.sub("N", b)))
PYTHON
}
for file in "$golden"/*; do
    expect "$(basename "$file") is as before" is_same "$(basename "$file")"
done
expect "all of them were compared" test "$(ls "$golden" | wc -l)" = 8
finish
