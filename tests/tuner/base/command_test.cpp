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

// What `sh` prints for a line
std::string output_of(const std::string& line) {
    Process shell({{"sh", "-c", line + "; echo"}, {}}, new_token());
    std::string text;
    shell.read_line(text, in_seconds(10));
    return text;
}

TEST(ToShell, ANameThatIsNoIdentifierIsNeverACommand) {
    const std::string line = to_shell({{"sh", "-c", "echo started"}, {{"X;echo intruder;Y", "$(echo 1)"}}});
    EXPECT_EQ(output_of(line), "started") << line;
    EXPECT_EQ(output_of(to_shell({{"printenv", "1 A"}, {{"1 A", "b c"}}})), "b c");
}

TEST(ToShell, AProgramWithAnEqualsSignIsNoAssignment) {
    EXPECT_EQ(to_shell({{"A=b", "c=d"}, {}}), "'A=b' c=d");
}

TEST(ShellQuoted, ComesBackFromAShell) {
    for (const std::string word : {"plain", "a b", "it's", "'", "$(touch x)", "`id`", "\\", "~root", "a;b",
                                   "!x", "{a,b}", "\x01\x1b[31m", "\xff\xfe"}) {
        EXPECT_EQ(output_of("printf %s " + shell_quoted(word)), word) << shell_quoted(word);
    }
}

}  // namespace
