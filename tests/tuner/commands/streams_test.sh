#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Standard output and standard error that are closed, full or read by nobody: measurements go on and the journal stays
# clean; a command whose result is what it prints fails. Also -o to links, FIFOs and devices, times of zero, and paths
# and files that are none. fake-bench answers with the times of a file.
# usage: streams_test.sh CHANGEOVER
set -uo pipefail
here=$(dirname "$(realpath "$0")")
source "$here/../../support/shell.sh"
changeover=$1

exits() { [[ $1 == "$("${@:2}" >"$work/output" 2>&1; echo $?)" ]]; }
is_complete() { "$changeover" summary --run "$1" >"$work/output" 2>&1 && grep -q "geometric mean" "$work/output"; }

cat >"$work/cluster.json" <<JSON
{
    "hosts": ["a", "b"],
    "launcher": {"kind": "hydra-fork"},
    "mpi": {"benchmark": "$here/../measure/fake-bench", "changeover": "$changeover"},
    "networks": [{"name": "net", "environment": {"FAKE_NODES": "2", "FAKE_PPN": "1",
                                                 "FAKE_TIMES_FILE": "$work/times.json"}}],
    "layouts": [{"nodes": 2, "ppn": 1}]
}
JSON
echo '{"collectives": [{"name": "bcast", "max_bytes": "1Ki"}], "verify_repetitions": 12, "size_step": 8}' >"$work/plan.json"
echo '{"bcast": {"default": [100, 1, "binomial"], "binomial": [100, 1], "smp": [50, 1]}}' >"$work/times.json"
tune() { "$changeover" tune --cluster "$work/cluster.json" --plan "$work/plan.json" --run "$work/$1"; }

# closed: what is opened next must not become standard error
tune closed >&- 2>&- <&-
expect "the run without standard streams is complete" is_complete "$work/closed"
expect "its journal has nothing but JSON" python3 -c 'import json, sys
for line in open(sys.argv[1]): json.loads(line)' "$work/closed/samples.jsonl"

# full, and read by nobody
tune full 2>/dev/full >"$work/printed"
expect "a full standard error does not matter" test $? = 0
expect "the run is complete" is_complete "$work/full"
tune left 2>&1 | head -1 >/dev/null
expect "a reader that goes away does not matter" is_complete "$work/left"
"$changeover" --no-such-option >/dev/full 2>/dev/full
expect "an error that nobody can read still has its exit code" test $? = 2
"$changeover" emit --run "$work/none" 2>/dev/full
expect "any error has" test $? = 2 -o $? = 1

# results
lost="cannot write to standard output: No space left on device"
for command in "summary" "emit --format env" "emit --format mpich" "report --format md" "distributions" "check" \
    "report --format svg --figure curves-bcast-net-2x1"; do
    expect "$command" exits 1 bash -c "'$changeover' $command --run '$work/full' 3>&1 >/dev/full 2>&3"
    expect_output "$command says why" "$lost"
done
for command in "compare $work/full $work/left" "lint $work/full/config.json" "env --cluster $work/cluster.json" "--help" \
    "tune --help" "--version" "explain $work/full/config.json bcast --nodes 2 --ppn 1 --bytes 64"; do
    expect "$command" exits 1 bash -c "'$changeover' $command 3>&1 >/dev/full 2>&3"
    expect_output "$command says why" "$lost"
done
expect "a closed standard output is an error" exits 1 bash -c "'$changeover' summary --run '$work/full' >&-"
expect_output "it says why" "cannot write to standard output: Bad file descriptor"

# -o
emit() { "$changeover" emit --run "$work/full" --format env -o "$1"; }
emit "$work/plain"
echo old >"$work/target"
ln -s target "$work/link"
expect_ok "emit to a link" emit "$work/link"
expect "it is still a link" test -L "$work/link"
expect "its target is replaced" cmp -s "$work/target" "$work/plain"
mkfifo "$work/fifo"
cat "$work/fifo" >"$work/read" &
expect_ok "emit to a FIFO" emit "$work/fifo"
wait $!
expect "it was read" cmp -s "$work/read" "$work/plain"
expect "it is still a FIFO" test -p "$work/fifo"
# device nodes of our own: if they were replaced, nobody else would miss them
if mknod "$work/null" c 1 3 2>/dev/null && mknod "$work/full_disk" c 1 7 && echo >"$work/null" 2>/dev/null; then
    expect_ok "emit to a device" emit "$work/null"
    expect "it is still a device" test -c "$work/null"
    expect_error "a full device" "full_disk cannot be written: No space left on device" emit "$work/full_disk"
    expect "it is still a device" test -c "$work/full_disk"
fi
emit /dev/stdout >"$work/read"
expect "standard output by its name" cmp -s "$work/read" "$work/plain"

# times of zero are no measurement: not in an answer, and not in a journal
echo '{"bcast": {"default": [100, 1, "binomial"], "binomial": [100, 1], "smp": [0, 0]}}' >"$work/times.json"
expect_ok "one algorithm has times of zero" tune zero
expect_output "it is told" "samples are not times"
expect "no rule uses it" test "$(grep -c '"smp"' "$work/zero/config.json")" = 0
echo '{"bcast": {"default": [0, 0, "binomial"], "binomial": [0, 0], "smp": [0, 0]}}' >"$work/times.json"
tune zeros >"$work/output" 2>&1
expect "all algorithms have times of zero" test $? -le 1
cp -r "$work/full" "$work/old"
python3 - "$work/old/samples.jsonl" <<'PYTHON'
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
with open(sys.argv[1], "w") as file:
    for line in lines:
        line.pop("crc", None)
        if line["type"] == "case":
            line["samples_us"] = [0 for sample in line.pop("samples_us")]
        file.write(json.dumps(line, separators=(",", ":")) + "\n")
PYTHON
rm -f "$work/old"/{config,tuning,verification}.json
for command in decide report summary distributions fit tune; do
    "$changeover" $command --run "$work/old" >"$work/output" 2>&1
    expect "a journal with times of zero: $command" test $? -le 2
done

# what is no path, and what is no file
expect_error "a run path that is not UTF-8" "r\\xff' is not UTF-8; name another one with --run" \
    "$changeover" tune --cluster "$work/cluster.json" --run "$work/"$'r\xff'
expect_error "a run path that is not UTF-8, read" "is not UTF-8" "$changeover" summary --run "$work/"$'r\xff'
python3 -c 'print("[" * 200000 + "]" * 200000)' >"$work/deep.json"
for command in "tune --run $work/new --cluster" "tune --run $work/new --plan"; do
    expect "$command a file that is too deep" exits 2 "$changeover" $command "$work/deep.json"
    expect_output "with its name" "deep.json, line 1: arrays and objects are nested more than 100 levels deep"
done
"$changeover" lint "$work/deep.json" >"$work/output" 2>&1
expect "lint of a file that is too deep" test $? -le 2
echo '{"size_step": 1e999}' >"$work/large.json"
expect_error "a number that is too large" "large.json, line 1: number overflow parsing '1e999'" \
    "$changeover" tune --plan "$work/large.json" --run "$work/new"
expect "nothing was started" test ! -e "$work/new"
finish
