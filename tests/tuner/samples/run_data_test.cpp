// SPDX-License-Identifier: MIT
// Reading a run directory: damage is named, with the file, the line and a remedy.
#include "run_data.hpp"

#include <fmt/core.h>
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
    const char* events[] = {
        R"({"type":"event","event":"stale","network":"eth"})",
        R"({"type":"event","event":"job_started","token":"a","network":"b"})",
        R"({"type":"event","event":"job_ended"})",
        R"({"type":"event","event":"job_ended","token":5})",
        R"({"type":"event","event":"job_header","header":[]})",
        R"({"type":"event","event":"network_changed","network":"eth","last_group":1})",
        R"({"type":"event","event":"network_changed","network":"eth","last_group":1,"moved":[5]})",
        R"({"type":"event"})"};
    for (const char* event : events) {
        std::filesystem::remove_all(run);
        write_run();
        append_text(with_checksum(event) + "\n");
        append_text(with_checksum(R"({"type":"event","event":"x"})") + "\n");
        EXPECT_NE(load_error().find("samples.jsonl, line 5 is damaged"), std::string::npos) << event;
    }
}

TEST_F(RunDataTest, NameWhatIsWrongInTheHeaderOfAJob) {
    const std::pair<const char*, const char*> headers[] = {
        {R"([])", "/header of a job is not an object, but array"},
        {R"({"library": 4})", "/header/library of a job is not a string, but number"},
        {R"({"machines": "1"})", "/header/machines of a job is not a number, but string"},
        {R"({"algorithm_values": []})", "/header/algorithm_values of a job is not an object, but array"},
        {R"({"network": "eth"})", "/header/network of a job is not an object, but string"},
        {R"({"network": {"evidence": 5}})", "/header/network/evidence of a job is not a string, but number"},
        {R"({"network": {"nodes": {}}})", "/header/network/nodes of a job is not an array, but object"}};
    for (const auto& [header, cause] : headers) {
        std::filesystem::remove_all(run);
        write_run();
        append_text(
            with_checksum(fmt::format(R"({{"type":"event","event":"job_header","header":{}}})", header)) +
            "\n");
        append_text(with_checksum(R"({"type":"event","event":"x"})") + "\n");
        EXPECT_NE(load_error().find(fmt::format("samples.jsonl, line 5 is damaged: {}; restore", cause)),
                  std::string::npos)
            << load_error();
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

Json network_changed(std::size_t last_group, std::size_t number, std::size_t of) {
    return {{"network", "eth"},
            {"moved", Json::array({"between.byte (G): 78 -> 7 ns/byte"})},
            {"last_group", last_group},
            {"number", number},
            {"of", of}};
}

std::vector<CaseRecord> case_on(const std::string& network, Stage stage) {
    CaseRecord record = written_run::record("ring", 3);
    record.network = network;
    record.stage = stage;
    return {record};
}

// Cases of any stage and jobs; nothing of other networks, and nothing that was measured afterwards
TEST_F(RunDataTest, ForgetAllOfANetworkThatChanged) {
    {
        Journal journal = Journal::create(run, written_run::manifest());
        journal.job_started({"ended", "eth", {2, 1, Mapping::block}});
        journal.append_event("job_header", {{"token", "ended"}, {"header", Json::object()}});
        for (const char* network : {"eth", "fast"}) {
            for (const Stage stage : {Stage::network, Stage::exchange, Stage::search, Stage::verify}) {
                std::vector<CaseRecord> group = case_on(network, stage);
                journal.append(group);
            }
        }
        journal.job_ended("ended", "done");
        journal.job_started({"open", "eth", {2, 1, Mapping::block}});
        journal.job_started({"other", "fast", {2, 1, Mapping::block}});
        journal.job_ended("other", "done");
        journal.append_event(network_changed_event, network_changed(8, 1, 1));
        journal.job_started({"later", "eth", {2, 1, Mapping::block}});
        journal.job_ended("later", "done");
        std::vector<CaseRecord> group = case_on("eth", Stage::search);
        journal.append(group);
    }
    RunData data = load_run(run);
    EXPECT_EQ(data.cases.size(), 9U);
    forget_stale(data);
    ASSERT_EQ(data.cases.size(), 5U);
    EXPECT_TRUE(std::all_of(data.cases.begin(), data.cases.begin() + 4,
                            [](const CaseRecord& record) { return record.network == "fast"; }));
    EXPECT_EQ(data.cases[4].group, 9U);
    std::set<std::string> tokens;
    for (const Json& event : data.events) {
        tokens.insert(event.value("token", ""));
    }
    EXPECT_EQ(tokens, (std::set<std::string>{"", "later", "open", "other"})) << "open: may still run";
}

TEST_F(RunDataTest, KeepANetworkWhoseMarkingWasInterrupted) {
    write_run();
    {
        RunData data;
        Journal journal = Journal::resume(run, data);
        journal.append_event(network_changed_event, network_changed(2, 1, 3));
    }
    RunData data = load_run(run);
    forget_stale(data);
    EXPECT_EQ(data.cases.size(), 3U);
    EXPECT_EQ(data.events.size(), 1U);
}

TEST(BudgetOf, IsThatOfThePlanAndWhatItWasExtendedBy) {
    RunData run;
    EXPECT_EQ(budget_of(run, 600).seconds, 600);
    EXPECT_EQ(budget_of(run, 600).unused_extension, 0);
    run.events.push_back({{"event", budget_extended_event}, {"seconds", 900}, {"added", 300}});
    run.events.push_back({{"event", budget_extended_event}, {"seconds", 1000}, {"added", 100}});
    EXPECT_EQ(budget_of(run, 600).seconds, 1000);
    EXPECT_EQ(budget_of(run, 600).unused_extension, 400);
    run.events.push_back({{"event", extension_used_event}});
    EXPECT_EQ(budget_of(run, 600).seconds, 1000);
    EXPECT_EQ(budget_of(run, 600).unused_extension, 0);
}

}  // namespace
