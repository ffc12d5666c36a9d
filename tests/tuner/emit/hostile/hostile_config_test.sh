#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A config.json that somebody else has written: names that would be commands are refused when it is read; texts that
# may be anything, and paths, come through `emit`, sh, tclsh and Open MPI as they are, and no command runs.
# usage: hostile_config_test.sh CHANGEOVER EMIT_TOOL
set -uo pipefail
here=$(dirname "$(realpath "$0")")
source "$here/../../../support/shell.sh"
changeover=$1
formats=(env module mpich mpich-stock openmpi openmpi-params)
export work
"$2" config >"$work/good.json"
mkdir "$work/run" "$work/jobs"
cd "$work/jobs" || exit 1

# change PYTHON: the good configuration `c`, changed; `evil` has a command of sh and one of Tcl in lines of their own
change() {
    python3 - "$1" <<'PYTHON'
import json, os, sys
c = json.load(open(os.environ["work"] + "/good.json"))
evil = "x\ntouch canary\nexec touch canary\n"
exec(sys.argv[1])
json.dump(c, open(os.environ["work"] + "/run/config.json", "w"))
PYTHON
}
emit() { "$changeover" emit --run "$work/run" --layout 4x1 "$@"; }

# refused PLACE PYTHON: no format is written, and the message names the place
refused() {
    change "$2"
    local format
    for format in "${formats[@]}"; do
        expect_error "$format: $2" "config.json$1" emit --format "$format" -o "$work/emitted"
    done
    expect "$2: nothing is written" test ! -e "$work/emitted"
}
refused ", rules[0].algorithm: " "c['rules'][0]['algorithm'] = evil"
refused ", rules[4].algorithm: " "c['rules'][4]['algorithm'] = '\$(touch canary)'"
refused ", rules[1].collective: " "c['rules'][1]['collective'] = evil"
refused ", rules[2].network: " "c['rules'][2]['network'] = evil"
refused ", rules[3].operation: " "c['rules'][3]['operation'] = evil"
refused ", rules[5]: alltoall has no algorithm 'bruck'" "c['rules'][5]['algorithm'] = 'bruck'"
refused ", fingerprint.networks[0]: " "c['fingerprint']['networks'] = [evil]"
refused ", algorithm_values.bcast: " "c['algorithm_values'] = {'bcast': evil}"
refused ": the checksum does not match" "c['rules'][0]['from_bytes'] += 1"
refused ": the checksum does not match" "c['checksum'] = 'fnv1a-0'"
change "c['verified'] = False"
expect_ok "rules that are not verified" emit --format env
expect_output "are emitted with a warning" "Warning: $work/run/config.json: the rules were not verified"

# What people may write: the run, the library, the machine, notes
network="it's \"\$(touch canary)\" [exec touch canary] {; touch canary; \\"
change "c['run'] = c['library'] = c['created'] = evil; c['notes'] = [evil]; c['fingerprint'] = {evil: evil}
for rule in c['rules']: rule['network'] = '''it's \"\$(touch canary)\" [exec touch canary] {; touch canary; \\\\'''"
for format in "${formats[@]}"; do
    [[ $format == openmpi-params ]] && named=(--rules-file /rules) || named=()
    expect_ok "$format" emit --format "$format" --accept-edited "${named[@]}" -o "$work/$format"
    expect_output "$format: edited rules" "edited and are not verified"
done
expect_ok "sh -n" sh -n "$work/env"
expect_ok "sh" sh -c ". '$work/env' && printf %s \"\$MPIR_CVAR_BCAST_MIN_PROCS\""
expect "sh: the value" test "$(cat "$work/output")" = 4
expect "mpich: the network" test "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["mpir"][0]["network"])' "$work/mpich")" = "$network"

load_module() { # VARIABLE: its value after loading $work/module is in $work/value
    { echo 'proc setenv {name value} {set ::env($name) $value}; proc module-whatis {text} {}'
      cat "$work/module"
      echo "exec printenv $1 >$work/value"; } >"$work/load.tcl"
    tclsh "$work/load.tcl"
}
expect_ok "tclsh" load_module MPIR_CVAR_BCAST_MIN_PROCS
expect "tclsh: the value" test "$(cat "$work/value")" = 4
file="$work/a \$(touch canary) [exec touch canary] {'\"; \\ü.json"
touch "$file"
expect_ok "a module with a file" emit --format module --network "$network" --tuning-file "$file" --accept-edited -o "$work/module"
for row in "TUNING_FILE $file" "TUNING_NETWORK $network"; do
    expect_ok "tclsh: ${row%% *}" load_module "MPIR_CVAR_COLL_${row%% *}"
    expect "tclsh: ${row%% *} comes back" test "$(cat "$work/value")" = "${row#* }"
done
expect_error "a file that is not UTF-8" "is not UTF-8" emit --format module --tuning-file $'/\xff' --accept-edited

# Open MPI's own reader
rules="$work/a \$(touch canary) # '\"= ü.conf"
expect_ok "openmpi-params" emit --format openmpi-params --rules-file "$rules" --accept-edited -o "$work/params"
if command -v ompi_info >/dev/null; then
    read_back=$(OMPI_MCA_mca_base_param_files=$work/params ompi_info --parsable --param coll tuned --level 9 |
        sed -n 's/.*:coll_tuned_dynamic_rules_filename:value://p')
    expect "Open MPI reads the path: $read_back" test "$read_back" = "$rules"
else
    echo "skipped: Open MPI's own reader (ompi_info is missing)"
fi
expect_error "a path with a line end" "cannot be put into a parameter file" \
    emit --format openmpi-params --rules-file $'/a\nb = c' --accept-edited

expect "no command was executed" test -z "$(find "$work" -name canary)"
finish
