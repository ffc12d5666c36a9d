// SPDX-License-Identifier: MIT
// The run directory: what was appended comes back, whatever tore its end; damage is named; one writer at a
// time.
#include "journal.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "written_run.hpp"

namespace {

using namespace tuner;
using written_run::manifest;
using written_run::record;

class Journals : public written_run::WrittenRun {};

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

TEST_F(Journals, KeepUnevenLayouts) {
    const Layout uneven = {4, 2, Mapping::block, 1};
    CaseRecord written = record("ring", 5);
    written.layout = uneven;
    {
        Journal journal = Journal::create(run, manifest());
        journal.job_started({"token", "eth", uneven});
        std::vector<CaseRecord> group = {written};
        journal.append(group);
        written = group[0];
    }
    const RunData loaded = load_run(run);
    ASSERT_EQ(loaded.cases.size(), 1u);
    EXPECT_EQ(loaded.cases[0], written);
    ASSERT_EQ(open_jobs(loaded).size(), 1u);
    EXPECT_EQ(open_jobs(loaded)[0].layout, uneven);
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

// Zeros or anything else in place of a part of the last write, as after a loss of power: what was written
// before is there, the rest is kept aside, and the run goes on
TEST_F(Journals, RecoverFromADamagedLastGroup) {
    write_run();
    const std::size_t before = std::filesystem::file_size(samples);
    {
        RunData loaded;
        Journal journal = Journal::resume(run, loaded);
        std::vector<CaseRecord> last = {record("ring", 5), record("smp", 5), record("default", 5)};
        journal.append(last);
    }
    const std::string whole = read_file(samples);
    const std::size_t size = whole.size() - before;
    for (const auto& [from, length] : std::vector<std::pair<std::size_t, std::size_t>>{
             {0, 10}, {0, size - 1}, {0, size}, {size / 2, 1}, {size / 3, size / 3}, {size - 20, 19}}) {
        for (const char byte : {'\0', 'x', '\n'}) {
            std::filesystem::remove(run / "samples.damaged");
            std::string damaged = whole;
            damaged.replace(before + from, length, length, byte);
            std::ofstream(samples, std::ios::binary) << damaged;
            EXPECT_EQ(load_run(run).cases.size(), 3u) << "readers see what was there before";
            RunData loaded;
            {
                Journal journal = Journal::resume(run, loaded);
                EXPECT_EQ(loaded.cases.size(), 3u) << from << " " << length;
                std::vector<CaseRecord> again = {record("ring", 5)};
                journal.append(again);
                EXPECT_EQ(again[0].group, 3u);
            }
            if (!loaded.damage.empty()) {  // all zeros without an end of line are a torn end
                EXPECT_EQ(read_file(run / "samples.damaged"), damaged.substr(before));
                EXPECT_NE(loaded.damage.find(" is damaged: "), std::string::npos) << loaded.damage;
                EXPECT_EQ(load_run(run).events.back().at("event"), "recovered");
            }
            EXPECT_EQ(load_run(run).torn_bytes, 0u);
            EXPECT_EQ(load_run(run).cases.size(), 4u);
        }
    }
}

// Written by version 0.1: no checksums; and resumed by this one
TEST_F(Journals, OfAnOlderVersionStillOpen) {
    const std::vector<CaseRecord> written = write_run();
    std::string old;
    std::istringstream lines(read_file(samples));
    for (std::string line; std::getline(lines, line);) {
        ASSERT_TRUE(has_checksum(line));
        old += line.substr(0, line.rfind(",\"crc\":")) + "}\n";
    }
    std::ofstream(samples, std::ios::binary) << old;
    EXPECT_EQ(load_run(run).cases, written);
    {
        RunData loaded;
        Journal journal = Journal::resume(run, loaded);
        std::vector<CaseRecord> more = {record("ring", 5)};
        journal.append(more);
    }
    EXPECT_EQ(load_run(run).cases.size(), 4u);
    old = read_file(samples);
    old[old.find("\"type\"")] = '\0';
    std::ofstream(samples, std::ios::binary) << old;
    EXPECT_NE(load_error().find("line 1 is damaged"), std::string::npos) << load_error();
}

TEST_F(Journals, WriteToTheirOwnFolderOnly) {
    write_run();
    const auto other = folder.path / "other";
    std::ofstream(other) << "of somebody";
    RunData loaded;
    for (const char* name : {"lock", "samples.jsonl"}) {
        const std::string before = read_file(run / name);
        std::filesystem::remove(run / name);
        std::filesystem::create_symlink(other, run / name);
        const bool is_samples = name == std::string("samples.jsonl");
        if (is_samples) {
            std::ofstream(other, std::ios::trunc);  // an empty journal is a valid one
        }
        try {
            Journal::resume(run, loaded);
            ADD_FAILURE() << name;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(std::string(name) + " is a symbolic link"),
                      std::string::npos)
                << error.what();
        }
        EXPECT_EQ(read_file(other), is_samples ? "" : "of somebody");
        std::filesystem::remove(run / name);
        std::ofstream(run / name) << before;
    }
    std::filesystem::remove(run / "lock");
    std::ofstream(other) << "of somebody";
    std::filesystem::create_hard_link(other, run / "lock");
    EXPECT_NO_THROW(Journal::resume(run, loaded));
    EXPECT_EQ(read_file(other), "of somebody") << "of a file with two names";
    std::filesystem::remove(run / "lock");
    ASSERT_EQ(mkfifo((run / "lock").c_str(), 0600), 0);
    EXPECT_NO_THROW(Journal::resume(run, loaded)) << "waits for nobody";
}

TEST_F(Journals, NeedAPathThatIsText) {
    const auto strange = folder.path / "r\xff";
    for (const bool is_new : {true, false}) {
        try {
            is_new ? (void)Journal::create(strange, manifest()) : (void)load_run(strange);
            ADD_FAILURE();
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            EXPECT_NE(std::string(error.what()).find("r\\xff' is not UTF-8; name another one with --run"),
                      std::string::npos)
                << error.what();
        }
    }
    EXPECT_FALSE(std::filesystem::exists(strange));
    Manifest other = manifest();
    other.command_line = {"changeover", "--cluster", "\xff.json"};
    { const Journal journal = Journal::create(run, other); }
    EXPECT_EQ(load_run(run).manifest.command_line.back(), "\xef\xbf\xbd.json") << "it is only for people";
    other.cluster["name"] = "\xff";
    EXPECT_THROW(Journal::create(folder.path / "second", other), Error);
    EXPECT_FALSE(std::filesystem::exists(folder.path / "second"));
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
    std::ofstream(other / ".manifest.json.changeover-abcdef");
    { const Journal journal = Journal::create(other, manifest()); }
    EXPECT_EQ(load_run(other).cases.size(), 0u);
    EXPECT_EQ(count_files(other), 3) << "lock, manifest, samples";
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
