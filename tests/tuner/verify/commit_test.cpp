// SPDX-License-Identifier: MIT
// Verified rules are written in an order in which a failure never leaves the run complete, and the tuning
// file never has rules that are not verified. Candidates have a file of their own.
#include "commit.hpp"

#include <gtest/gtest.h>

#include "emit.hpp"
#include "error.hpp"
#include "example_config.hpp"
#include "files.hpp"
#include "proofs.hpp"
#include "run_state.hpp"
#include "small_disk.hpp"

namespace {

using namespace tuner;

class CommitTest : public testing::Test {
  protected:
    CommitTest() : files((folder.path / "run").string()) {
        Journal::create(files.folder(), {});
        config.library = "MPICH Version: 4.0.2;changeover patches";
    }

    RunState state() const { return run_state(files, load_run(files.folder())); }

    // A file that cannot be replaced, whoever the user is
    static void block(const std::string& file) {
        std::filesystem::remove(file);
        std::filesystem::create_directories(file + "/occupied");
    }

    // The first rule only
    Verification verification() const { return {{config.rules.front()}, {}, {"the others were dropped"}}; }

    TemporaryFolder folder;
    RunFiles files;
    Config config = example_config();
};

TEST_F(CommitTest, WritesTheRulesThatHold) {
    config.verified = false;
    commit_verified(files, config, verification());
    const Config written = read_config(files.config());
    EXPECT_TRUE(written.verified);
    EXPECT_EQ(written.rules.size(), 1u);
    EXPECT_EQ(written.notes, verification().notes);
    EXPECT_EQ(written.verification_checksum, checksum_of_text(read_file(files.verification())));
    const Json tuning = Json::parse(read_file(files.tuning()));
    EXPECT_EQ(tuning.at("info").at("checksum"), written.checksum);
    EXPECT_EQ(tuning.at("mpir").size(), 1u) << "rejected rules are not in the file that jobs read";
    EXPECT_EQ(read_file(files.tuning()), emit_mpich(written, {}));
}

TEST_F(CommitTest, IsNotCompleteWithoutTheConfiguration) {
    config.verified = false;
    write_decided(files, config);
    std::filesystem::rename(files.config(), files.folder() + "/decided");
    block(files.config());
    EXPECT_THROW(commit_verified(files, config, verification()), Error);
    EXPECT_TRUE(std::filesystem::exists(files.verification())) << "which comes first";
    EXPECT_FALSE(std::filesystem::exists(files.tuning())) << "which comes last";
    std::filesystem::remove_all(files.config());
    std::filesystem::rename(files.folder() + "/decided", files.config());
    EXPECT_EQ(state(), RunState::unverified);
    EXPECT_TRUE(proofs_of(files).empty());
}

TEST_F(CommitTest, LacksOnlyTheTuningFileInTheEnd) {
    block(files.tuning());
    EXPECT_THROW(commit_verified(files, config, verification()), Error);
    std::filesystem::remove_all(files.tuning());
    EXPECT_EQ(state(), RunState::unwritten);
}

TEST_F(CommitTest, OfOtherRulesKeepsTheOldTuningFileUntilTheEnd) {
    commit_verified(files, config, {config.rules, {}, {}});
    const std::string old = read_file(files.tuning());
    block(files.config());
    EXPECT_THROW(commit_verified(files, config, verification()), Error);
    EXPECT_EQ(read_file(files.tuning()), old);
}

TEST_F(CommitTest, RulesThatAreNotVerifiedAreNoTuningFile) {
    config.verified = false;
    EXPECT_THROW(write_tuning_file(files, config), std::logic_error);
    write_decided(files, config);
    EXPECT_FALSE(std::filesystem::exists(files.tuning()));
}

TEST_F(CommitTest, CandidatesHaveAFileOfTheirOwn) {
    commit_verified(files, config, verification());
    const std::string old = read_file(files.tuning());
    {
        const CandidatesFile candidates(files, config);
        EXPECT_EQ(candidates.path(), std::filesystem::absolute(files.candidates()));
        EXPECT_EQ(read_file(candidates.path()), emit_mpich(config, {}));
        EXPECT_EQ(std::filesystem::status(candidates.path()).permissions(),
                  std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
        EXPECT_EQ(read_file(files.tuning()), old);
    }
    EXPECT_FALSE(std::filesystem::exists(files.candidates()));
    EXPECT_EQ(read_file(files.tuning()), old);
}

TEST_F(CommitTest, CandidatesAreOfOneLayoutAtATime) {
    Config both = config;
    const Layout own = both.rules.at(0).where.single().value();
    both.rules.push_back(both.rules[0]);
    const Layout twice{2 * own.nodes, own.ppn, own.mapping};
    both.rules.back().where = LayoutRange::exactly(twice);
    Config one = config;
    std::erase_if(one.rules, [&](const Rule& rule) {
        return !rule.where.holds(own) || rule.network != config.rules[0].network;
    });
    CandidatesFile candidates(files, both);
    ASSERT_NE(read_file(candidates.path()), emit_mpich(one, {})) << "all of them";
    candidates.keep_only(config.rules[0].network, own);
    EXPECT_EQ(read_file(candidates.path()), emit_mpich(one, {}));
    EXPECT_EQ(std::filesystem::status(candidates.path()).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    candidates.keep_only(config.rules[0].network, twice);
    EXPECT_NE(read_file(candidates.path()), emit_mpich(one, {}));
}

TEST_F(CommitTest, CandidatesForARangeAreForTheLayoutThatIsMeasured) {
    const Layout own = config.rules.at(0).where.single().value();
    Config ranges = config;
    for (Rule& rule : ranges.rules) {
        rule.where = {};
    }
    CandidatesFile candidates(files, ranges);
    candidates.keep_only(config.rules[0].network, own);
    for (Rule& rule : ranges.rules) {
        rule.where = LayoutRange::exactly(own);
    }
    EXPECT_EQ(Json::parse(read_file(candidates.path())).at("mpir"),
              Json::parse(emit_mpich(ranges, {})).at("mpir"));
}

TEST_F(CommitTest, ALibraryWithoutTuningFilesHasNoCandidates) {
    config.library = "Open MPI v4.1.4";
    const CandidatesFile candidates(files, config);
    EXPECT_EQ(candidates.path(), "");
    EXPECT_FALSE(std::filesystem::exists(files.candidates()));
}

}  // namespace
