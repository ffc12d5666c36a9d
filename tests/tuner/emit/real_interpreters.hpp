// SPDX-License-Identifier: MIT
// Executes emitted files with the real `sh` and `tclsh`, in a folder of its own, as jobs and module systems
// do.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

class Interpreters : public testing::Test {
  protected:
    void SetUp() override {
        std::string pattern = testing::TempDir() + "hostile-XXXXXX";
        folder = mkdtemp(pattern.data());
    }
    void TearDown() override { std::filesystem::remove_all(folder); }

    // Exit code of a script of bash, which runs in the folder; its output is for people
    int run(const std::string& script) const {
        write("script", script);
        return std::system(("cd '" + folder.string() + "' && sh ./script >log 2>&1 </dev/null").c_str());
    }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(folder / name, std::ios::binary) << text;
    }
    std::string read(const std::string& name) const {
        std::ostringstream text;
        text << std::ifstream(folder / name, std::ios::binary).rdbuf();
        return text.str();
    }
    bool has_canary() const { return std::filesystem::exists(folder / "canary"); }

    // Sources `emitted` in sh and prints a variable into the file `value`
    int source_in_sh(const std::string& emitted, const std::string& variable) const {
        write("emitted.sh", emitted);
        return run("sh -n ./emitted.sh && . ./emitted.sh && printf %s \"$" + variable + "\" >value");
    }
    // Loads `emitted` as a module: what a program that is started then finds in its environment is in `value`
    int load_in_tcl(const std::string& emitted, const std::string& variable, const char* locale) const {
        write("emitted.tcl", emitted);
        write("load.tcl",
              "proc setenv {name value} {set ::env($name) $value}\n"
              "proc module-whatis {text} {}\n"
              "source emitted.tcl\n"
              "exec printenv -0 $argv | head -c -1 >value\n");
        return run(std::string("LC_ALL=") + locale + " tclsh load.tcl " + variable);
    }

    std::filesystem::path folder;
};
