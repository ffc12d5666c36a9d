// SPDX-License-Identifier: MIT
// The sample stream: what the tuner reads.
#include <nlohmann/json.hpp>

#include "made_up_results.hpp"

namespace {

using namespace bench;
using Json = nlohmann::json;

std::vector<Json> json_of(const std::function<void()>& print) {
    std::vector<Json> lines;
    for (const std::string& line : made_up::lines_of(print)) {
        lines.push_back(Json::parse(line));
    }
    return lines;
}

TEST(JsonLines, ACaseHasItsSamplesAndTheirSummary) {
    const auto lines = json_of([] {
        json_printer(false)->group(made_up::group("allreduce", 64), {made_up::measured("smp", 10)}, "7");
    });
    ASSERT_EQ(lines.size(), 1U);
    const Json& line = lines[0];
    EXPECT_EQ(line["type"], "case");
    EXPECT_EQ(line["id"], 7);
    EXPECT_EQ(line["collective"], "allreduce");
    EXPECT_EQ(line["operation"], "sum");
    EXPECT_TRUE(line["root"].is_null());
    EXPECT_EQ(line["status"], "measured");
    EXPECT_EQ(line["n"], 5);
    EXPECT_DOUBLE_EQ(line["median_us"], 10);
    EXPECT_EQ(line["samples_us"], (Json{10.0, 9.0, 11.0, 8.0, 12.0})) << "in the order of measuring";
    EXPECT_EQ(line["rank_finish_us"], (Json{5.0, 10.0}));
}

TEST(JsonLines, ACaseHasWhatMakesItsTimesDoubtful) {
    GroupSpec group = made_up::group("bcast", 64);
    group.order = Order::pairs;
    group.calls_in_a_row = 10;
    group.communicators = models::parse_communicators("rows:2");
    CaseResult drifting = made_up::measured("smp", 10);
    for (int i = 0; i < 40; ++i) {
        drifting.repetitions.push_back({10e-6 + 1e-7 * i, {0, 0}, {0, 0}, {}, 4e-6});
    }
    const auto lines = json_of([&] {
        json_printer(false)->group(group, {drifting}, "");
        json_printer(false)->group(made_up::group("bcast", 64), {made_up::measured("smp", 10)}, "");
    });
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0]["order"], "pairs");
    EXPECT_EQ(lines[0]["calls_in_a_row"], 10);
    EXPECT_EQ(lines[0]["communicators"], "rows:2");
    EXPECT_EQ(lines[0]["communicator_ranks"], 2);
    EXPECT_DOUBLE_EQ(lines[0]["start_skew_us"], 4);
    EXPECT_NEAR(lines[0]["drift"], 13.2 / 10.4 - 1, 1e-9);
    EXPECT_EQ(lines[0]["is_drifting"], true);
    for (const char* key :
         {"order", "calls_in_a_row", "communicators", "start_skew_us", "drift", "is_drifting"}) {
        EXPECT_FALSE(lines[1].contains(key)) << key;
    }
}

TEST(JsonLines, ACaseHasItsArrivals) {
    GroupSpec group = made_up::group("bcast", 64);
    group.arrival = {models::parse_arrivals("random:2"), 0, {0, 0}};
    CaseResult result = made_up::measured("smp", 10);
    result.arrival_unit = 8e-6;
    for (Repetition& repetition : result.repetitions) {
        repetition.waiting_seconds = 15e-6;
    }
    const auto lines = json_of([&] {
        json_printer(false)->group(group, {result}, "");
        group.arrival->how = models::parse_arrivals("together");
        json_printer(false)->group(group, {made_up::refused("smp", "no")}, "");
        json_printer(false)->group(made_up::group("bcast", 64), {result}, "");
    });
    EXPECT_EQ(lines[0]["arrival"]["pattern"], "random");
    EXPECT_EQ(lines[0]["arrival"]["width"], 2);
    EXPECT_DOUBLE_EQ(lines[0]["arrival"]["unit_us"], 8);
    EXPECT_DOUBLE_EQ(lines[0]["waiting_us"], 15);
    EXPECT_EQ(lines[1]["arrival"], (Json{{"pattern", "together"}}));
    EXPECT_FALSE(lines[1].contains("waiting_us"));
    EXPECT_FALSE(lines[2].contains("arrival") || lines[2].contains("waiting_us"));
}

TEST(JsonLines, ARefusedCaseHasItsReason) {
    const auto lines = json_of([] {
        json_printer(false)->group(made_up::group("bcast", 64), {made_up::refused("smp", "needs nodes")}, "");
    });
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0]["status"], "refused");
    EXPECT_EQ(lines[0]["reason"], "needs nodes");
    EXPECT_EQ(lines[0]["root"], 0);
    EXPECT_TRUE(lines[0]["operation"].is_null());
    EXPECT_FALSE(lines[0].contains("samples_us"));
    EXPECT_FALSE(lines[0].contains("id"));
}

TEST(JsonLines, ARequestIsAnsweredWithItsId) {
    const auto lines = json_of([] {
        json_printer(false)->error("not \xff text", "\"x\"");
        json_printer(false)->done("{\"a\":1}");
        json_printer(false)->end({5, 1}, {9, 1});
    });
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0]["type"], "error");
    EXPECT_EQ(lines[0]["id"], "x");
    EXPECT_EQ(lines[1]["id"]["a"], 1);
    EXPECT_EQ(lines[2]["tcp_retransmits"], 4);
    EXPECT_EQ(lines[2]["tcp_before"]["retransmits"], 5);
}

TEST(JsonLines, HaveTheTimesOfSetsOfRanks) {
    const auto lines = json_of([] {
        json_printer(true, parse_process_sets("1", 2))
            ->group(made_up::group("bcast", 64), {made_up::measured("smp", 10)}, "");
    });
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_DOUBLE_EQ(lines[0]["processes"][0]["median_us"], 10);
    EXPECT_EQ(lines[0]["finish_of_ranks_us"][0], (Json{5.0, 10.0}));
}

}  // namespace
