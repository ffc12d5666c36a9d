// SPDX-License-Identifier: MIT
// Jobs of the real benchmark and of one that misbehaves, under the real mpiexec: each failure has its outcome
// and a reason, and nothing of a job is left.
#include "job.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cluster_file.hpp"
#include "contains.hpp"
#include "error.hpp"

namespace {

using namespace tuner;

constexpr double start_seconds = 60;

// Processes that carry the token and whose command line has `part`
std::vector<pid_t> marked(const std::string& token, const std::string& part = "") {
    std::vector<pid_t> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const auto text = [&](const char* name) {
            std::ifstream file(entry.path() / name, std::ios::binary);
            return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        };
        if (text("environ").find("CHANGEOVER_JOB=" + token) != std::string::npos &&
            text("cmdline").find(part) != std::string::npos) {
            found.push_back(std::stoi(entry.path().filename().string()));
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

Cluster faked(const std::string& benchmark, Environment environment = {}) {
    Cluster cluster = this_machine({0, 4});
    cluster.benchmark = benchmark;
    cluster.changeover = CHANGEOVER;
    cluster.networks[0].environment = std::move(environment);
    return cluster;
}

// fake-bench on 2x1
class FakeJob : public testing::Test {
  protected:
    void start(Environment environment = {}) {
        environment.insert(environment.end(), {{"FAKE_NODES", "2"}, {"FAKE_PPN", "1"}});
        cluster = faked(FAKE_BENCH, environment);
        job = std::make_unique<Job>(cluster, cluster.networks[0], Layout{2, 1, Mapping::block}, token,
                                    start_seconds);
    }
    std::string start_error(const Environment& environment) {
        try {
            start(environment);
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 1);
            return error.what();
        }
        return "no error";
    }
    Answer ask(const std::string& collective, double seconds = 30) {
        return job->ask({{"collective", collective}, {"bytes", {64}}}, seconds);
    }
    void TearDown() override {
        job.reset();
        EXPECT_TRUE(marked(token).empty());
    }

    const std::string token = new_token();
    Cluster cluster;
    std::unique_ptr<Job> job;
};

TEST_F(FakeJob, Answers) {
    start();
    for (int i = 0; i < 2; ++i) {
        const Answer answer = ask("good");
        EXPECT_EQ(answer.outcome, Outcome::answered) << answer.reason;
        ASSERT_EQ(answer.cases.size(), 1u);
        EXPECT_EQ(answer.cases[0].network, "loopback");
        EXPECT_EQ(answer.cases[0].layout, (Layout{2, 1, Mapping::block}));
        EXPECT_EQ(answer.cases[0].bytes, 64u);
        ASSERT_EQ(answer.cases[0].samples_seconds.size(), 3u);
        EXPECT_DOUBLE_EQ(answer.cases[0].samples_seconds[0], 10.5e-6);
    }
}

TEST_F(FakeJob, GoesOnAfterARefusal) {
    start();
    const Answer answer = ask("refuse");
    EXPECT_EQ(answer.outcome, Outcome::refused);
    EXPECT_EQ(answer.reason, "not that");
    EXPECT_EQ(ask("good").outcome, Outcome::answered);
}

TEST_F(FakeJob, GoesOnWhenStandardErrorIsFlooded) {
    start();
    EXPECT_EQ(ask("noisy").outcome, Outcome::answered);
    job->end();
    EXPECT_EQ(job->last_errors().size(), 50u);
}

TEST_F(FakeJob, TellsGarbage) {
    for (const char* kind : {"garbage", "chatter", "incomplete", "other_id"}) {
        start();
        const Answer answer = ask(kind);
        EXPECT_EQ(answer.outcome, Outcome::garbage) << kind << ": " << to_string(answer.outcome);
        EXPECT_LT(answer.reason.size(), 400u) << answer.reason;
        EXPECT_FALSE(job->is_running());
        EXPECT_TRUE(marked(token).empty()) << kind;
        EXPECT_EQ(ask("good").outcome, Outcome::ended_early);
    }
    start();
    EXPECT_CONTAINS(ask("garbage").reason, "a line that is not JSON: '?Segmentation fault, or whatever: xxx");
}

TEST_F(FakeJob, TellsACrash) {
    start();
    const Answer answer = ask("crash");
    EXPECT_EQ(answer.outcome, Outcome::ended_early);
    EXPECT_CONTAINS(answer.reason, "EXIT CODE: 11");
    EXPECT_CONTAINS(answer.reason, "about to crash");
    EXPECT_TRUE(marked(token).empty());
}

TEST_F(FakeJob, TellsAnEarlyEnd) {
    start();
    const Answer answer = ask("early");
    EXPECT_EQ(answer.outcome, Outcome::ended_early);
    EXPECT_EQ(answer.cases.size(), 1u);
    EXPECT_CONTAINS(answer.reason, "exit status 3");
    EXPECT_CONTAINS(answer.reason, "no more of this");
}

TEST_F(FakeJob, EndsWhatHangs) {
    start({{"FAKE_START", "stubborn"}});
    EXPECT_FALSE(marked(token).empty());
    const Answer answer = ask("hang", 1);
    EXPECT_EQ(answer.outcome, Outcome::timed_out);
    EXPECT_EQ(answer.reason, "no answer within 1 s");
    EXPECT_EQ(answer.cases.size(), 1u);
    EXPECT_TRUE(marked(token).empty());
    EXPECT_EQ(job->ending().left, 0);
}

TEST_F(FakeJob, RefusesToSendTooMuch) {
    start();
    EXPECT_THROW(job->ask({{"collective", std::string(40000, 'x')}}, 1), Error);
    EXPECT_EQ(ask("good").outcome, Outcome::answered);
}

TEST_F(FakeJob, StopsWhenAsked) {
    start();
    stop_requested = true;
    const Answer answer = ask("hang");
    stop_requested = false;
    EXPECT_EQ(answer.outcome, Outcome::stopped);
    EXPECT_TRUE(marked(token).empty());
}

TEST_F(FakeJob, SaysWhyItDidNotStart) {
    EXPECT_CONTAINS(start_error({{"FAKE_START", "exit"}}), "cannot start: no such device");
    EXPECT_CONTAINS(start_error({{"FAKE_START", "exit"}}), "exit status 7");
    EXPECT_CONTAINS(start_error({{"FAKE_START", "garbage"}}),
                    "a line that is not JSON: 'Welcome to this cluster!'");
    EXPECT_CONTAINS(start_error({{"FAKE_HEADER", R"({"version": 2})"}}),
                    "not a header of protocol version 1");
    EXPECT_CONTAINS(start_error({{"FAKE_HEADER", R"({"library": "Open MPI v5"})"}}),
                    "runs with 'Open MPI v5', not with MPICH");
    EXPECT_CONTAINS(start_error({{"FAKE_HEADER", R"({"library": "MPICH Version: 4.3.2"})"}}),
                    "which is not the patched MPICH; write \"library\": \"mpich-stock\"");
    EXPECT_CONTAINS(start_error({{"FAKE_START", "assert"}}),  // without the stack, and once
                    "it printed: Assertion failed in file csel.c | Abort(1): Internal error;");
    EXPECT_CONTAINS(start_error({{"FAKE_HEADER", R"({"ranks": 3})"}}),
                    "3 ranks on 2 nodes were started, not 2 on 2");
    EXPECT_CONTAINS(start_error({{"FAKE_HEADER", R"({"node_of_rank": ["fake", "fake"]})"}}),
                    "ranks are not mapped as requested (block, layout 2x1): fake fake");
    EXPECT_CONTAINS(start_error({{"FAKE_HEADER", R"({"nodes": 7})"}}), "its header is incomplete");
    EXPECT_TRUE(marked(token).empty());
}

// 2+1 ranks, of which the benchmark says that they are 1+2
TEST(Job, ChecksTheRanksOfEachNode) {
    Cluster cluster = faked(FAKE_BENCH, {{"FAKE_NODES", "2"}, {"FAKE_PPN", "2"}});
    const auto start_with = [&](const char* node_of_rank) {
        const Json header = {{"ranks", 3}, {"node_of_rank", Json::parse(node_of_rank)}};
        cluster.networks[0].environment.resize(2);
        cluster.networks[0].environment.emplace_back("FAKE_HEADER", header.dump());
        Job job(cluster, cluster.networks[0], Layout{2, 2, Mapping::block, 1}, new_token(), start_seconds);
        return job.is_running();
    };
    EXPECT_TRUE(start_with(R"(["fake", "fake", "fake#2"])"));
    try {
        start_with(R"(["fake", "fake#2", "fake#2"])");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_CONTAINS(error.what(),
                        "ranks are not mapped as requested (block, layout 2x2-1): fake fake#2 fake#2");
    }
}

TEST_F(FakeJob, SaysThatNothingCame) {
    cluster = faked(FAKE_BENCH, {{"FAKE_NODES", "2"}, {"FAKE_PPN", "1"}, {"FAKE_START", "hang"}});
    try {
        Job hanging(cluster, cluster.networks[0], {2, 1, Mapping::block}, token, 2);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_CONTAINS(error.what(), "on network loopback, layout 2x1: no header within 2 s");
        EXPECT_CONTAINS(error.what(), "(command: FAKE_NODES=2");
    }
}

TEST(Job, SaysWhatALauncherThatFailsSaid) {
    Cluster cluster = faked(BENCHMARK);
    const auto error_of = [&] {
        try {
            Job job(cluster, cluster.networks[0], {2, 1, Mapping::block}, new_token(), start_seconds);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    cluster.mpiexec = "/not/there";
    EXPECT_CONTAINS(error_of(), "/not/there could not be started: No such file or directory");
    cluster.mpiexec = MPIEXEC;
    cluster.launcher_arguments = {"-frobnicate"};
    EXPECT_CONTAINS(error_of(), "unrecognized argument frobnicate");
    cluster.launcher_arguments.clear();
    cluster.benchmark = "/not/there/changeover-bench";
    EXPECT_CONTAINS(error_of(), "/not/there/changeover-bench");
}

class RealJob : public testing::TestWithParam<Layout> {};

TEST_P(RealJob, Measures) {
    Cluster cluster = faked(BENCHMARK);
    cluster.hosts = {{"node1", 3}, {"node2", 3}, {"node3", 3}};
    const Layout layout = GetParam();
    const std::string token = new_token();
    Job job(cluster, cluster.networks[0], layout, token, start_seconds, {"--start", "barrier"});
    EXPECT_EQ(job.header().at("ranks"), layout.ranks());
    EXPECT_EQ(job.header().at("ranks_on_node"), Json(placement_of(layout).ranks_on_nodes()));
    Answer answer = job.ask({{"collective", "bcast"},
                             {"bytes", {64, 1024}},
                             {"algorithms", {"default", "binomial"}},
                             {"max_repetitions", 30}},
                            60);
    EXPECT_EQ(answer.outcome, Outcome::answered) << answer.reason;
    ASSERT_EQ(answer.cases.size(), 4u);
    EXPECT_EQ(answer.cases[1].algorithm, "binomial");
    EXPECT_EQ(answer.cases[1].used, "binomial");
    EXPECT_EQ(answer.cases[1].layout, layout);
    EXPECT_EQ(answer.cases[3].samples_seconds.size(), 30u);
    answer = job.ask({{"collective", "bkast"}, {"bytes", {64}}}, 60);
    EXPECT_EQ(answer.outcome, Outcome::refused);
    EXPECT_CONTAINS(answer.reason, "there is no collective 'bkast'");
    EXPECT_TRUE(job.tcp_counters().is_null());
    const Ending ending = job.end();
    EXPECT_TRUE(job.tcp_counters().at("tcp_time_outs").is_number_integer());
    EXPECT_TRUE(job.tcp_counters().at("tcp_retransmits").is_number_integer());
    EXPECT_EQ(ending.ended, 0) << "it ends by itself when its input ends";
    EXPECT_EQ(ending.problem, "");
    EXPECT_TRUE(marked(token).empty());
}
INSTANTIATE_TEST_SUITE_P(Layouts, RealJob,
                         testing::Values(Layout{2, 2, Mapping::block}, Layout{2, 2, Mapping::round_robin},
                                         Layout{3, 2, Mapping::block, 1},
                                         Layout{3, 2, Mapping::round_robin, 1},
                                         Layout{2, 3, Mapping::block, 2}));

// A job of the real benchmark that has answered once
class Victim : public testing::Test {
  protected:
    Answer ask(double seconds) {
        return job.ask({{"collective", "bcast"}, {"bytes", {8}}, {"max_repetitions", 30}}, seconds);
    }
    void SetUp() override { ASSERT_EQ(ask(60).outcome, Outcome::answered); }
    void TearDown() override { EXPECT_TRUE(marked(token).empty()); }
    // the launcher was first, the ranks were last
    pid_t launcher() const { return marked(token, "mpiexec").front(); }
    pid_t last_rank() const { return marked(token, "changeover-bench").back(); }

    const Cluster cluster = faked(BENCHMARK);
    const std::string token = new_token();
    Job job{cluster, cluster.networks[0], {2, 1, Mapping::block},
            token,   start_seconds,       {"--start", "barrier"}};
};

TEST_F(Victim, TellsThatTheRanksWereKilled) {
    // all of them, held first: one that loses its peer aborts, and hydra ends without a word when it meets
    // that abort before the death
    const std::vector<pid_t> ranks = marked(token, "changeover-bench");
    for (const int signal : {SIGSTOP, SIGKILL}) {
        kill(ranks.end()[-1], signal);
        kill(ranks.end()[-2], signal);
    }
    const Answer answer = ask(60);
    EXPECT_EQ(answer.outcome, Outcome::ended_early) << to_string(answer.outcome);
    // which hydra says, unless it meets the closed input of a dead rank first
    const bool tells = answer.reason.find("BAD TERMINATION") != std::string::npos ||
                       answer.reason.find("Broken pipe") != std::string::npos;
    EXPECT_TRUE(tells) << answer.reason;
}

TEST_F(Victim, EndsEarlyWithARankThatWasKilled) {
    kill(last_rank(), SIGKILL);
    const Answer answer = ask(60);
    EXPECT_EQ(answer.outcome, Outcome::ended_early) << to_string(answer.outcome);
    EXPECT_CONTAINS(answer.reason, "the job ended with");
}

TEST_F(Victim, TellsThatTheLauncherWasKilled) {
    kill(launcher(), SIGKILL);
    const Answer answer = ask(60);
    EXPECT_EQ(answer.outcome, Outcome::ended_early) << to_string(answer.outcome);
    EXPECT_CONTAINS(answer.reason, "the job ended with signal 9 (Killed)");
}

TEST_F(Victim, EndsAJobWithARankThatHangs) {
    kill(last_rank(), SIGSTOP);
    const Answer answer = ask(1);
    EXPECT_EQ(answer.outcome, Outcome::timed_out) << to_string(answer.outcome);
    EXPECT_FALSE(job.is_running());
    EXPECT_EQ(job.ending().left, 0);
}

TEST(Job, ReportsThatTwoHostsAreOneMachine) {
    Cluster cluster = cluster_from(CheckedJson::parse(
        R"({"hosts": ["localhost", "127.0.0.2"], "launcher": {"kind": "hydra", "arguments": ["-launcher", "fork"]},
            "layouts": [{"nodes": 2, "ppn": 1}]})",
        "test"));
    cluster.benchmark = BENCHMARK;
    cluster.changeover = CHANGEOVER;
    try {
        Job job(cluster, cluster.networks[0], {2, 1, Mapping::block}, new_token(), start_seconds);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_CONTAINS(error.what(), "two hosts are the same machine");
    }
    cluster.is_one_machine = true;
    EXPECT_TRUE(
        Job(cluster, cluster.networks[0], {2, 1, Mapping::block}, new_token(), start_seconds).is_running());
}

// A launcher that was killed has not ended its ranks on other nodes: they are asked, or the job stays open
TEST(Job, LooksForRanksOfALauncherThatWasKilled) {
    Cluster cluster = cluster_from(CheckedJson::parse(
        R"({"hosts": ["localhost", "127.0.0.2"], "launcher": {"kind": "hydra", "arguments": ["-launcher", "fork"]},
            "one_machine": true, "layouts": [{"nodes": 2, "ppn": 1}]})",
        "test"));
    cluster.benchmark = BENCHMARK;
    cluster.changeover = "/not/there";  // so that it shows whether nodes are asked
    for (const bool is_killed : {false, true}) {
        const std::string token = new_token();
        Job job(cluster, cluster.networks[0], {2, 1, Mapping::block}, token, start_seconds);
        if (is_killed) {
            kill(marked(token, "mpiexec").front(), SIGKILL);
        }
        const std::string problem = job.end().problem;
        EXPECT_EQ(problem.find("did not kill leftover processes on every node") != std::string::npos,
                  is_killed)
            << problem;
        EXPECT_TRUE(marked(token).empty());
    }
}

// Other nodes: processes that the launcher starts without our environment, in sessions of their own
TEST(Job, EndsProcessesOnOtherNodes) {
    Cluster cluster = cluster_from(CheckedJson::parse(
        R"({"hosts": ["faraway1", "faraway2"], "networks": [{"name": "lo", "interface": "lo"}],
            "layouts": [{"nodes": 2, "ppn": 1}]})",
        "test"));
    cluster.launcher_arguments = {"-launcher", "ssh", "-launcher-exec", BARE_SSH};
    cluster.changeover = CHANGEOVER;
    const std::string token = new_token();
    const Layout layout = {2, 1, Mapping::block};
    Process process(launch_command(cluster, cluster.networks[0], layout, {STUBBORN_RANK}), token);
    std::string line;
    for (int i = 0; i < 2; ++i) {
        ASSERT_EQ(process.read_line(line, in_seconds(30)), Process::Read::line);
    }
    EXPECT_EQ(marked(token, STUBBORN_RANK).size(), 3u);  // two ranks, and the launcher that names them
    const Command command = reap_command(cluster, cluster.networks[0], layout, token);
    Process reaper(command, new_token());
    int ended = 0;
    int left = -1;
    int total = 0;
    for (int i = 0; i < 2; ++i) {
        ASSERT_EQ(reaper.read_line(line, in_seconds(30)), Process::Read::line);
        ASSERT_EQ(std::sscanf(line.c_str(), "ended %d, left %d", &ended, &left), 2) << line;
        EXPECT_EQ(left, 0);
        total += ended;
    }
    EXPECT_GE(total, 3);
    EXPECT_TRUE(marked(token).empty());
    EXPECT_EQ(end_everywhere(cluster, cluster.networks[0], layout, token).problem, "");
    stop_requested = true;  // which is why jobs are ended: their nodes are still asked
    EXPECT_EQ(end_everywhere(cluster, cluster.networks[0], layout, token).problem, "");
    stop_requested = false;
    cluster.changeover = "/not/there";
    EXPECT_CONTAINS(end_everywhere(cluster, cluster.networks[0], layout, token).problem,
                    "did not kill leftover processes on every node");
}

}  // namespace
