#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every command that a tuning and its report print is executed here, from the printed text itself, and the rules apply in
# a job that was started as it says. fake-bench answers with the times of a file, so that there are rules to print.
# usage: printed_commands_test.sh CHANGEOVER MPIEXEC CHANGEOVER_WHICH
set -uo pipefail
here=$(dirname "$(realpath "$0")")
source "$here/../../support/shell.sh"
changeover=$1 mpiexec=$2 which=$3
folder="$work/a run" # with a space, as people have them
mkdir "$folder"
cd "$folder" || exit 1

cat >cluster.json <<JSON
{
    "hosts": ["a", "b"],
    "launcher": {"kind": "hydra-fork"},
    "mpi": {"benchmark": "$here/../measure/fake-bench", "changeover": "$changeover"},
    "networks": [{"name": "my net", "environment": {"FAKE_NODES": "2", "FAKE_PPN": "1",
        "FAKE_HEADER": "{\"library\": \"MPICH Version: 4.0.2, changeover patches\"}", "FAKE_TIMES_FILE": "$folder/times.json"}}],
    "layouts": [{"nodes": 2, "ppn": 1}]
}
JSON
cat >plan.json <<'JSON'
{"collectives": [{"name": "bcast", "max_bytes": "1Mi"}], "verify_repetitions": 30}
JSON
cat >times.json <<'JSON'
{"bcast": {"default": [100, 1, "binomial"], "binomial": [100, 1], "scatter_ring_allgather": [150, 0.5]}}
JSON
expect_ok "tune" "$changeover" tune --cluster cluster.json --plan plan.json --run tuned
cp "$work/output" "$work/tune.txt"

# uses_the_rule SCRIPT: after these lines, a broadcast of 512 KiB in a job of the rule's layout uses its algorithm
uses_the_rule() {
    bash -c "set -e; cd $(printf %q "$folder"); $1
exec $(printf %q "$mpiexec") -launcher fork -iface lo -hosts a:1,b:1 -n 2 $(printf %q "$which") bcast --bytes 512Ki" >"$work/output" 2>&1
    grep -q scatter_ring_allgather "$work/output"
}
expect "without a word the default is used" eval '! uses_the_rule ""'

# Each command below 'Next:'; what begins with # says what it is for
sed -n '/^Next:/,$p' "$work/tune.txt" | sed -n 's/^  \([^# ].*\)$/\1/p' >"$work/commands.txt"
expect "there are commands to try" test "$(wc -l <"$work/commands.txt")" -ge 4
exports=0
while IFS= read -r line; do
    case $line in
    export\ *)
        expect "rules apply after: $line" uses_the_rule "$line"
        exports=$((exports + 1))
        ;;
    *) expect_ok "$line" bash -c "$line" ;;
    esac
done <"$work/commands.txt"
expect "one line activates the rules" test $exports -ge 1

# The blocks of the report: each in a new shell
python3 - "$folder/tuned/report.html" "$work/block" <<'PYTHON'
import html.parser, sys
class Blocks(html.parser.HTMLParser):
    inside, blocks = False, []
    def handle_starttag(self, tag, attributes):
        if tag == "pre":
            self.inside = True
            self.blocks.append("")
    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "pre"
    def handle_data(self, data):
        if self.inside:
            self.blocks[-1] += data
parser = Blocks()
parser.feed(open(sys.argv[1]).read())
blocks = [b for b in parser.blocks if "changeover " in b or "export " in b]
for number, block in enumerate(blocks):
    open(f"{sys.argv[2]}{number}.sh", "w").write(block)
PYTHON
expect "the report has blocks to try" test -e "$work/block1.sh"
applied=0
for block in "$work"/block*.sh; do
    expect_ok "$(cat "$block")" bash -ec "cd $(printf %q "$folder"); $(cat "$block")"
    # of the patched MPICH, if it can say what the rules say
    if grep -q 'TUNING_FILE\|\.sh' "$block" && ! grep -q 'cannot express' "$block"; then
        expect "rules apply after: $(cat "$block")" uses_the_rule "$(cat "$block")"
        applied=$((applied + 1))
    fi
done
expect "a block of the report activates the rules" test $applied -ge 1
finish
