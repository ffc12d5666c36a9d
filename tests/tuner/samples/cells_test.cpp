// SPDX-License-Identifier: MIT
#include "cells.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

const CellKey bcast = {"net", {2, 1, Mapping::block}, "bcast", ""};

CaseRecord record(const std::string& algorithm, std::vector<double> samples,
                  const std::string& status = "measured") {
    CaseRecord r;
    r.stage = "search";
    r.network = bcast.network;
    r.layout = bcast.layout;
    r.collective = bcast.collective;
    r.bytes = 64;
    r.algorithm = algorithm;
    r.used = "binomial";
    r.status = status;
    r.reason = status == "measured" ? "" : "because of " + status;
    r.samples_seconds = std::move(samples);
    return r;
}

TEST(Times, TakesAllSamplesOfACaseTogether) {
    RunData run;
    run.cases = {record("default", {5, 1, 3, 9, 7}), record("ring", {1, 2, 3}),
                 record("default", {2, 8, 4, 6})};
    const Cells cells = cells_of(run, "search");
    ASSERT_EQ(cells.size(), 1u);
    const CellTime& time = cells.at(bcast).times.at(64).at("default");
    EXPECT_EQ(time.time.bytes, 64);
    EXPECT_EQ(time.time.median_seconds, 5);
    EXPECT_EQ(time.samples, 9u);
    EXPECT_EQ(time.groups, 2u);
    EXPECT_EQ(time.used, "binomial");
    const std::vector<double> sorted = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const models::Interval expected = models::median_interval(sorted, models::confidence_when_stopped);
    EXPECT_EQ(time.time.interval.low, expected.low);
    EXPECT_EQ(time.time.interval.high, expected.high);
}

TEST(Times, WhatIsMissingHasItsReason) {
    RunData run;
    run.cases = {record("ring", {}, "refused"), record("brucks", {}), record("smp", {}, "poisoned"),
                 record("smp", {1, 2, 3})};
    const Cell cell = cells_of(run, "search").at(bcast);
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
    run.cases[4].stage = "verify";
    EXPECT_EQ(cells_of(run, "search").size(), 4u);
    EXPECT_EQ(cells_of(run, "verify").size(), 1u);
    EXPECT_EQ(cells_of(run, "search").at(bcast).times.at(64).at("ring").groups, 1u);
    EXPECT_EQ(cell_of(run, "search", bcast).times.at(64).at("ring").groups, 1u);
    EXPECT_TRUE(cell_of(run, "search", {"net", {3, 1, Mapping::block}, "bcast", ""}).times.empty());
}

}  // namespace
