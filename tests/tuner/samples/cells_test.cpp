// SPDX-License-Identifier: MIT
#include "cells.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

const CellKey bcast = {"net", {2, 1, Mapping::block}, "bcast", ""};

CaseRecord record(const std::string& algorithm, std::vector<double> samples,
                  Status status = Status::measured) {
    CaseRecord r;
    r.stage = Stage::search;
    r.network = bcast.network;
    r.layout = bcast.layout;
    r.collective = bcast.collective;
    r.bytes = 64;
    r.algorithm = algorithm;
    r.used = "binomial";
    r.status = status;
    r.reason = status == Status::measured ? "" : std::string("because of ") + to_string(status);
    r.samples_seconds = std::move(samples);
    return r;
}

TEST(Times, TakesAllSamplesOfACaseTogether) {
    RunData run;
    run.cases = {record("default", {5, 1, 3, 9, 7}), record("ring", {1, 2, 3}),
                 record("default", {2, 8, 4, 6})};
    const Cells cells = cells_of(run, Stage::search);
    ASSERT_EQ(cells.size(), 1u);
    const CellTime& time = cells.at(bcast).times.at(64).at("default");
    EXPECT_EQ(time.time.bytes, 64u);
    EXPECT_EQ(time.time.median_seconds, 5);
    EXPECT_EQ(time.samples, 9u);
    EXPECT_EQ(time.groups, 2u);
    EXPECT_EQ(time.used, "binomial");
    const std::vector<double> in_order = {5, 1, 3, 9, 7, 2, 8, 4, 6};
    const models::Interval expected =
        models::median_interval_in_order(in_order, models::confidence_when_stopped);
    EXPECT_EQ(time.time.interval.low, expected.low);
    EXPECT_EQ(time.time.interval.high, expected.high);
}

// The machine was twice as slow while only the default was still measured: repetition by repetition, they are
// equal
TEST(Times, AGainIsThatOfRepetitionsThatWereMeasuredTogether) {
    RunData run;
    std::vector<double> by_default(40, 2.0);
    std::fill_n(by_default.begin(), 12, 1.0);
    run.cases = {record("default", by_default), record("ring", std::vector<double>(12, 1.0)),
                 record("smp", std::vector<double>(12, 1.0))};
    run.cases[2].group = 7;  // not with the default
    const Times times = cells_of(run, Stage::search).at(bcast).times.at(64);
    EXPECT_EQ(times.at("default").time.median_seconds, 2 * times.at("ring").time.median_seconds);
    ASSERT_TRUE(times.at("ring").gain);
    EXPECT_EQ(times.at("ring").gain->ratio, 1);
    EXPECT_LE(times.at("ring").gain->interval.low, 1);
    EXPECT_FALSE(times.at("smp").gain);
    EXPECT_FALSE(times.at("default").gain);
}

// After a job died, each was measured by itself, and then once together
TEST(Times, WhatWasMeasuredApartCountsUntilItWasMeasuredTogether) {
    RunData run;
    run.cases = {record("default", {9, 9, 9}), record("ring", {9, 9, 9})};
    run.cases[1].group = 1;
    for (const char* algorithm : {"default", "ring"}) {
        EXPECT_EQ(cells_of(run, Stage::search).at(bcast).times.at(64).at(algorithm).time.median_seconds, 9);
    }
    run.cases.insert(run.cases.end(), {record("default", {4, 5, 6}), record("ring", {1, 2, 3})});
    run.cases[2].group = run.cases[3].group = 2;
    const Times times = cells_of(run, Stage::search).at(bcast).times.at(64);
    EXPECT_EQ(times.at("default").time.median_seconds, 5);
    EXPECT_EQ(times.at("ring").time.median_seconds, 2);
    EXPECT_EQ(times.at("ring").samples, 3u);
    EXPECT_EQ(times.at("ring").groups, 1u);
    EXPECT_EQ(times.at("ring").attempts, 2u);
    EXPECT_EQ(times.at("ring").together, 1u);
}

TEST(Times, WhatIsMissingHasItsReason) {
    RunData run;
    run.cases = {record("ring", {}, Status::refused), record("brucks", {}),
                 record("smp", {}, Status::crashed), record("smp", {1, 2, 3})};
    const Cell cell = cells_of(run, Stage::search).at(bcast);
    EXPECT_EQ(cell.missing.at(64), (std::map<std::string, std::string>{{"brucks", "no repetition was valid"},
                                                                       {"ring", "because of refused"}}));
    EXPECT_EQ(cell.times.at(64).at("smp").groups, 1u) << "it succeeded when it was tried again";
}

TEST(Times, TellsCellsApart) {
    RunData run;
    run.cases.assign(5, record("ring", {1, 2, 3}));
    run.cases[1].network = "other";
    run.cases[2].layout.mapping = Mapping::round_robin;
    run.cases[3].operation = "sum";
    run.cases[4].stage = Stage::verify;
    EXPECT_EQ(cells_of(run, Stage::search).size(), 4u);
    EXPECT_EQ(cells_of(run, Stage::verify).size(), 1u);
    EXPECT_EQ(cells_of(run, Stage::search).at(bcast).times.at(64).at("ring").groups, 1u);
    EXPECT_EQ(cell_of(run, Stage::search, bcast).times.at(64).at("ring").groups, 1u);
    EXPECT_TRUE(cell_of(run, Stage::search, {"net", {3, 1, Mapping::block}, "bcast", ""}).times.empty());
}

}  // namespace
