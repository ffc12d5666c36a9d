// SPDX-License-Identifier: MIT
#include "replay_report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace {

using namespace bench;
using Json = nlohmann::json;

// Two ranks for 1 s: bcasts from two roots, and an allreduce on one of two communicators
ReplayReport made_up_report() {
    ReplayReport report;
    report.file = "app.jsonl";
    report.library = "MPICH";
    report.compute = "busy";
    report.program = {.ranks = 2,
                      .node_of_rank = {0, 0},
                      .recorded_seconds = 1,
                      .communicators = {{0, 1}, {1, 0}},
                      .calls = {{"bcast", false, 0, 1024, 0, 3, 0.2},
                                {"bcast", false, 0, 1024, 1, 1, 0.2},
                                {"allreduce", false, 1, 8, 0, 5, 0.8}},
                      .approximated = {"buffers"},
                      .omitted = {"1 call(s): too long"}};
    report.notes = {"2 ranks share 1 core(s)"};
    report.repetitions = {{1.2, {0.2, 0.2, 1.0}}, {1.0, {0.1, 0.1, 0.4}}, {1.1, {0.2, 0.4, 0.8}}};
    return report;
}

TEST(ReplayReport, RecordedAndReplayedTimesOfAMeanRank) {
    const Json json = Json::parse(replay_json(made_up_report()));
    EXPECT_EQ(json.at("total").at("recorded_seconds"), 1);
    EXPECT_DOUBLE_EQ(json.at("total").at("ratio").get<double>(), 1.1);
    EXPECT_DOUBLE_EQ(json.at("total").at("least_seconds").get<double>(), 1.0);
    EXPECT_DOUBLE_EQ(json.at("total").at("most_seconds").get<double>(), 1.2);
    EXPECT_DOUBLE_EQ(json.at("in_collectives").at("recorded_seconds").get<double>(), 0.6);
    EXPECT_DOUBLE_EQ(json.at("in_collectives").at("replayed_seconds").get<double>(), 0.7);
    const Json& calls = json.at("calls");
    ASSERT_EQ(calls.size(), 2U) << "roots are not told apart";
    EXPECT_EQ(calls[0].at("collective"), "allreduce") << "the most time first";
    EXPECT_EQ(calls[1].at("number"), 4);
    EXPECT_DOUBLE_EQ(calls[1].at("recorded_seconds").get<double>(), 0.2);
    EXPECT_DOUBLE_EQ(calls[1].at("replayed_seconds").get<double>(), 0.2);
}

TEST(ReplayReport, TextSaysWhatIsNotAsRecorded) {
    const std::string text = replay_text(made_up_report());
    for (const char* said :
         {"# app.jsonl: 2 ranks; repetitions: 3; compute: busy\n", "# approximated: buffers\n",
          "# omitted: 1 call(s): too long\n", "# note: 2 ranks share 1 core(s)\n", "the program", "bcast 1Ki",
          "1 (2 ranks)"}) {
        EXPECT_NE(text.find(said), std::string::npos) << said << " is not in\n" << text;
    }
}

TEST(ReplayReport, NoRecordedTimeHasNoRatio) {
    ReplayReport report = made_up_report();
    for (ReplayCall& call : report.program.calls) {
        call.recorded_seconds = 0;
    }
    EXPECT_TRUE(Json::parse(replay_json(report)).at("in_collectives").at("ratio").is_null());
}

TEST(ReplayReport, ManyCallsAreCutInTheText) {
    ReplayReport report = made_up_report();
    for (std::size_t bytes = 1; bytes <= 30; ++bytes) {
        report.program.calls.push_back({"reduce", false, 0, bytes, 0, 1, 0.001});
        for (ReplayRepetition& repetition : report.repetitions) {
            repetition.seconds_of_call.push_back(0.001);
        }
    }
    EXPECT_NE(replay_text(report).find("# 12 more; all of them: --format json"), std::string::npos);
    EXPECT_EQ(Json::parse(replay_json(report)).at("calls").size(), 32U);
}

}  // namespace
