// SPDX-License-Identifier: MIT
// The exchanges of a plan, asked for one after the other and answered by a network that is known.
#include "exchange_questions.hpp"

#include <gtest/gtest.h>

#include <set>

#include "cluster_file.hpp"
#include "exchange_headlines.hpp"

namespace {

using namespace tuner;

const Layout two_by_two = {2, 2, Mapping::block};

const Cluster cluster =
    cluster_from(CheckedJson(Json{{"hosts", {{{"name", "a"}, {"slots", 2}}, {{"name", "b"}, {"slots", 2}}}},
                                  {"layouts", {{{"nodes", 2}, {"ppn", 1}}, {{"nodes", 2}, {"ppn", 2}}}}},
                             "test"));

PlannedExchange planned(const std::string& name, std::size_t min_bytes, std::size_t max_bytes) {
    PlannedExchange exchange;
    exchange.name = name;
    exchange.ways = {"send"};
    exchange.link = "between";
    exchange.min_bytes = min_bytes;
    exchange.max_bytes = max_bytes;
    return exchange;
}

class ExchangeCases : public testing::Test {
  protected:
    ExchangeCases() { plan.size_step = 4; }

    // Answers with 10 us and 0.1 us for a byte until nothing is asked any more; the sizes that were asked for
    std::vector<std::size_t> measure(const PlannedExchange& exchange, Status status = Status::measured) {
        std::vector<std::size_t> sizes;
        while (const auto group = next_exchange_case(run, plan, exchange, "eth", two_by_two)) {
            EXPECT_EQ(group->stage, Stage::exchange);
            EXPECT_EQ(group->exchange.label, label_of(exchange));
            sizes.push_back(group->bytes);
            ++run.last_group;
            for (const std::string& way : group->algorithms) {
                CaseRecord record;
                record.group = run.last_group;
                record.stage = group->stage;
                record.network = "eth";
                record.layout = two_by_two;
                record.collective = group->collective.name;
                record.algorithm = way;
                record.exchange = group->exchange.label;
                record.bytes = group->bytes;
                record.status = status;
                const double seconds = 10e-6 + 1e-7 * static_cast<double>(group->bytes);
                if (status == Status::measured) {
                    record.samples_seconds.assign(20, seconds);
                    record.values = {{"half_us", 0.5e6 * seconds}};
                }
                record.seconds_spent = 26 * seconds;
                run.cases.push_back(record);
            }
            if (sizes.size() > 100) {
                ADD_FAILURE() << "there is no end";
                break;
            }
        }
        return sizes;
    }

    Plan plan = plan_named("network");
    RunData run;
};

TEST_F(ExchangeCases, EachSizeOnce) {
    EXPECT_EQ(measure(planned("ping_pong", 1, 100)), (std::vector<std::size_t>{1, 4, 16, 64, 100}));
    EXPECT_TRUE(measure(planned("ping_pong", 1, 100)).empty());  // as after a restart
    EXPECT_EQ(measure(planned("one_way", 8, 8)), std::vector<std::size_t>{8});
    ASSERT_EQ(run.cases.size(), 6u);
}

TEST_F(ExchangeCases, WhatTakesTooLongIsLeftOut) {
    // 1 MiB takes 0.1 s, so that 21 calls of 4 MiB would take 8.8 s
    EXPECT_EQ(measure(planned("ping_pong", 1 << 16, 1 << 24)),
              (std::vector<std::size_t>{1 << 16, 1 << 18, 1 << 20}));
}

// Many ways take as long as a longer message
TEST_F(ExchangeCases, AllWaysTogetherAreTheLimit) {
    PlannedExchange exchange = planned("ping_pong", 1 << 16, 1 << 24);
    exchange.ways = {"send",      "ssend", "bsend", "rsend", "isend", "sendrecv", "sendrecv_replace",
                     "persistent"};
    EXPECT_EQ(measure(exchange), (std::vector<std::size_t>{1 << 16, 1 << 18}));
}

TEST_F(ExchangeCases, WhatFailedIsTriedOnceMore) {
    EXPECT_EQ(measure(planned("ping_pong", 1, 4), Status::crashed), (std::vector<std::size_t>{1, 1, 4, 4}));
    EXPECT_TRUE(exchange_curves(run).empty());
}

TEST_F(ExchangeCases, CurvesAndHeadlines) {
    measure(planned("ping_pong", 100, 1600));
    const ExchangeCurves curves = exchange_curves(run);
    ASSERT_EQ(curves.size(), 1u);
    const auto& [key, curve] = *curves.begin();
    EXPECT_EQ(key, (ExchangeKey{"eth", two_by_two, "ping_pong between", "send"}));
    ASSERT_EQ(curve.size(), 3u);
    EXPECT_NEAR(curve.at(400).median_seconds, 50e-6, 1e-12);
    const std::vector<Headline> headlines = headlines_of(curves);
    ASSERT_EQ(headlines.size(), 1u);
    EXPECT_EQ(headlines[0].quantity, "latency");
    EXPECT_NEAR(headlines[0].value, 10, 1e-9);  // us, half of 10 us + 100 bytes
    EXPECT_EQ(headlines[0].text, "10 us");
    EXPECT_NE(headlines_table(curves).find("ping_pong between"), std::string::npos);
    EXPECT_EQ(headlines_table({}), "");
}

TEST_F(ExchangeCases, HeadlinesOfRatesAndShares) {
    ExchangeCurves curves;
    ExchangePoint point;
    point.median_seconds = 1e-3;
    point.sorted_seconds = {1e-3, 1e-3, 1e-3, 3e-3};
    for (const auto& [bytes, megabytes, messages, share] :
         {std::tuple(8, 1.0, 9e5, 0.1), std::tuple(64, 50.0, 8e5, 0.9), std::tuple(512, 40.0, 1e4, 0.8)}) {
        const auto size = static_cast<std::size_t>(bytes);
        point.values = {{"megabytes_per_s", megabytes}, {"messages_per_s", messages}};
        curves[{"eth", two_by_two, "bandwidth between", "one_direction"}][size] = point;
        curves[{"eth", two_by_two, "ring", "isend"}][size] = point;
        point.values = {{"availability", share}, {"overhead_us", 1}};
        curves[{"eth", two_by_two, "availability between", "irecv"}][size] = point;
    }
    std::map<std::string, double> values;
    for (const Headline& headline : headlines_of(curves)) {
        values[headline.key.exchange + ": " + headline.quantity] = headline.value;
        EXPECT_DOUBLE_EQ(headline.share_beyond, 0.25);
    }
    EXPECT_EQ(values, (std::map<std::string, double>{{"availability between: availability", 0.8},
                                                     {"bandwidth between: bandwidth", 50},
                                                     {"bandwidth between: message rate", 9e5},
                                                     {"ring: time", 1e-3}}));
}

TEST_F(ExchangeCases, OverlapIsTheBestOfItsIntervals) {
    for (const auto& [tests, by_work, overlap] :
         {std::tuple(0, 0, -1.0), std::tuple(0, 0, 0.1), std::tuple(0, 1, 0.2), std::tuple(2, 0, 0.5),
          std::tuple(4, 0, 0.7), std::tuple(8, 0, 0.6)}) {
        CaseRecord record;
        record.stage = Stage::exchange;
        record.network = "eth";
        record.layout = two_by_two;
        record.collective = "ibcast";
        record.exchange = "ibcast overlap";
        record.algorithm = "default";
        record.bytes = 1024;
        record.status = Status::measured;
        record.parameters = {{"compute_us", 10}, {"tests", tests}, {"by_work", by_work}};
        if (overlap >= 0) {
            record.values = {{"overlap", overlap}};
        }
        record.samples_seconds.assign(10, 1e-5 * (1 + tests));
        run.cases.push_back(record);
    }
    std::map<std::string, double> found;
    for (const auto& [key, curve] : exchange_curves(run)) {
        const auto& values = curve.at(1024).values;
        found[key.way] = values.contains("overlap") ? values.at("overlap") : -1;
    }
    EXPECT_EQ(found, (std::map<std::string, double>{{"default alone", -1},
                                                    {"default by time", 0.1},
                                                    {"default by work", 0.2},
                                                    {"default by time with tests", 0.7}}));
}

TEST(ExchangeLayouts, PairsOnOneAndAllRanksOnEach) {
    EXPECT_EQ(layouts_of(planned("ping_pong", 1, 1), cluster), std::vector<Layout>{two_by_two});
    PlannedExchange ring = planned("ring", 1, 1);
    ring.link = "";
    EXPECT_EQ(layouts_of(ring, cluster),
              (std::vector<Layout>{{2, 1, Mapping::block}, {2, 2, Mapping::block}}));
    ring.name = "local_call";
    EXPECT_EQ(layouts_of(ring, cluster).size(), 1u);
}

TEST(PlanOfNetworks, HasEachLabelOnceAndSurvivesItsFile) {
    const Plan plan = plan_named("network");
    EXPECT_TRUE(plan.collectives.empty());
    std::set<std::string> labels;
    for (const PlannedExchange& exchange : plan.exchanges) {
        EXPECT_TRUE(labels.insert(label_of(exchange)).second) << label_of(exchange);
    }
    for (const char* label :
         {"ping_pong between", "ping_pong within", "bandwidth halves", "availability between",
          "halo dimensions=3", "iallreduce overlap", "master_worker", "local_call"}) {
        EXPECT_TRUE(labels.contains(label)) << label;
    }
    EXPECT_EQ(plan_from(CheckedJson(to_json(plan), "plan")), plan);
}

TEST(PlanOfNetworks, FilesOfPeople) {
    const auto plan_of = [](const char* text) { return plan_from(CheckedJson::parse(text, "plan.json")); };
    const Plan plan = plan_of(R"({"exchanges": ["ring", {"name": "bandwidth", "pairs": "halves",
        "parameters": {"window": 16}, "max_bytes": "64Ki"}, {"name": "ping_pong", "link": "within"}]})");
    ASSERT_EQ(plan.exchanges.size(), 3u);
    EXPECT_TRUE(plan.collectives.empty());
    EXPECT_EQ(label_of(plan.exchanges[1]), "bandwidth halves window=16");
    EXPECT_EQ(plan.exchanges[1].max_bytes, 65536u);
    EXPECT_EQ(plan.exchanges[2].link, "within");
    EXPECT_EQ(plan_of(R"({"exchanges": ["ring"], "collectives": ["bcast"]})").collectives.size(), 1u);
    EXPECT_FALSE(plan_of("{}").collectives.empty());
    for (const char* wrong :
         {R"({"exchanges": ["pingpong"]})", R"({"exchanges": ["ring", "ring"]})",
          R"({"exchanges": [{"name": "ring", "link": "within"}]})",
          R"({"exchanges": [{"name": "ping_pong", "link": "slow"}]})",
          R"({"exchanges": [{"name": "ping_pong", "min_bytes": 8, "max_bytes": 4}]})",
          R"({"exchanges": [{"name": "ping_pong", "max_bytes": "8Gi"}]})", R"({"collectives": []})"}) {
        EXPECT_ANY_THROW(plan_of(wrong)) << wrong;
    }
}

}  // namespace
