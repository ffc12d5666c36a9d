// SPDX-License-Identifier: MIT
// What is printed as a command means the same to a real shell.
#include "command.hpp"

#include <gtest/gtest.h>

#include "process.hpp"

namespace {

using namespace tuner;

TEST(ToShell, LeavesPlainWordsAlone) {
    EXPECT_EQ(to_shell({{"mpiexec", "-n", "4", "./a.out"}, {}}), "mpiexec -n 4 ./a.out");
    EXPECT_EQ(to_shell({{"a"}, {{"X", "1"}}}), "X=1 a");
}

TEST(ToShell, IsUnderstoodByAShell) {
    const std::vector<std::string> hostile = {"printf", "%s|", "a b", "it's", "$(id)",
                                              "`id`",   "x;y", "",    "\"",   "*"};
    Process shell({{"sh", "-c", to_shell({hostile, {{"A", "b c"}}}) + "; echo"}, {}}, new_token());
    std::string line;
    shell.read_line(line, in_seconds(10));
    EXPECT_EQ(line, "a b|it's|$(id)|`id`|x;y||\"|*|");
}

}  // namespace
