// SPDX-License-Identifier: MIT
// A campaign whose tuner, launcher or ranks are killed at random moments, and that is resumed: every case is
// measured exactly once, and no process is left. KILLS: how often.
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <random>
#include <set>
#include <thread>

#include "journal.hpp"
#include "process.hpp"

namespace {

using namespace tuner;

// A process of the job, by a part of its command line; 0: none
pid_t find_process(const std::string& token, const std::string& part) {
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const auto text = [&](const char* name) {
            std::ifstream file(entry.path() / name, std::ios::binary);
            return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        };
        if (text("environ").find("CHANGEOVER_JOB=" + token) != std::string::npos &&
            text("cmdline").find(part) != std::string::npos) {
            return std::stoi(entry.path().filename().string());
        }
    }
    return 0;
}

pid_t start(const std::filesystem::path& folder) {
    const pid_t child = fork();
    if (child == 0) {
        execl(CAMPAIGN_RUN, CAMPAIGN_RUN, folder.c_str(), nullptr);
        _exit(127);
    }
    return child;
}

RunData load_if_there(const std::filesystem::path& folder) {
    return std::filesystem::exists(folder / "manifest.json") ? load_run(folder) : RunData{};
}

// Kills the tuner; every second time its launcher or a rank before
void kill_some(pid_t tuner, const std::filesystem::path& folder, int number) {
    const char* const parts[] = {"", "mpiexec", "", "changeover-bench"};
    const std::string part = parts[number % 4];
    const std::vector<OpenJob> jobs = open_jobs(load_if_there(folder));
    if (const pid_t other = !part.empty() && !jobs.empty() ? find_process(jobs.back().token, part) : 0) {
        kill(other, SIGKILL);
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
    }
    kill(tuner, SIGKILL);
}

void check(const RunData& run) {
    std::set<std::string> once;
    for (const CaseRecord& record : run.cases) {
        EXPECT_TRUE(record.status == Status::measured || record.status == Status::refused)
            << to_string(record.status);
        EXPECT_TRUE(once.insert(to_string(record.layout) + record.collective + std::to_string(record.bytes) +
                                "," + record.algorithm)
                        .second)
            << record.collective << " " << record.bytes << " " << record.algorithm;
    }
    // default and four algorithms at 9 sizes, default and three at 7 sizes, 2 layouts
    EXPECT_EQ(once.size(), 2 * (5 * 9 + 4 * 7));
    EXPECT_TRUE(open_jobs(run).empty());
    for (const Json& event : run.events) {
        if (event.at("event") == "job_started") {
            EXPECT_EQ(reap(event.at("token").get<std::string>()).ended, 0) << "a process was left";
        }
    }
}

TEST(Kill, EveryCaseExactlyOnceWhateverIsKilled) {
    const char* wanted = std::getenv("KILLS");
    const int kills = wanted ? std::atoi(wanted) : 5;
    std::mt19937 random(7);
    for (int killed = 0; killed < kills;) {
        std::string name = testing::TempDir() + "kill-XXXXXX";
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        const std::filesystem::path folder = std::filesystem::path(name) / "run";
        std::vector<CaseRecord> finished;
        for (bool is_done = false; !is_done;) {
            const pid_t tuner = start(folder);
            if (killed < kills) {
                std::uniform_int_distribution delay(0, 1500);
                std::this_thread::sleep_for(std::chrono::milliseconds(delay(random)));
                kill_some(tuner, folder, killed);
            }
            int status = 0;
            waitpid(tuner, &status, 0);
            is_done = !WIFSIGNALED(status);
            killed += !is_done;
            ASSERT_TRUE(!is_done || status == 0);
            const RunData run = load_if_there(folder);
            ASSERT_GE(run.cases.size(), finished.size());
            ASSERT_TRUE(std::equal(finished.begin(), finished.end(), run.cases.begin()))
                << "finished work was lost";
            finished = run.cases;
        }
        check(load_run(folder));
        std::filesystem::remove_all(name);
    }
}

}  // namespace
