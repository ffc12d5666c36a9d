// SPDX-License-Identifier: MIT
// The JSON of a comparison: programs rely on its keys and on the values behind them.
#include "made_up_runs.hpp"

namespace {

using namespace tuner;
using CompareJson = MadeUpRuns;

std::vector<std::string> keys_of(const Json& object) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : object.items()) {
        keys.push_back(key);
    }
    return keys;
}

using Keys = std::vector<std::string>;

TEST_F(CompareJson, HasTheKeysOfItsVersion) {
    make_run("a", binomial, ring_from(200));
    make_run("b", binomial, ring_from(12000));
    const Json json = to_json(compare({"", folder("a"), folder("b")}));
    EXPECT_EQ(keys_of(json), (Keys{"format", "version", "pairs", "only"}));
    EXPECT_EQ(json.at("format"), "changeover-comparison");
    EXPECT_EQ(json.at("version"), 1);
    const Json& pair = json.at("pairs").at(0);
    EXPECT_EQ(keys_of(pair), (Keys{"a", "b", "verdict", "paired", "margin", "loss_bound",
                                   "conditions_that_differ", "conditions_that_are_the_same", "point_to_point",
                                   "one_way", "exchanges", "cells", "kernel", "only_a", "only_b"}));
    const Json& cell = pair.at("cells").at(0);
    EXPECT_EQ(keys_of(cell), (Keys{"collective", "operation", "nodes", "ppn", "mapping", "sizes", "faster",
                                   "chosen_a", "chosen_b", "changeovers", "only_a", "only_b"}));
    EXPECT_EQ(keys_of(cell.at("sizes").at(0)), (Keys{"bytes", "default", "best", "tuned"}));
    EXPECT_EQ(keys_of(cell.at("sizes").at(0).at("default")),
              (Keys{"a", "b", "b_by_a", "interval", "p", "winner"}));
    EXPECT_EQ(keys_of(cell.at("sizes").at(0).at("default").at("a")),
              (Keys{"algorithm", "median_seconds", "interval", "samples", "min_seconds", "p90_seconds",
                    "p99_seconds", "max_seconds", "shares_beyond_times_min", "like_time_outs"}));
    const Json& changeover = cell.at("changeovers").at(0);
    EXPECT_EQ(keys_of(changeover), (Keys{"from", "to", "a", "b", "moved"}));
    EXPECT_TRUE(changeover.at("moved"));
    EXPECT_NEAR(changeover.at("a").at("bytes").get<double>(), 200, 2);
}

TEST_F(CompareJson, WhatIsNotThereIsNull) {
    make_run("a", binomial, ring_from(512));
    make_run("b", binomial, ring_from(512));
    const Json cell = to_json(compare({"", folder("a"), folder("b")})).at("pairs").at(0).at("cells").at(0);
    const Json& size = cell.at("sizes").at(0);
    EXPECT_TRUE(size.at("default").at("winner").is_null());
    EXPECT_NEAR(size.at("default").at("b_by_a").get<double>(), 1, 1e-9);
    EXPECT_TRUE(size.at("tuned").at("a").is_null()) << "there are no configurations";
    EXPECT_TRUE(size.at("tuned").at("b_by_a").is_null());
    EXPECT_EQ(cell.at("faster").at("default"), Json::array());
}

}  // namespace
