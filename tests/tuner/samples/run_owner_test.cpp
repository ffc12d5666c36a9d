// SPDX-License-Identifier: MIT
// Programs that another user's run names are not started unless the user says so.
#include "run_owner.hpp"

#include <gtest/gtest.h>

#include "cluster_file.hpp"
#include "error.hpp"
#include "saved_run.hpp"
#include "small_disk.hpp"

namespace {

using namespace tuner;

constexpr uid_t somebody = 54321;

class RunOwnerTest : public testing::Test {
  protected:
    RunOwnerTest() {
        Cluster cluster = this_machine();
        cluster.mpiexec = "/home/eve/mpi\033exec";
        Manifest manifest;
        manifest.cluster = to_json(cluster);
        manifest.plan = to_json(plan_named("quick"));
        Journal::create(path(), manifest);
    }
    std::string path() const { return (folder.path / "run").string(); }

    std::string refusal(uid_t user) const {
        try {
            refuse_run_of_others(path(), user);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), Error::Kind::usage_error);
            return error.what();
        }
        return "";
    }

    TemporaryFolder folder;
};

TEST_F(RunOwnerTest, OwnRunsAreTrusted) {
    EXPECT_EQ(refusal(geteuid()), "");
}

TEST_F(RunOwnerTest, ARunOfRootIsTrusted) {
    if (geteuid() != 0) {
        GTEST_SKIP() << "only root can make one";
    }
    EXPECT_EQ(refusal(somebody), "");
}

// One file of another user is enough: the manifest names the launcher, the journal names processes to end
TEST_F(RunOwnerTest, EachFileOfAnotherUserIsNamedWithProgramsAndRemedy) {
    if (geteuid() != 0) {
        EXPECT_NE(refusal(somebody).find("--trust-run"), std::string::npos);
        GTEST_SKIP() << "only root can give files away";
    }
    for (const char* file : {"", "/manifest.json", "/samples.jsonl"}) {
        ASSERT_EQ(chown((path() + file).c_str(), somebody, static_cast<gid_t>(-1)), 0);
        const std::string text = refusal(geteuid());
        for (const char* part : {"belongs to user id 54321", "/manifest.json", "/home/eve/mpi?exec",
                                 "changeover-bench", "cp -r", "--trust-run"}) {
            EXPECT_NE(text.find(part), std::string::npos) << file << " " << part << ": " << text;
        }
        EXPECT_EQ(refusal(somebody), "");
        ASSERT_EQ(chown((path() + file).c_str(), geteuid(), static_cast<gid_t>(-1)), 0);
    }
}

TEST_F(RunOwnerTest, NothingIsSaidAboutARunThatDoesNotExist) {
    EXPECT_NO_THROW(refuse_run_of_others((folder.path / "none").string()));
}

}  // namespace
