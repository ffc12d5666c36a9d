// SPDX-License-Identifier: MIT
#include "job_mix.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "cluster_texts.hpp"
#include "contains.hpp"
#include "error.hpp"

namespace {

using namespace tuner;

using Mix = std::vector<JobCount>;

TEST(JobMix, CountsJobsOfEachSize) {
    EXPECT_EQ(
        parse_job_mix("# nodes ranks jobs\n4 64 120\n\n 4|61\n1 1 1000\n2\t16 0.5 # rare\n4 64 1\n", "mix"),
        (Mix{{2, 8, 0.5}, {4, 16, 122}}))
        << "61 ranks on 4 nodes are 16 on a node; one rank has no collectives";
}

TEST(JobMix, TellsTheLineThatIsWrong) {
    for (const char* line :
         {"4", "4 64 1 1", "4 x", "0 4", "4 2", "4 64 0", "4 64 -1", "4 64 nan", "4 64x"}) {
        try {
            parse_job_mix(std::string("1 2\n") + line + "\n", "mix.txt");
            ADD_FAILURE() << line;
        } catch (const Error& error) {
            EXPECT_CONTAINS(error.what(),
                            std::string("mix.txt, line 2: '") + line + "' is not NODES RANKS [JOBS]");
        }
    }
    try {
        parse_job_mix("1 1 5\n", "mix.txt");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_CONTAINS(error.what(), "mix.txt has no job of two or more ranks");
    }
}

TEST(JobMix, IsKeptInTheRun) {
    Cluster cluster = cluster_texts::cluster_of(cluster_texts::good);
    cluster.jobs = {{2, 8, 0.5}, {4, 16, 122}};
    EXPECT_EQ(cluster_from(CheckedJson(to_json(cluster), "again")).jobs, cluster.jobs);
    EXPECT_EQ(cluster_texts::changed("/jobs", {{{"nodes", 2}, {"ppn", 4}}}).jobs, (Mix{{2, 4, 1}}));
    try {
        cluster_texts::changed("/jobs", {{{"nodes", 2}, {"ppn", 4}, {"jobs", 0}}});
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_CONTAINS(error.what(), "c.json, jobs[0].jobs: a number of jobs is more than 0");
    }
}

// A program sacct that prints, or fails
class Accounting : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = testing::TempDir() + "sacct-XXXXXX";
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder = name;
    }
    void sacct(const std::string& script) {
        const std::filesystem::path program = folder / "sacct";
        std::ofstream(program) << "#!/bin/sh\n" << script << "\n";
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        setenv("PATH", (folder.string() + ":" + path).c_str(), 1);
    }
    void TearDown() override {
        setenv("PATH", path.c_str(), 1);
        std::filesystem::remove_all(folder);
    }

    const std::string path = getenv("PATH");
    std::filesystem::path folder;
};

TEST_F(Accounting, CountsTheStepsOfAllUsers) {
    sacct("echo \"$@\" >" + (folder / "asked").string() + "\nprintf '4|\\n4|64\\n4|\\n2|2\\n4|64\\n1|1\\n'");
    EXPECT_EQ(read_job_mix("sacct"), (Mix{{2, 1, 1}, {4, 16, 2}})) << "jobs and batch scripts have no tasks";
    std::ifstream file(folder / "asked");
    std::string asked;
    std::getline(file, asked);
    EXPECT_CONTAINS(asked, "--allusers");
    EXPECT_CONTAINS(asked, "--format=NNodes,NTasks");
    EXPECT_CONTAINS(asked, "--endtime=now") << "with states and without it, sacct looks at one moment only";
}

TEST_F(Accounting, TellsWhatSacctSaid) {
    sacct("echo Slurm accounting storage is disabled >&2; exit 1");
    try {
        read_job_mix("sacct");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_CONTAINS(error.what(), "Slurm accounting storage is disabled");
        EXPECT_CONTAINS(error.what(), "give --job-mix a file");
    }
}

}  // namespace
