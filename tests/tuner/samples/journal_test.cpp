// SPDX-License-Identifier: MIT
// The run directory: what was appended comes back, whatever tore its end; damage is named; one writer at a
// time.
#include "journal.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "cluster_file.hpp"
#include "error.hpp"
#include "files.hpp"
#include "small_disk.hpp"

namespace {

using namespace tuner;

Manifest manifest() {
    return {"",   {"changeover", "tune"}, 42, to_json(this_machine()), {{"name", "quick"}}, {{"host", "vm"}},
            "abc"};
}

CaseRecord record(const std::string& algorithm, std::size_t samples) {
    CaseRecord r;
    r.stage = Stage::search;
    r.network = "eth \"0\"";
    r.layout = {4, 2, Mapping::round_robin};
    r.collective = "allreduce";
    r.algorithm = algorithm;
    r.used = "ring";
    r.bytes = 65536;
    r.datatype = "double";
    r.operation = "sum";
    r.in_place = true;
    r.status = Status::measured;
    r.reason = "text with ,\"samples_us\":[1,2]} in it";
    r.ended = "time";
    r.precision = 0.015;
    r.invalid = 3;
    r.seconds_spent = 0.125;
    r.rank_finish_seconds = {1e-6 * 12.345, 1e-6 * 67.89};
    for (std::size_t i = 0; i < samples; ++i) {
        r.samples_seconds.push_back(1e-6 * (static_cast<double>(100000 + 37 * i) / 1e3));
    }
    return r;
}

class Journals : public testing::Test {
  protected:
    TemporaryFolder folder;
    std::filesystem::path run = folder.path / "run";
    std::filesystem::path samples = run / "samples.jsonl";

    // two groups of 2 and 1 cases, with an event between
    std::vector<CaseRecord> write_run() {
        Journal journal = Journal::create(run, manifest());
        std::vector<CaseRecord> first = {record("ring", 5), record("default", 0)};
        journal.append(first);
        journal.append_event("note", {{"text", "hello"}});
        std::vector<CaseRecord> second = {record("smp", 2)};
        journal.append(second);
        first.push_back(second[0]);
        return first;
    }
    std::string load_error() {
        try {
            load_run(run);
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            return error.what();
        }
        return "no error";
    }
    void append_text(const std::string& text) { std::ofstream(samples, std::ios::app) << text; }
};

TEST_F(Journals, GiveBackWhatWasWritten) {
    const std::vector<CaseRecord> written = write_run();
    const RunData loaded = load_run(run);
    EXPECT_EQ(loaded.cases, written);
    EXPECT_EQ(loaded.cases[0].group, 1u);
    EXPECT_EQ(loaded.cases[2].group, 2u);
    EXPECT_EQ(loaded.last_group, 2u);
    ASSERT_EQ(loaded.events.size(), 1u);
    EXPECT_EQ(loaded.events[0].at("text"), "hello");
    EXPECT_EQ(loaded.torn_bytes, 0u);
    EXPECT_EQ(loaded.manifest.seed, 42u);
    EXPECT_EQ(loaded.manifest.created.size(), std::string("2000-01-01T00:00:00Z").size());
    EXPECT_EQ(loaded.manifest.cluster, to_json(this_machine()));
    EXPECT_EQ(loaded.manifest.plan, (Json{{"name", "quick"}}));
}

// Cut at every byte: only whole groups are left, and the run can go on
TEST_F(Journals, SurviveBeingTornAnywhere) {
    const std::vector<CaseRecord> written = write_run();
    const std::string whole = read_file(samples);
    const std::size_t first_end = whole.find('\n', whole.find('\n') + 1) + 1;
    for (std::size_t size = whole.size(); size-- > 0;) {
        std::filesystem::resize_file(samples, size);
        RunData loaded = load_run(run);
        const std::size_t expected = size < first_end ? 0 : 2;
        ASSERT_EQ(loaded.cases.size(), expected) << "cut at " << size;
    }
    std::ofstream(samples) << whole.substr(0, whole.size() - 5);
    {
        RunData loaded;
        Journal journal = Journal::resume(run, loaded);
        EXPECT_GT(loaded.torn_bytes, 0u);
        EXPECT_EQ(loaded.cases.size(), 2u);
        std::vector<CaseRecord> again = {record("smp", 2)};
        journal.append(again);
        EXPECT_EQ(again[0].group, 2u);
    }
    EXPECT_EQ(load_run(run).cases, written);
}

TEST_F(Journals, NameADamagedLine) {
    const char* damages[] = {"{\"type\":\"case\",\n",
                             "not JSON\n",
                             "\n",
                             "{\"type\":\"else\"}\n",
                             "{\"type\":\"case\",\"group\":3}\n",
                             "[]\n"};
    for (const char* damage : damages) {
        std::filesystem::remove_all(run);
        write_run();
        append_text(damage);
        append_text("{\"type\":\"event\",\"event\":\"x\"}\n");
        const std::string message = load_error();
        EXPECT_NE(message.find("samples.jsonl, line 5 is damaged: "), std::string::npos)
            << damage << ": " << message;
        EXPECT_NE(message.find("; remove that line"), std::string::npos);
    }
}

TEST_F(Journals, NameDamagedSamples) {
    write_run();
    const std::string whole = read_file(samples);
    const std::size_t number = whole.find("100.037");
    ASSERT_NE(number, std::string::npos);
    for (const char* bad : {"1x0.037", "100,,37", "nan.037", "      7", "100]037", "100.0\n7"}) {
        std::ofstream(samples) << std::string(whole).replace(number, 7, bad);
        EXPECT_NE(load_error().find("line 1 is damaged"), std::string::npos) << bad;
    }
}

TEST_F(Journals, NameALostLineOfAGroup) {
    write_run();
    const std::string whole = read_file(samples);
    std::ofstream(samples) << whole.substr(whole.find('\n') + 1);
    EXPECT_NE(load_error().find("line 2 is damaged"), std::string::npos) << load_error();
}

TEST_F(Journals, RefuseWhatIsNoRun) {
    EXPECT_NE(load_error().find("is not a run: it has no manifest.json"), std::string::npos);
    std::filesystem::create_directories(run);
    RunData loaded;
    EXPECT_THROW(Journal::resume(run, loaded), Error);
    EXPECT_EQ(count_files(run), 0) << "nothing is written there";
    std::ofstream(run / "manifest.json") << "{\"version\": 99}";
    EXPECT_NE(load_error().find("has format version 99"), std::string::npos) << load_error();
    std::ofstream(run / "manifest.json") << "{\"vers";
    EXPECT_NE(load_error().find("manifest.json is damaged"), std::string::npos) << load_error();
    std::ofstream(run / "manifest.json") << "{\"version\": 1}";
    EXPECT_NE(load_error().find("manifest.json is damaged"), std::string::npos) << load_error();
}

TEST_F(Journals, AreMadeInEmptyFoldersOnly) {
    write_run();
    EXPECT_THROW(Journal::create(run, manifest()), Error);
    const auto other = run / "other";
    std::filesystem::create_directories(other);
    std::ofstream(other / "lock");  // what a killed one left
    std::ofstream(other / ".manifest.json.abcdef");
    { const Journal journal = Journal::create(other, manifest()); }
    EXPECT_EQ(load_run(other).cases.size(), 0u);
    std::filesystem::create_directories(run / "full");
    std::ofstream(run / "full" / "thesis.tex");
    EXPECT_THROW(Journal::create(run / "full", manifest()), Error);
    EXPECT_EQ(count_files(run / "full"), 1) << "nothing is written there";
}

TEST_F(Journals, HaveOneWriter) {
    write_run();
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t holder = fork();
    if (holder == 0) {
        RunData loaded;
        const Journal journal = Journal::resume(run, loaded);
        [[maybe_unused]] const ssize_t n = write(ready[1], "x", 1);
        pause();
        _exit(0);
    }
    char byte = 0;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    RunData loaded;
    try {
        Journal::resume(run, loaded);
        ADD_FAILURE() << "two writers";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("is in use by process " + std::to_string(holder)),
                  std::string::npos)
            << error.what();
    }
    EXPECT_EQ(load_run(run).cases.size(), 3u) << "reading needs no lock";
    kill(holder, SIGKILL);
    waitpid(holder, nullptr, 0);
    EXPECT_NO_THROW(Journal::resume(run, loaded));
    close(ready[0]);
    close(ready[1]);
}

TEST_F(Journals, RememberJobsThatWereNotEnded) {
    {
        Journal journal = Journal::create(run, manifest());
        journal.job_started({"a", "eth", {2, 1, Mapping::block}});
        journal.job_started({"b", "fast", {4, 2, Mapping::round_robin}});
        journal.job_ended("a", "done");
    }
    const std::vector<OpenJob> open = open_jobs(load_run(run));
    ASSERT_EQ(open.size(), 1u);
    EXPECT_EQ(open[0].token, "b");
    EXPECT_EQ(open[0].network, "fast");
    EXPECT_EQ(open[0].layout, (Layout{4, 2, Mapping::round_robin}));
}

// A writer that is killed at any moment: what it had reported as written is there
TEST_F(Journals, LoseNothingWhenTheWriterIsKilled) {
    { const Journal journal = Journal::create(run, manifest()); }
    std::uint64_t before = 0;
    for (int round = 0; round < 10; ++round) {
        int reports[2];
        ASSERT_EQ(pipe(reports), 0);
        const pid_t writer = fork();
        if (writer == 0) {
            RunData loaded;
            Journal journal = Journal::resume(run, loaded);
            for (;;) {
                std::vector<CaseRecord> group = {record("ring", 50), record("smp", 50),
                                                 record("default", 50)};
                journal.append(group);
                [[maybe_unused]] const ssize_t n = write(reports[1], &group[0].group, sizeof(group[0].group));
            }
        }
        close(reports[1]);
        usleep(static_cast<useconds_t>(20000 + 3000 * round));
        kill(writer, SIGKILL);
        waitpid(writer, nullptr, 0);
        std::uint64_t reported = before;
        while (read(reports[0], &reported, sizeof(reported)) == sizeof(reported)) {
        }
        close(reports[0]);
        const RunData loaded = load_run(run);
        EXPECT_GE(loaded.last_group, reported);
        EXPECT_LE(loaded.last_group, reported + 1);
        ASSERT_EQ(loaded.cases.size(), 3 * loaded.last_group) << "whole groups, each once";
        before = loaded.last_group;
    }
    EXPECT_GT(before, 0u);
}

TEST(FullDisk, LosesNothing) {
    const SmallDisk disk;
    if (!disk.is_mounted()) {
        GTEST_SKIP() << "only root can mount a small disk";
    }
    const auto run = disk.path() / "run";
    std::uint64_t written = 0;
    {
        Journal journal = Journal::create(run, manifest());
        try {
            for (;;) {
                std::vector<CaseRecord> group = {record("ring", 100), record("smp", 100)};
                journal.append(group);
                written = group[0].group;
            }
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("No space left on device"), std::string::npos)
                << error.what();
        }
    }
    EXPECT_GT(written, 5u);
    RunData loaded;
    const Journal journal = Journal::resume(run, loaded);
    EXPECT_EQ(loaded.last_group, written);
    EXPECT_EQ(loaded.cases.size(), 2 * written);
    EXPECT_EQ(loaded.torn_bytes, 0u) << "the part that was written is gone already";
}

}  // namespace
