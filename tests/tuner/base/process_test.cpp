// SPDX-License-Identifier: MIT
// Children that answer, hang, flood, ignore signals; and that nothing of a job is left when it was ended.
#include "process.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "error.hpp"

namespace {

using namespace tuner;
using namespace std::chrono_literals;

Command shell(const std::string& script, const Environment& environment = {}) {
    return {{"/bin/sh", "-c", script}, environment};
}

// By the commands' own words in /proc, not by the code under test
int count_marked(const std::string& token) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        std::ifstream file(entry.path() / "environ", std::ios::binary);
        const std::string all((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        count += all.find("CHANGEOVER_JOB=" + token) != std::string::npos;
    }
    return count;
}

const Command two_spinning_ranks = {
    {MPIEXEC, "-launcher", "fork", "-iface", "lo", "-hosts", "a:1,b:1", "-n", "2", STUBBORN_RANK}, {}};

void await_ranks(Process& process) {
    for (int i = 0; i < 2; ++i) {
        std::string line;
        ASSERT_EQ(process.read_line(line, in_seconds(30)), Process::Read::line);
        ASSERT_EQ(line, "ready");
    }
}

TEST(Process, TalksToItsChild) {
    Process process(
        shell("while read line; do echo \"$GREETING $line\"; done; exit 5", {{"GREETING", "hello, you"}}),
        new_token());
    std::string line;
    for (const char* name : {"one", "two"}) {
        EXPECT_TRUE(process.write(std::string(name) + "\n", in_seconds(10)));
        ASSERT_EQ(process.read_line(line, in_seconds(10)), Process::Read::line);
        EXPECT_EQ(line, std::string("hello, you ") + name);
    }
    process.close_input();
    EXPECT_EQ(process.read_line(line, in_seconds(10)), Process::Read::end);
    const auto status = process.wait(in_seconds(10));
    ASSERT_TRUE(status);
    EXPECT_EQ(to_string(*status), "exit status 5");
}

TEST(Process, ReplacesVariablesOfTheEnvironment) {
    setenv("CHANGEOVER_TEST", "old", 1);
    Process process(
        shell("env | grep -c CHANGEOVER_TEST; echo $CHANGEOVER_TEST", {{"CHANGEOVER_TEST", "new"}}),
        new_token());
    std::string line;
    process.read_line(line, in_seconds(10));
    EXPECT_EQ(line, "1");
    process.read_line(line, in_seconds(10));
    EXPECT_EQ(line, "new");
}

TEST(Process, SaysWhyAProgramDoesNotStart) {
    try {
        Process process({{"/not/there/mpiexec"}, {}}, new_token());
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 1);
        EXPECT_NE(std::string(error.what()).find("/not/there/mpiexec could not be started: No such file"),
                  std::string::npos);
    }
}

TEST(Process, KeepsTheLastLineWithoutItsEnd) {
    Process process(shell("printf 'one\\ntwo'"), new_token());
    std::string line;
    EXPECT_EQ(process.read_line(line, in_seconds(10)), Process::Read::line);
    EXPECT_EQ(process.read_line(line, in_seconds(10)), Process::Read::line);
    EXPECT_EQ(line, "two");
    EXPECT_EQ(process.read_line(line, in_seconds(10)), Process::Read::end);
}

TEST(Process, TimesOutAndIsEnded) {
    Process process(shell("trap '' TERM; echo ready; while :; do sleep 0.1; done"), new_token());
    std::string line;
    ASSERT_EQ(process.read_line(line, in_seconds(10)), Process::Read::line);
    EXPECT_EQ(process.read_line(line, in_seconds(0.2)), Process::Read::time_out);
    EXPECT_FALSE(process.wait(in_seconds(0.1)));
    const Ending ending = process.end(0.1);
    EXPECT_EQ(ending.problem, "");
    EXPECT_EQ(ending.left, 0);
    EXPECT_EQ(count_marked(process.token()), 0);
}

TEST(Process, ReadsStandardErrorAllTheTime) {
    Process process(shell("i=0; while [ $i -lt 5000 ]; do echo \"line $i of many that fill a pipe of 64 "
                          "KiB\" >&2; i=$((i+1)); done; echo done"),
                    new_token());
    std::string line;
    ASSERT_EQ(process.read_line(line, in_seconds(30)), Process::Read::line);
    EXPECT_EQ(line, "done");
    process.wait(in_seconds(10));
    ASSERT_EQ(process.last_errors().size(), 50u);
    EXPECT_EQ(process.last_errors().back().substr(0, 9), "line 4999");
}

TEST(Process, CutsALineWithoutEnd) {
    Process process({{"/usr/bin/head", "-c", "40000000", "/dev/zero"}, {}}, new_token());
    std::string line;
    ASSERT_EQ(process.read_line(line, in_seconds(30)), Process::Read::line);
    EXPECT_GT(line.size(), 16'000'000u);
    EXPECT_LT(line.size(), 18'000'000u);
}

TEST(Process, SeesTheEndOfALauncherWhoseOutputIsHeldOpen) {
    Process process(shell("echo last words; sleep 100 & exit 3"), new_token());
    std::string line;
    ASSERT_EQ(process.read_line(line, in_seconds(10)), Process::Read::line);
    EXPECT_EQ(process.read_line(line, in_seconds(30)), Process::Read::end);
    EXPECT_EQ(process.wait(in_seconds(10))->code, 3);
    process.end();
    EXPECT_EQ(count_marked(process.token()), 0);
}

TEST(Process, WritesToSomebodyWhoDoesNotRead) {
    Process gone(shell("exit 0"), new_token());
    gone.wait(in_seconds(10));
    EXPECT_FALSE(gone.write("hello\n", in_seconds(10)));
    Process deaf(shell("sleep 100"), new_token());
    EXPECT_FALSE(deaf.write(std::string(1 << 20, 'x'), in_seconds(0.2)));
}

TEST(Process, StopsWhenAsked) {
    Process process(shell("sleep 100"), new_token());
    std::thread stopper([] {
        std::this_thread::sleep_for(100ms);
        stop_requested = true;
    });
    std::string line;
    EXPECT_EQ(process.read_line(line, in_seconds(30)), Process::Read::stopped);
    stopper.join();
    stop_requested = false;
}

TEST(Process, LeavesNoRankBehind) {
    Process process(two_spinning_ranks, new_token());
    await_ranks(process);
    EXPECT_EQ(count_marked(process.token()), 5);  // the launcher, two proxies, two ranks
    const Ending ending = process.end(0.5);
    EXPECT_EQ(ending.problem, "");
    EXPECT_EQ(ending.left, 0);
    EXPECT_EQ(count_marked(process.token()), 0);
}

TEST(Process, ReapsWhatALostLauncherLeft) {
    const std::string token = new_token();
    Process process(shell("setsid sh -c 'trap \"\" TERM; sleep 100; sleep 100' & sleep 100 & exit 0"), token);
    EXPECT_EQ(process.wait(in_seconds(10))->code, 0);
    std::this_thread::sleep_for(100ms);
    EXPECT_GE(count_marked(token), 2);
    const Ending ending = reap(token);
    EXPECT_GE(ending.ended, 2);
    EXPECT_EQ(ending.left, 0);
    EXPECT_EQ(count_marked(token), 0);
    EXPECT_EQ(reap(token).ended, 0);
}

TEST(Process, ReapsNobodyElse) {
    Process mine(shell("sleep 100"), new_token());
    std::string almost = mine.token();
    almost[0] = almost[0] == 'a' ? 'b' : 'a';
    EXPECT_EQ(reap(almost).ended, 0);
    for (const std::string bad : {"", "abc", "zz345678901234567890123456789012"}) {
        EXPECT_THROW(reap(bad), Error) << bad;
    }
    EXPECT_FALSE(mine.wait(in_seconds(0.1)));
}

// A tuner that is killed cannot end its jobs: the kernel kills the launcher, and hydra's proxies their ranks
TEST(Process, DiesWithItsParent) {
    const std::string token = new_token();
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t tuner = fork();
    if (tuner == 0) {
        Process process(two_spinning_ranks, token);
        std::string line;
        for (int i = 0; i < 2; ++i) {
            process.read_line(line, in_seconds(30));
        }
        [[maybe_unused]] const ssize_t n = write(ready[1], "x", 1);
        pause();
        _exit(0);
    }
    char byte = 0;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    EXPECT_EQ(count_marked(token), 5);
    kill(tuner, SIGKILL);
    waitpid(tuner, nullptr, 0);
    for (int i = 0; i < 100 && count_marked(token) > 0; ++i) {
        std::this_thread::sleep_for(100ms);
    }
    EXPECT_EQ(count_marked(token), 0);
    close(ready[0]);
    close(ready[1]);
}

TEST(Process, TheProgramReaps) {
    Process victim(shell("trap '' TERM; echo ready; while :; do sleep 0.1; done"), new_token());
    std::string line;
    victim.read_line(line, in_seconds(10));
    Process reaper({{CHANGEOVER, "reap", victim.token()}, {}}, new_token());
    ASSERT_EQ(reaper.read_line(line, in_seconds(30)), Process::Read::line);
    EXPECT_NE(line.find(", left 0"), std::string::npos) << line;
    EXPECT_EQ(reaper.wait(in_seconds(10))->code, 0);
    EXPECT_EQ(victim.wait(in_seconds(10))->signal, SIGKILL);
    Process wrong({{CHANGEOVER, "reap", "all"}, {}}, new_token());
    EXPECT_EQ(wrong.wait(in_seconds(10))->code, 2);
}

}  // namespace
