// SPDX-License-Identifier: MIT
// A run is opened in one way: without what is stale, with its cluster, plan, parameters and header.
#include "saved_run.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "cluster_file.hpp"
#include "error.hpp"
#include "files.hpp"
#include "small_disk.hpp"

namespace {

using namespace tuner;

class SavedRunTest : public testing::Test {
  protected:
    SavedRunTest() {
        manifest.cluster = to_json(this_machine());
        manifest.plan = to_json(plan_named("quick"));
        manifest.environment = Json::object();
    }
    std::string path() const { return (folder.path / "run").string(); }

    static CaseRecord record(Stage stage, const std::string& collective) {
        CaseRecord r;
        r.stage = stage;
        r.network = "loopback";
        r.layout = {4, 1, Mapping::block};
        r.collective = collective;
        r.algorithm = "default";
        r.bytes = 64;
        r.datatype = "byte";
        r.samples_seconds = {1e-6};
        return r;
    }

    TemporaryFolder folder;
    Manifest manifest;
};

TEST_F(SavedRunTest, HasWhatTheManifestSays) {
    Journal::create(path(), manifest);
    const SavedRun run(path());
    EXPECT_EQ(run.folder(), path());
    EXPECT_EQ(run.cluster(), this_machine());
    EXPECT_EQ(run.plan(), plan_named("quick"));
    EXPECT_TRUE(run.network_parameters().empty());
    EXPECT_EQ(run.header(), Json::object());
    EXPECT_EQ(run.files().config(), path() + "/config.json");
}

TEST_F(SavedRunTest, DropsWhatIsStale) {
    {
        Journal journal = Journal::create(path(), manifest);
        std::vector<CaseRecord> group = {record(Stage::search, "bcast"), record(Stage::search, "allreduce")};
        journal.append(group);
        journal.append_event("stale", {{"network", "loopback"},
                                       {"layout", "4x1"},
                                       {"nodes", 4},
                                       {"ppn", 1},
                                       {"mapping", "block"},
                                       {"collective", "bcast"},
                                       {"operation", ""},
                                       {"last_group", 1}});
        std::vector<CaseRecord> again = {record(Stage::search, "bcast")};
        journal.append(again);
    }
    const SavedRun run(path());
    ASSERT_EQ(run.data().cases.size(), 2u);
    EXPECT_EQ(run.data().cases[0].collective, "allreduce");
    EXPECT_EQ(run.data().cases[1].collective, "bcast");
    EXPECT_EQ(run.data().cases[1].group, 2u);
    const OpenRun open = resume_run(path());
    EXPECT_EQ(open.data.cases.size(), 2u) << "to write to it, too";
}

TEST_F(SavedRunTest, HasTheHeaderOfTheFirstJob) {
    {
        Journal journal = Journal::create(path(), manifest);
        journal.append_event("job_header", {{"header", {{"library", "first"}}}});
        journal.append_event("job_header", {{"header", {{"library", "second"}}}});
    }
    EXPECT_EQ(SavedRun(path()).header().at("library"), "first");
}

TEST_F(SavedRunTest, NothingIsMeasuredInACombination) {
    mark_as_combination(manifest, {"a", "b"}, 0);
    EXPECT_TRUE(is_combination(manifest));
    Journal::create(path(), manifest);
    EXPECT_NO_THROW(SavedRun{path()});
    EXPECT_THROW(resume_run(path()), Error);
}

// Written by version 0.1, with a status that has another name now
TEST_F(SavedRunTest, OpensAJournalOfAnOlderVersion) {
    Journal::create(path(), manifest);
    std::string line = to_line(record(Stage::search, "bcast"), 1);
    line.replace(line.find("\"measured\""), 10, "\"poisoned\"");
    line.replace(line.find("\"group\":0"), 9, "\"group\":1");
    std::ofstream(path() + "/samples.jsonl") << line << "\n";
    const SavedRun run(path());
    ASSERT_EQ(run.data().cases.size(), 1u);
    EXPECT_EQ(run.data().cases[0].status, Status::crashed);
}

TEST_F(SavedRunTest, SaysWhatToDoWithAnotherFormatVersion) {
    Journal::create(path(), manifest);
    const std::string file = SavedRun(path()).files().manifest();
    std::string text = read_file(file);
    text.replace(text.find("\"version\": 1"), 12, "\"version\": 9");
    std::ofstream(file) << text;
    try {
        SavedRun run(path());
        FAIL() << "it opened";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("version of changeover that wrote it"), std::string::npos)
            << error.what();
    }
}

}  // namespace
