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
#include <vector>

class Interpreters : public testing::Test {
  protected:
    using Texts = std::vector<std::string>;

    void SetUp() override {
        std::string pattern = testing::TempDir() + "hostile-XXXXXX";
        folder = mkdtemp(pattern.data());
    }
    void TearDown() override {
        EXPECT_FALSE(std::filesystem::exists(folder / "canary")) << "a command was executed";
        std::filesystem::remove_all(folder);
    }

    // The value of the variable after each of the files was sourced by sh, without a word on standard error
    Texts source_in_sh(const Texts& emitted, const std::string& variable) const {
        write_all(emitted);
        run("for number in $(seq 0 " + std::to_string(emitted.size() - 1) +
            "); do sh -n ./emitted$number && sh -c '. \"./$0\" && printf %s \"$" + variable +
            "\" >value$1' emitted$number $number; done");
        return read_all(emitted.size());
    }
    // What a program that is started after each of the modules was loaded finds in its environment
    Texts load_in_tcl(const Texts& emitted, const std::string& variable, const char* locale) const {
        write_all(emitted);
        write("load.tcl",
              "proc setenv {name value} {set ::env($name) $value}\n"
              "proc module-whatis {text} {}\n"
              "for {set number 0} {$number < " +
                  std::to_string(emitted.size()) +
                  "} {incr number} {\n"
                  "    source emitted$number\n"
                  "    exec printenv -0 " +
                  variable +
                  " | head -c -1 >value$number\n"
                  "    unset ::env(" +
                  variable + ")\n}\n");
        run(std::string("LC_ALL=") + locale + " tclsh load.tcl");
        return read_all(emitted.size());
    }

    std::filesystem::path folder;

  private:
    void run(const std::string& script) const {
        write("script", script);
        EXPECT_EQ(std::system(("cd '" + folder.string() + "' && sh ./script >log 2>&1 </dev/null").c_str()),
                  0);
        EXPECT_EQ(read("log"), "");
    }
    void write_all(const Texts& emitted) const {
        for (std::size_t i = 0; i < emitted.size(); ++i) {
            write("emitted" + std::to_string(i), emitted[i]);
        }
    }
    Texts read_all(std::size_t count) const {
        Texts values;
        for (std::size_t i = 0; i < count; ++i) {
            values.push_back(read("value" + std::to_string(i)));
            std::filesystem::remove(folder / ("value" + std::to_string(i)));
        }
        return values;
    }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(folder / name, std::ios::binary) << text;
    }
    std::string read(const std::string& name) const {
        std::ostringstream text;
        text << std::ifstream(folder / name, std::ios::binary).rdbuf();
        return text.str();
    }
};
