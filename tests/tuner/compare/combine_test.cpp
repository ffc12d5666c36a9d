// SPDX-License-Identifier: MIT
// Runs on disk whose truth is known: each has a bias of its own, together they find it. What is written is a
// run that others read.
#include "combine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "biased_runs.hpp"
#include "cells.hpp"
#include "error.hpp"
#include "exchange_curves.hpp"

namespace {

using namespace tuner;

using Combine = BiasedRuns;

TEST_F(Combine, EightRunsFindTheTruthThatEachMisses) {
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
    EXPECT_TRUE(is_combination(all.manifest));
    const CellTime time =
        cell_of(all, Stage::search, {"eth", two_by_two, "bcast", ""}).times.at(1024).at("default");
    EXPECT_EQ(time.samples, 8u);
    EXPECT_NEAR(time.time.median_seconds, truth, 0.02 * truth);
    EXPECT_TRUE(std::isfinite(time.time.interval.high));
    const ExchangeCurves curves = exchange_curves(all);
    EXPECT_NEAR(curves.begin()->second.at(1024).values.at("half_us"), 0.5e6 * truth, 0.02e6 * truth);
    EXPECT_THROW(combine_runs({folder("all"), runs[0]}), Error);
}

TEST_F(Combine, InterruptedWritingIsRefusedAndWrittenAgain) {
    const Combination combination = combine_runs({make_run("a", 1), make_run("b", 1.1)});
    Manifest manifest = combination.manifest;
    mark_as_combination(manifest, combination.runs, combination.cases.size());
    {
        Journal journal = Journal::create(folder("both"), manifest);
        std::vector<CaseRecord> first = {combination.cases.front().record};
        journal.append(first);
    }
    EXPECT_THROW(SavedRun{folder("both")}, Error) << "it would pass for a whole one";
    write_run(combination, folder("both"), {"changeover", "combine"});
    EXPECT_EQ(SavedRun(folder("both")).data().cases.size(), combination.cases.size());
    EXPECT_THROW(write_run(combination, folder("both"), {"changeover", "combine"}), Error)
        << "a whole one stays";
}

TEST_F(Combine, OnlyWhatAllRunsHave) {
    const std::string a = make_run("a", 1);
    const std::string b = make_run("b", 1, 2048);
    EXPECT_THROW(combine_runs({a, b}), Error);
    EXPECT_THROW(combine_runs({a}), Error);
    const std::string c = make_run("c", 1.1);
    EXPECT_EQ(combine_runs({a, c}).cases.size(), 2u);
    EXPECT_NE(to_text(combine_runs({a, c})).find("needs 6 runs"), std::string::npos);
}

}  // namespace
