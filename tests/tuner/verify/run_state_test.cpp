// SPDX-License-Identifier: MIT
// A run is complete if and only if its configuration is verified and its tuning file has the same rules, in
// each combination of files that an interrupted command can leave.
#include "run_state.hpp"

#include <gtest/gtest.h>

#include "commit.hpp"
#include "emit.hpp"
#include "example_config.hpp"
#include "files.hpp"
#include "proofs.hpp"
#include "small_disk.hpp"
#include "stale.hpp"

namespace {

using namespace tuner;

constexpr const char* patched = "MPICH Version: 4.0.2;changeover patches";

class RunStateTest : public testing::Test {
  protected:
    RunStateTest() : files((folder.path / "run").string()) {
        Journal::create(files.folder(), {});
        config.library = patched;
    }

    RunState state() const { return run_state(files, load_run(files.folder())); }

    // As a verification leaves it
    void commit() const { commit_verified(files, config, {config.rules, {}, {"a note"}}); }

    void write_config(const Config& written) const {
        write_file_atomically(files.config(), to_json(written).dump());
    }

    // As candidates have them: without a verified gain
    Config candidates() const {
        Config unverified = config;
        unverified.verified = false;
        for (Rule& rule : unverified.rules) {
            rule.verified_gain = 0;
        }
        return unverified;
    }

    TemporaryFolder folder;
    RunFiles files;
    Config config = example_config();
};

TEST_F(RunStateTest, WithoutAConfiguration) {
    EXPECT_EQ(state(), RunState::undecided);
    write_file_atomically(files.verification(), to_json(std::vector<Proof>{}, {}).dump());
    write_file_atomically(files.tuning(), emit_mpich(config, {}));
    EXPECT_EQ(state(), RunState::undecided) << "the other files do not count";
}

// What version 0.1 left when it was killed before it wrote the verified configuration
TEST_F(RunStateTest, ProofsAndATuningFileDoNotMakeCandidatesVerified) {
    write_config(candidates());
    EXPECT_EQ(state(), RunState::unverified);
    write_file_atomically(files.verification(), to_json(std::vector<Proof>{}, {}).dump());
    EXPECT_EQ(state(), RunState::unverified);
    write_file_atomically(files.tuning(), emit_mpich(candidates(), {}));
    EXPECT_EQ(state(), RunState::unverified);
}

TEST_F(RunStateTest, CommittedIsComplete) {
    commit();
    EXPECT_EQ(state(), RunState::complete);
    EXPECT_EQ(state_note(state(), files), "");
}

TEST_F(RunStateTest, OtherProofsThanThoseOfTheConfiguration) {
    commit();
    write_file_atomically(files.verification(), to_json(std::vector<Proof>{}, {"another note"}).dump());
    EXPECT_EQ(state(), RunState::unverified);
    std::filesystem::remove(files.verification());
    EXPECT_EQ(state(), RunState::unverified);
}

TEST_F(RunStateTest, EditedRulesAreNotVerified) {
    commit();
    Json json = Json::parse(read_file(files.config()));
    json["rules"][0]["from_bytes"] = 20001;
    write_file_atomically(files.config(), json.dump());
    EXPECT_EQ(state(), RunState::unverified);
}

TEST_F(RunStateTest, ATuningFileThatIsMissingOrOfOtherRules) {
    commit();
    std::filesystem::remove(files.tuning());
    EXPECT_EQ(state(), RunState::unwritten);
    write_file_atomically(files.tuning(), emit_mpich(candidates(), {}));
    EXPECT_EQ(state(), RunState::unwritten);
    write_file_atomically(files.tuning(), "{");
    EXPECT_EQ(state(), RunState::unwritten) << "damaged";
    write_tuning_file(files, read_config(files.config()));
    EXPECT_EQ(state(), RunState::complete);
}

TEST_F(RunStateTest, ALibraryWithoutTuningFilesNeedsNone) {
    config.library = "Open MPI v4.1.4";
    commit();
    EXPECT_FALSE(std::filesystem::exists(files.tuning()));
    EXPECT_EQ(state(), RunState::complete);
}

TEST_F(RunStateTest, StaleUntilTunedAgain) {
    commit();
    RunData data;
    Journal journal = Journal::resume(files.folder(), data);
    mark_stale(journal, data, {"eth", {4, 1, Mapping::block}, "bcast", ""});
    EXPECT_EQ(state(), RunState::stale);
    write_file_atomically(files.verification(), to_json(std::vector<Proof>{}, {"retuned"}).dump());
    EXPECT_EQ(state(), RunState::stale) << "killed before config.json of the retuning";
    write_config(candidates());
    EXPECT_EQ(state(), RunState::unverified) << "nothing that was not verified is kept by a retuning";
    commit();
    std::filesystem::remove(files.tuning());
    EXPECT_EQ(state(), RunState::stale) << "killed before tuning.json of the retuning";
    write_tuning_file(files, config);
    mark_retuned(journal);
    EXPECT_EQ(state(), RunState::complete);
}

// Version 0.1 wrote no checksum of the proofs
TEST_F(RunStateTest, AnOlderRunIsComplete) {
    commit();
    Json json = Json::parse(read_file(files.config()));
    json.erase("verification_checksum");
    write_file_atomically(files.config(), json.dump());
    EXPECT_EQ(state(), RunState::complete);
    std::filesystem::remove(files.tuning());
    EXPECT_EQ(state(), RunState::unwritten);
}

TEST_F(RunStateTest, EveryStateButCompleteNamesARemedy) {
    for (const RunState each :
         {RunState::undecided, RunState::unverified, RunState::stale, RunState::unwritten}) {
        EXPECT_NE(state_note(each, files).find("with: changeover "), std::string::npos);
        EXPECT_NE(state_note(each, files).find(files.folder()), std::string::npos);
    }
}

}  // namespace
