#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The program `changeover` as people use it, with real jobs on this machine.
# usage: changeover_test.sh CHANGEOVER
set -uo pipefail
source "$(dirname "$(realpath "$0")")/../../support/shell.sh"
changeover=$1
run=$work/run

exits() { [[ $1 == "$("${@:2}" >"$work/output" 2>&1; echo $?)" ]]; }

cat >"$work/cluster.json" <<'JSON'
{
    // two nodes that are this machine
    "hosts": [{"name": "a", "slots": 2}, {"name": "b", "slots": 2}],
    "launcher": {"kind": "hydra-fork"},
    "layouts": [{"nodes": 2, "ppn": 1}, {"nodes": 2, "ppn": 2}]
}
JSON
cat >"$work/plan.json" <<'JSON'
{
    "collectives": [{"name": "bcast", "max_bytes": 65536}, {"name": "allreduce", "max_bytes": 65536}],
    "size_step": 64, "case_seconds": 0.05, "min_repetitions": 10, "verify_repetitions": 20
}
JSON

# help and wrong use
expect_ok "help" "$changeover" tune --help
expect_output "help" "--budget"
expect "no command is wrong use" exits 2 "$changeover"
expect "unknown option is wrong use" exits 2 "$changeover" tune --colour
expect "unknown plan is wrong use" exits 2 "$changeover" tune --plan quik --run "$run"
expect_output "unknown plan" "quick"
expect "unreadable cluster is wrong use" exits 2 "$changeover" tune --cluster "$work/none.json" --run "$run"
sed 's/"slots": 2/"slotz": 2/' "$work/cluster.json" >"$work/bad.json"
expect "unknown key is wrong use" exits 2 "$changeover" tune --cluster "$work/bad.json" --run "$run"
expect_output "unknown key" "slots"
sed 's/"ppn": 2/"ppn": 3/' "$work/cluster.json" >"$work/bad.json"
expect "more ranks than slots is wrong use" exits 2 "$changeover" tune --cluster "$work/bad.json" --run "$run"
sed 's/65536/4294967296/' "$work/plan.json" >"$work/bad.json"
expect "sizes over 2 GiB are wrong use" exits 2 "$changeover" tune --plan "$work/bad.json" --run "$run"
expect "nothing was written" test ! -e "$run"
expect_ok "dry run" "$changeover" tune --cluster "$work/cluster.json" --plan "$work/plan.json" --dry-run --run "$run"
expect_output "dry run" "-hosts a:2,b:2"
expect "a dry run writes nothing" test ! -e "$run"

# all of it
expect_ok "tune" "$changeover" tune --cluster "$work/cluster.json" --plan "$work/plan.json" --run "$run"
expect_output "tune" "Measured"
for file in manifest.json samples.jsonl config.json tuning.json verification.json report.html; do
    expect "$file is there" test -s "$run/$file"
done
expect "the configuration is verified" grep -q '"verified": true' "$run/config.json"
expect "it was verified by a file of candidates" grep -q "\"tuning_file\":\"$run/candidates.json\"" "$run/samples.jsonl"
expect "which is gone" test ! -e "$run/candidates.json"
lines=$(wc -l <"$run/samples.jsonl")
expect_ok "tune again" "$changeover" tune --run "$run"
expect_output "tune again" "is complete"
expect "nothing is measured again" test "$lines" = "$(wc -l <"$run/samples.jsonl")"
expect "another plan for the same run is wrong use" exits 2 "$changeover" tune --plan full --run "$run"
expect_ok "summary" "$changeover" summary --run "$run"
expect_ok "lint" "$changeover" lint "$run/config.json"
expect_ok "explain" "$changeover" explain "$run/config.json" bcast --nodes 2 --ppn 2 --bytes 4Ki --network default
expect_ok "predict" "$changeover" predict --run "$run" --layout 16x4 --set between.latency=5us
expect_output "predict" "scatter_ring_allgather"
expect_error "predict" "between.latency" "$changeover" predict --run "$run" --set between.latancy=5us
"$changeover" check --run "$run" >"$work/output" 2>&1
checked=$? # 3 if a rule does not hold, or the network is another one, which a busy machine may bring about
moved=$(grep -c '^all cells of network .* are stale$' "$work/output")
read -r held rules < <(sed -n 's/^\([0-9]*\) of \([0-9]*\) rules hold$/\1 \2/p' "$work/output")
expect "check tells by its exit code whether all rules hold, on the network that was measured" eval '[[ -n $rules ]] && ((checked == (held == rules && moved == 0 ? 0 : 3)))'

# the report (what is in it: report_test, tests/browser)
expect_ok "report" "$changeover" report --run "$run" -o "$work/report.html"
expect "a page" grep -q '</html>' "$work/report.html"
expect_ok "a figure" "$changeover" report --run "$run" --format svg --figure curves-bcast-default-2x2 -o "$work/figure.svg"
expect "an image" grep -q '</svg>' "$work/figure.svg"
expect_ok "a picture" "$changeover" report --run "$run" --format png --figure changeovers-bcast -o "$work/figure.png"
expect "a PNG" eval 'head -c 4 "$work/figure.png" | grep -q PNG'
expect_error "no rsvg-convert" "librsvg2-bin" env PATH=/nowhere "$changeover" report --run "$run" --format png --figure changeovers-bcast
expect_error "no figure named" "changeovers-bcast" "$changeover" report --run "$run" --format svg
expect "an unknown figure is wrong use" exits 2 "$changeover" report --run "$run" --format svg --figure x
expect_ok "a summary" "$changeover" report --run "$run" --format md
expect_output "a summary" "## Tuned MPI collectives"

# deciding is a function of what was measured
cp "$run/config.json" "$work/first.json"
"$changeover" decide --run "$run" >/dev/null
cp "$run/config.json" "$work/second.json"
"$changeover" decide --run "$run" >/dev/null
expect "decisions repeat" diff <(grep -v created "$work/second.json") <(grep -v created "$run/config.json")
cp "$work/first.json" "$run/config.json"

# two runs side by side
cp -r "$run" "$work/other"
sed -i 's/"seed": 1/"seed": 2/' "$work/other/manifest.json"
expect_ok "compare" "$changeover" compare "$run" "$work/other"
expect_output "what differs is told" "seed"
expect_output "equal runs have no winner" "faster, default: no significant difference"
expect_output "the kernel's counters" "time-outs in"
expect_ok "compare for programs" "$changeover" compare "$run" "$work/other" --format json
expect "it is JSON" python3 -c 'import json, sys
pair = json.load(open(sys.argv[1]))["pairs"][0]
ratios = [size["default"]["b_by_a"] for cell in pair["cells"] for size in cell["sizes"]]
assert 1 in ratios and all(ratio in (1, None) for ratio in ratios)  # none: too few repetitions on a busy machine' "$work/output"
expect "a run with itself is wrong use" exits 2 "$changeover" compare "$run" "$run"
expect "no run is wrong use" exits 2 "$changeover" compare "$run" "$work/none"
expect "an unknown network is wrong use" exits 2 "$changeover" compare --run "$run" default fast
expect "an unknown format is wrong use" exits 2 "$changeover" compare "$run" "$work/other" --format xml

# what it does to a library: emit_library_test.sh
expect_ok "emit" "$changeover" emit --run "$run" --format mpich-stock -o "$work/stock.json"
expect "a selection file" grep -q 'collective=bcast' "$work/stock.json"

expect_ok "emit the tuning file" "$changeover" emit --run "$run" --format mpich -o "$work/tuning.json"
expect "which is the one in the run" diff "$run/tuning.json" "$work/tuning.json"
expect_ok "lint of a tuning file" "$changeover" lint "$work/tuning.json"
echo '{"version": 1, "mpir": [{"collective": "bcast", "algorithm": "binomal"}]}' >"$work/bad.json"
expect "lint of a bad tuning file" exits 1 "$changeover" lint "$work/bad.json"
expect_output "lint of a bad tuning file" "error: /mpir/0/algorithm: 'binomal' is no algorithm of bcast here; use one of: binomial"

# damage
expect_error "a second process" "another" flock "$run/lock" "$changeover" verify --run "$run"
sed -i '2s/.\{20\}$//' "$run/samples.jsonl"
expect "a damaged run is wrong use" exits 2 "$changeover" summary --run "$run"
expect_output "a damaged run" "line 2"
finish
