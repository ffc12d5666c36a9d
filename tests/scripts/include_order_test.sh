#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The folders of tuner/ and bench/ follow the flow: a file can include headers of its own folder and of those before,
# and no others. Tries one include of each kind for each folder, with the folder's own options of the compiler.
# usage: include_order_test.sh BUILD_FOLDER SOURCE_FOLDER
set -euo pipefail
build=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# the options that the sources of a folder are compiled with: those of its target, tuner_report_data for
# tuner/report/data (its sources may be compiled as one unit, whose name does not tell the folder)
options_of() { # FOLDER
    python3 - "$build/compile_commands.json" "${1//\//_}" <<'PYTHON'
import json, shlex, sys
for entry in json.load(open(sys.argv[1])):
    if f"/{sys.argv[2]}.dir/" in entry["command"]:
        words = shlex.split(entry["command"])
        print("\n".join(w for i, w in enumerate(words) if w.startswith("-I") or words[i - 1] == "-isystem" or w == "-isystem"))
        break
else:
    sys.exit("the target " + sys.argv[2] + " is not compiled")
PYTHON
}

includes() { # FOLDER HEADER: can a file of the folder include it?
    local options
    mapfile -t options < <(options_of "$1")
    ((${#options[@]})) || { echo "no options of $1" >&2; exit 1; }
    echo "#include \"$2\"" >"$work/$(basename "$2" .hpp)_probe.cpp"
    # only looked for: what it contains does not matter
    "${CXX:-c++}" -std=c++20 -E "${options[@]}" "$work/$(basename "$2" .hpp)_probe.cpp" >/dev/null 2>"$work/problem"
}

header_of() { # FOLDER: one that no other folder has
    local header
    header=$(find "$source/$1" -maxdepth 1 -name '*.hpp' | sort | head -1)
    [[ -n $header ]] || { echo "$1 has no header" >&2; exit 1; }
    basename "$header"
}

status=0 tried=0
check_order() { # FOLDER... in their order
    local folders=("$@") i
    for ((i = 0; i < ${#folders[@]}; i++)); do
        local here=${folders[i]}
        if ! includes "$here" "$(header_of "$here")"; then
            echo "$here cannot include its own $(header_of "$here"): $(cat "$work/problem")" >&2
            status=1
        fi
        ((i + 1 < ${#folders[@]})) || continue
        local next=${folders[i + 1]}
        if includes "$here" "$(header_of "$next")"; then
            echo "$here can include $(header_of "$next") of $next, which comes after it" >&2
            status=1
        fi
        if ! includes "$next" "$(header_of "$here")"; then
            echo "$next cannot include $(header_of "$here") of $here, which comes before it" >&2
            status=1
        fi
        tried=$((tried + 1))
    done
}

check_order tuner/{base,cluster,plan,samples,measure} tuner/{rules,emit,lint,verify,audit,compare} \
    tuner/report/{data,figures,page} tuner/report tuner/trace/{events,analysis,show} tuner/commands
check_order tuner/{samples,model,rules}
check_order bench/{node,clock,patterns,libraries,measure,io}
echo "$tried includes against the order were tried"
((tried >= 20)) || status=1
exit $status
