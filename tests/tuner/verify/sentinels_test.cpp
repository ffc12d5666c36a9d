// SPDX-License-Identifier: MIT
#include "sentinels.hpp"

#include <gtest/gtest.h>

#include <cmath>
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

    OldRun() {
        Rule rule;
        rule.network = watched_bcast.network;
        rule.layout = watched_bcast.layout;
        rule.collective = watched_bcast.collective;
        rule.algorithm = "ring";
        rule.from_bytes = 1000;
        rule.to_bytes = 100000;
        rule.verified_gain = 0.5;
        config.rules = {rule};
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

    // What a check says if ring takes `seconds(bytes)` now and the default 1
    std::string check(const std::function<double(std::size_t)>& seconds) const {
        std::mt19937_64 random(11);
        std::normal_distribution<double> noise(0, 0.02);
        return tuner::stale_reason(
            config, config.rules[0], cells,
            [&](const CellKey&, std::size_t bytes, const std::vector<std::string>& algorithms) {
                std::vector<CaseRecord> records(algorithms.size());
                for (std::size_t a = 0; a < algorithms.size(); ++a) {
                    records[a].algorithm = algorithms[a];
                    for (int i = 0; i < 40; ++i) {
                        records[a].samples_seconds.push_back((algorithms[a] == "ring" ? seconds(bytes) : 1) *
                                                             std::exp(noise(random)));
                    }
                }
                return records;
            });
    }
};

TEST(Sentinels, ARuleThatGainsAsBeforeHolds) {
    EXPECT_EQ(
        OldRun().check([](std::size_t bytes) { return bytes < 1000 || bytes > 100000 ? 1.5 : 1 / 1.5; }), "");
}

TEST(Sentinels, SlowerThanTheDefaultIsStale) {
    EXPECT_NE(OldRun().check([](std::size_t bytes) { return bytes < 5000 ? 1.2 : 0.7; }).find("slower"),
              std::string::npos);
}

TEST(Sentinels, MostOfTheGainLostIsStale) {
    EXPECT_NE(OldRun().check([](std::size_t) { return 0.95; }).find("gains at most"), std::string::npos);
}

TEST(Sentinels, AChangeoverThatMovedOutwardsIsStale) {
    EXPECT_NE(OldRun().check([](std::size_t) { return 1 / 1.5; }).find("now faster at"), std::string::npos);
}

TEST(Sentinels, NoMeasurementIsStale) {
    const OldRun run;
    EXPECT_NE(tuner::stale_reason(run.config, run.config.rules[0], run.cells,
                                  [](const CellKey&, std::size_t, const std::vector<std::string>&) {
                                      return std::vector<CaseRecord>{};
                                  })
                  .find("could not be measured"),
              std::string::npos);
}

}  // namespace
