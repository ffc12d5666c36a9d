// SPDX-License-Identifier: MIT
#include "command_lines.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "layout.hpp"

namespace {

using namespace tuner;

TEST(CommandLines, WordsAreQuotedForAShell) {
    const std::string line = changeover_command({"emit", "--run", "/a b/it's"});
    EXPECT_TRUE(line.ends_with("changeover emit --run '/a b/it'\\''s'")) << line;
}

TEST(CommandLines, PathOfTheProgramIfAShellWouldNotFindIt) {
    const char* path = std::getenv("PATH");
    const std::string before = path == nullptr ? "" : path;
    setenv("PATH", "/no/such/folder", 1);
    const std::string with_path = changeover_command({"lint"});
    setenv("PATH", std::filesystem::path(CHANGEOVER).parent_path().c_str(), 1);
    const std::string by_name = changeover_command({"lint"});
    setenv("PATH", before.c_str(), 1);
    EXPECT_EQ(with_path, std::string(CHANGEOVER) + " lint");
    EXPECT_EQ(by_name, "changeover lint");
}

TEST(CommandLines, RunsAreNamedByTheirWholePath) {
    EXPECT_TRUE(run_command("verify", "/r/./x").ends_with("changeover verify --run /r/x"));
    EXPECT_EQ(absolute_path("t").front(), '/');
}

TEST(CommandLines, ExportsAreOneLineThatAShellTakes) {
    EXPECT_EQ(export_command({{"A", "/x y"}, {"B", "eth"}}), "export A='/x y' B=eth");
}

TEST(CommandLines, LayoutsAreAsTheOptionReadsThem) {
    for (const Layout& layout :
         {Layout{4, 2}, Layout{4, 2, Mapping::round_robin}, Layout{4, 2, Mapping::round_robin, 1}}) {
        EXPECT_EQ(parse_layout(layout_option(layout)), layout);
        EXPECT_EQ(layout_option(layout).find(' '), std::string::npos);
    }
    EXPECT_EQ(layout_option({4, 2, Mapping::round_robin}), "4x2:round-robin");
}

}  // namespace
