// SPDX-License-Identifier: MIT
// Reading a run directory: damage is named, with the file, the line and a remedy.
#include "run_data.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "written_run.hpp"

namespace {

using namespace tuner;

class RunDataTest : public written_run::WrittenRun {};

// Behind a damaged line there is something that was acknowledged: then it is no torn end
TEST_F(RunDataTest, NameADamagedLine) {
    const char* damages[] = {"{\"type\":\"case\",\n",
                             "not JSON\n",
                             "\n",
                             "{\"type\":\"else\"}\n",
                             "{\"type\":\"case\",\"group\":3}\n",
                             "{\"type\":\"event\",\"event\":\"x\"}\n",  // without a checksum
                             "[]\n"};
    for (const char* damage : damages) {
        std::filesystem::remove_all(run);
        write_run();
        append_text(damage);
        append_text(with_checksum("{\"type\":\"event\",\"event\":\"x\"}") + "\n");
        const std::string message = load_error();
        EXPECT_NE(message.find("samples.jsonl, line 5 is damaged: "), std::string::npos)
            << damage << ": " << message;
        EXPECT_NE(message.find("; restore the file from a copy, or remove all lines"), std::string::npos);
    }
}

TEST_F(RunDataTest, SayThatADamagedGroupHasOthersBehindIt) {
    write_run();
    std::string text = read_file(samples);
    text[text.find("\"algorithm\":\"default\"") + 15] = 'D';  // valid JSON, and not what was written
    std::ofstream(samples, std::ios::binary) << text;
    EXPECT_NE(load_error().find("line 2 is damaged: its checksum does not match"), std::string::npos)
        << load_error();
    RunData loaded;
    EXPECT_THROW(Journal::resume(run, loaded), Error);
    EXPECT_EQ(read_file(samples), text) << "nothing is cut off";
}

// Readers of events rely on these keys
TEST_F(RunDataTest, NameAnIncompleteEvent) {
    const char* events[] = {R"({"type":"event","event":"stale","network":"eth"})",
                            R"({"type":"event","event":"job_started","token":"a","network":"b"})",
                            R"({"type":"event","event":"job_ended"})",
                            R"({"type":"event","event":"job_ended","token":5})",
                            R"({"type":"event","event":"job_header","header":[]})",
                            R"({"type":"event"})"};
    for (const char* event : events) {
        std::filesystem::remove_all(run);
        write_run();
        append_text(with_checksum(event) + "\n");
        append_text(with_checksum(R"({"type":"event","event":"x"})") + "\n");
        EXPECT_NE(load_error().find("samples.jsonl, line 5 is damaged"), std::string::npos) << event;
    }
}

TEST_F(RunDataTest, AreNotWaitedFor) {
    write_run();
    std::filesystem::remove(samples);
    ASSERT_EQ(mkfifo(samples.c_str(), 0600), 0);
    EXPECT_THROW(load_run(run), Error);
    std::filesystem::remove(run / "manifest.json");
    ASSERT_EQ(mkfifo((run / "manifest.json").c_str(), 0600), 0);
    EXPECT_THROW(load_run(run), Error);
}

TEST_F(RunDataTest, NameAManifestThatIsTooDeep) {
    write_run();
    std::ofstream(run / "manifest.json")
        << "{\"version\": 1, \"cluster\": " << std::string(200000, '[') << std::string(200000, ']') << "}";
    EXPECT_NE(load_error().find("manifest.json is damaged: arrays and objects are nested"), std::string::npos)
        << load_error();
}

TEST_F(RunDataTest, NameDamagedSamples) {
    write_run();
    const std::string whole = read_file(samples);
    const std::size_t number = whole.find("100.037");
    ASSERT_NE(number, std::string::npos);
    for (const char* bad : {"1x0.037", "100,,37", "nan.037", "      7", "100]037", "100.0\n7"}) {
        std::ofstream(samples) << std::string(whole).replace(number, 7, bad);
        EXPECT_NE(load_error().find("line 1 is damaged"), std::string::npos) << bad;
    }
}

TEST_F(RunDataTest, NameALostLineOfAGroup) {
    write_run();
    const std::string whole = read_file(samples);
    std::ofstream(samples) << whole.substr(whole.find('\n') + 1);
    EXPECT_NE(load_error().find("line 2 is damaged"), std::string::npos) << load_error();
}

TEST_F(RunDataTest, RememberJobsThatWereNotEnded) {
    {
        Journal journal = Journal::create(run, written_run::manifest());
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

}  // namespace
