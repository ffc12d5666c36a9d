// SPDX-License-Identifier: MIT
// Runs on disk whose truth is known: each has a bias of its own, together they find it. What is written is a
// run that others read.
#include "combine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "distributions.hpp"
#include "error.hpp"
#include "exchange_questions.hpp"
#include "small_disk.hpp"
#include "cells.hpp"

namespace {

using namespace tuner;

constexpr double truth = 40e-6;
const Layout two_by_two = {2, 2, Mapping::block};

class CombineTest : public testing::Test {
  protected:
    std::string folder(const std::string& name) const { return (work.path / name).string(); }

    // A broadcast and a ping-pong, both of which take `truth` times the bias of the run
    std::string make_run(const std::string& name, double bias, std::size_t bytes = 1024) {
        Manifest manifest;
        manifest.environment = {{"kernel", "Linux"}};
        Journal journal = Journal::create(folder(name), manifest);
        std::normal_distribution<double> noise(0, 0.02);
        for (const std::string stage : {"search", "exchange"}) {
            CaseRecord record;
            record.stage = stage;
            record.network = "eth";
            record.layout = two_by_two;
            record.collective = stage == "search" ? "bcast" : "ping_pong";
            record.exchange = stage == "search" ? "" : "ping_pong between";
            record.algorithm = stage == "search" ? "default" : "send";
            record.bytes = bytes;
            record.datatype = "byte";
            record.status = "measured";
            for (int i = 0; i < 100; ++i) {
                record.samples_seconds.push_back(truth * bias * std::exp(noise(random)));
            }
            if (stage == "exchange") {
                record.values = {{"half_us", 0.5e6 * truth * bias}};
                record.tcp_retransmits = 3;
                record.tcp_time_outs = 1;
            }
            std::vector<CaseRecord> group = {record};
            journal.append(group);
        }
        return folder(name);
    }

    std::mt19937_64 random{3};
    TemporaryFolder work;
};

TEST_F(CombineTest, EightRunsFindTheTruthThatEachMisses) {
    std::vector<std::string> runs;
    for (const double bias : {0.88, 1.12, 0.95, 1.07, 0.92, 1.15, 1.04, 0.97}) {
        runs.push_back(make_run("run" + std::to_string(runs.size()), bias));
    }
    const Combination combination = combine_runs(runs);
    ASSERT_EQ(combination.cases.size(), 2u);
    for (const CombinedCase& c : combination.cases) {
        for (const models::RunMedian& run : c.medians) {
            EXPECT_FALSE(run.interval.low <= truth && truth <= run.interval.high);
        }
        EXPECT_NEAR(c.combined.median, truth, 0.02 * truth);
        EXPECT_LT(c.combined.interval.low, truth);
        EXPECT_GT(c.combined.interval.high, truth);
        EXPECT_NEAR(c.combined.spread, 0.096, 0.01);
        EXPECT_GE(c.combined.misses, 7u);
    }
    EXPECT_NE(to_text(combination).find("8 runs"), std::string::npos);
    EXPECT_EQ(to_json(combination).at("cases").size(), 2u);

    write_run(combination, folder("all"), {"changeover", "combine"});
    const RunData all = load_run(folder("all"));
    EXPECT_TRUE(is_combined(all.manifest));
    const CellTime time =
        cell_of(all, "search", {"eth", two_by_two, "bcast", ""}).times.at(1024).at("default");
    EXPECT_EQ(time.samples, 8u);
    EXPECT_NEAR(time.time.median_seconds, truth, 0.02 * truth);
    EXPECT_TRUE(std::isfinite(time.time.interval.high));
    const ExchangeCurves curves = exchange_curves(all);
    EXPECT_NEAR(curves.begin()->second.at(1024).values.at("half_us"), 0.5e6 * truth, 0.02e6 * truth);
    EXPECT_THROW(combine_runs({folder("all"), runs[0]}), Error);
}

TEST_F(CombineTest, OnlyWhatAllRunsHave) {
    const std::string a = make_run("a", 1);
    const std::string b = make_run("b", 1, 2048);
    EXPECT_THROW(combine_runs({a, b}), Error);
    EXPECT_THROW(combine_runs({a}), Error);
    const std::string c = make_run("c", 1.1);
    EXPECT_EQ(combine_runs({a, c}).cases.size(), 2u);
    EXPECT_NE(to_text(combine_runs({a, c})).find("6 runs at least"), std::string::npos);
}

TEST_F(CombineTest, DistributionsOfARun) {
    const DistributionOptions options{make_run("a", 1), "ping_pong", 3};
    const auto distributions = distributions_of(options);
    ASSERT_EQ(distributions.size(), 1u);
    const CaseDistribution& d = distributions[0];
    EXPECT_EQ(d.key.what, "ping_pong between");
    EXPECT_EQ(d.tail.count, 100u);
    EXPECT_TRUE(d.outliers.empty());
    EXPECT_EQ(d.kernel_time_outs, 1);
    ASSERT_TRUE(d.log_normal);
    EXPECT_NEAR(d.log_normal->shift + d.log_normal->median, truth, 0.01 * truth);
    const Json json = to_json(distributions, options.outlier_factor);
    EXPECT_EQ(json.at("cases")[0].at("histogram").at("counts").size(), 20u);
    EXPECT_EQ(json.at("cases")[0].at("shares_beyond_times_min").at("2"), 0);
    EXPECT_NE(to_text(distributions, 3).find("ping_pong between on eth 2x2"), std::string::npos);
    EXPECT_THROW(distributions_of({options.folder, "alltoall", 3}), Error);
    EXPECT_THROW(distributions_of({options.folder, "", 1}), Error);
}

}  // namespace
