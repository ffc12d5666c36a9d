// SPDX-License-Identifier: MIT
#include "sentinels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <random>

#include "decide.hpp"

namespace {

using tuner::CaseRecord;
using tuner::CellKey;
using tuner::CellTime;
using tuner::Rule;

const CellKey watched_bcast = {"loopback", {4, 2, tuner::Mapping::block}, "bcast", ""};

// A run whose rule was: ring from 1000 to 100000, 50% faster there than the default, 50% slower outside
struct OldRun {
    tuner::Config config;
    tuner::Cells cells;
    std::vector<tuner::Proof> proofs;

    OldRun() {
        Rule rule;
        rule.network = watched_bcast.network;
        rule.where = tuner::LayoutRange::exactly(watched_bcast.layout);
        rule.collective = watched_bcast.collective;
        rule.algorithm = "ring";
        rule.from_bytes = 1000;
        rule.to_bytes = 100000;
        rule.verified_gain = 0.5;
        rule.verified_interval = {0.48, 0.52};
        config.rules = {rule};
        for (const std::size_t bytes : {1000u, 10000u, 100000u}) {
            proofs.push_back({watched_bcast, bytes, "ring", {1.5, {1.47, 1.53}}});
        }
        for (std::size_t bytes = 8; bytes <= 1 << 20; bytes *= 2) {
            const double ring = bytes < 1000 || bytes > 100000 ? 1.5 : 1 / 1.5;
            const auto time = [&](double seconds) {
                CellTime result;
                result.time = {bytes, seconds, {seconds, seconds}};
                return result;
            };
            cells[watched_bcast].times[bytes] = {{"default", time(1)}, {"ring", time(ring)}};
        }
    }

    // What a check says if ring takes `seconds(bytes, job)` now and the default 1. The first `failures`
    // requests get no answer.
    tuner::CheckedRule check(const std::function<double(std::size_t, int)>& seconds,
                             double between_jobs = 0.01, std::uint64_t seed = 11, int failures = 0) const {
        std::mt19937_64 random(seed);
        std::normal_distribution<double> normal;
        std::map<int, double> effects;
        return tuner::check_rule(
            config, config.rules[0], cells, proofs, {}, [&](const tuner::PairRequest& request) {
                if (failures-- > 0) {
                    return std::vector<CaseRecord>();
                }
                if (!effects.contains(request.job)) {
                    effects[request.job] = between_jobs * normal(random);
                }
                EXPECT_EQ(request.calls_in_a_row, 1);
                std::vector<CaseRecord> records(request.algorithms.size());
                for (std::size_t a = 0; a < records.size(); ++a) {
                    records[a].algorithm = request.algorithms[a];
                    records[a].start_skew_seconds = 1;
                    const double level =
                        records[a].algorithm == "ring"
                            ? std::exp(effects[request.job]) * seconds(request.bytes, request.job)
                            : 1;
                    for (int i = 0; i < 14; ++i) {
                        records[a].samples_seconds.push_back(level * std::exp(0.02 * normal(random)));
                    }
                }
                return records;
            });
    }
};

double as_before(std::size_t bytes, int = 0) {
    return bytes < 1000 || bytes > 100000 ? 1.5 : 1 / 1.5;
}

TEST(Sentinels, ARuleThatGainsAsBeforeHolds) {
    const tuner::CheckedRule checked = OldRun().check(as_before);
    EXPECT_EQ(checked.stale_reason, "");
    EXPECT_GT(checked.visible_loss, 0.02);
    EXPECT_LT(checked.visible_loss, 0.15);
}

// It still wins, but by less than it did: something has changed
TEST(Sentinels, ALossOfTenPercentIsFoundWithItsSizeAndInterval) {
    const std::string reason =
        OldRun().check([](std::size_t bytes, int) { return 1.1 * as_before(bytes); }).stale_reason;
    EXPECT_NE(reason.find("when verified; at "), std::string::npos) << reason;
    EXPECT_NE(reason.find("50% when verified"), std::string::npos) << reason;
    EXPECT_NE(reason.find("(95%: "), std::string::npos) << reason;
}

TEST(Sentinels, ALossAtOneSizeIsFound) {
    const std::string reason =
        OldRun()
            .check([](std::size_t bytes, int) { return bytes == 1000 ? 1.2 : as_before(bytes); })
            .stale_reason;
    EXPECT_NE(reason.find("at 1000 bytes"), std::string::npos) << reason;
}

// Two bad jobs are looked at again
TEST(Sentinels, ARuleIsLookedAtAgain) {
    EXPECT_EQ(
        OldRun()
            .check([](std::size_t bytes, int job) { return (job < 2 ? 1.05 : 0.99) * as_before(bytes); })
            .stale_reason,
        "");
}

TEST(Sentinels, FalseAlarmsAreRare) {
    int alarms = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        alarms += !OldRun().check(as_before, 0.024, seed).stale_reason.empty();
    }
    EXPECT_LE(alarms, 10);  // 3 expected
}

TEST(Sentinels, AChangeoverThatMovedOutwardsIsStale) {
    EXPECT_NE(OldRun().check([](std::size_t, int) { return 1 / 1.5; }).stale_reason.find("now faster at"),
              std::string::npos);
}

// A job that was killed says nothing about the rule
TEST(Sentinels, AJobThatFailsIsTriedOnceMore) {
    EXPECT_EQ(OldRun().check(as_before, 0.01, 11, 1).stale_reason, "");
    EXPECT_NE(OldRun().check(as_before, 0.01, 11, 2).stale_reason.find("could not be measured"),
              std::string::npos);
}

TEST(Sentinels, NoMeasurementIsStale) {
    const OldRun run;
    EXPECT_NE(tuner::check_rule(run.config, run.config.rules[0], run.cells, run.proofs, {},
                                [](const tuner::PairRequest&) { return std::vector<CaseRecord>{}; })
                  .stale_reason.find("could not be measured"),
              std::string::npos);
}

// Each on one layout, without what another rule takes first
TEST(Sentinels, ARangeIsCheckedWhereItWasVerified) {
    const OldRun run;
    tuner::Config config = run.config;
    EXPECT_EQ(tuner::checksum_of(tuner::rules_to_check(config, run.proofs)),
              tuner::checksum_of(config.rules));
    config.rules.push_back(config.rules[0]);
    config.rules.back().where = {{2, 8}, {1, 2}};
    config.rules.back().to_bytes = 200000;
    std::vector<tuner::Proof> proofs = run.proofs;
    proofs.push_back(
        {{"loopback", {6, 1, tuner::Mapping::block}, "bcast", ""}, 1000, "ring", {1.5, {1.4, 1.6}}});
    const std::vector<Rule> rules = tuner::rules_to_check(config, proofs);
    ASSERT_EQ(rules.size(), 3u);
    EXPECT_EQ(rules[0].to_bytes, 100000u);
    EXPECT_EQ(rules[1].from_bytes, 100001u);
    EXPECT_EQ(cell_of(rules[1]), watched_bcast);
    EXPECT_EQ(rules[2].from_bytes, 1000u);
    EXPECT_EQ(cell_of(rules[2]).layout, (tuner::Layout{6, 1}));
}

}  // namespace
