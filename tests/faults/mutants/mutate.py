#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Copies the sources of a folder, with a defect that the program once had put back: the tests of tests/faults must find
it. Prints nothing; fails if the place is not there any more.

usage: mutate.py NUMBER FROM_FOLDER TO_FOLDER
"""
import pathlib
import sys

# number: (file, what it has, what the mutant has)
MUTANTS = {
    # A run is complete as soon as verification.json exists, be config.json verified or not.
    1: [("run_state.cpp", "if (!has_verified_rules(*config)) {", "if (!std::filesystem::exists(files.verification())) {"),
        ("run_state.cpp", "if (!has_its_proofs(files, *config)) {", "if (false) {"),
        ("run_state.cpp", "return has_tuning_file(files, *config) ? RunState::complete : RunState::unwritten;",
         "return RunState::complete;"),
        ("run_state.cpp", "bool has_tuning_file(", "[[maybe_unused]] bool has_tuning_file(")],
    # Rules that are yet to be verified are written to the tuning.json that jobs read.
    2: [("commit.cpp", "absolute(files.candidates())", "absolute(files.tuning())"),
        ("commit.cpp", "std::filesystem::remove(path_, ignored);", "")],
}


def main():
    number, source, target = int(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    texts = {path.name: path.read_text(encoding="utf-8") for path in source.glob("*.cpp")}
    for name, old, new in MUTANTS[number]:
        if texts.get(name, "").count(old) != 1:
            raise SystemExit(f"mutant {number}: '{old}' is not once in {name}; change {__file__} so that the defect comes back")
        texts[name] = texts[name].replace(old, new)
    target.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (target / name).write_text("#include <filesystem>\n" + text, encoding="utf-8")


if __name__ == "__main__":
    main()
