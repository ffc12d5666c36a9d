// SPDX-License-Identifier: MIT
// A rule of a ch4 device is a rule of each layer; explain says which one decides what, and what the device
// cannot do is no rule.
#include "device_rules.hpp"

#include <gtest/gtest.h>

#include "config_to_emit.hpp"
#include "emit.hpp"
#include "emitted_text.hpp"
#include "error.hpp"
#include "explain.hpp"
#include "lint.hpp"

namespace {

using namespace tuner;

Config ch4_config(const std::vector<Rule>& rules) {
    Config config = config_with(rules);
    config.library = "MPICH Version: 4.0.2;MPICH Device: ch4:ofi;changeover patches";
    return config;
}

Json section(const Config& config, const char* name) {
    Json rules = Json::parse(emit_mpich(config, {"", {}, ""})).at(name);
    for (Json& rule : rules) {
        rule.erase("info");
        rule.erase("network");
    }
    return rules;
}

TEST(DeviceRules, AreOneForEachLayer) {
    const Config config = ch4_config(
        {example_rule({4, 2}, "bcast", 8, 999, "beta/binomial+release_gather:tree_type=knomial_1:k=4")});
    const Json where = {{"nodes", 4}, {"ppn", 2}, {"mapping", "block"}, {"bytes", {8, 999}}};
    const auto rule = [&](const Json& more) {
        Json all = {{"collective", "bcast"}};
        all.update(where);
        all.update(more);
        return all;
    };
    EXPECT_EQ(section(config, "ch4"), Json::array({rule({{"algorithm", "beta"}})}));
    EXPECT_EQ(section(config, "posix"),
              Json::array({rule({{"part", "in-node"},
                                 {"of", "bcast"},
                                 {"algorithm", "release_gather"},
                                 {"parameters", {{"tree_type", "knomial_1"}, {"k", 4}}}})}));
    EXPECT_EQ(section(config, "mpir"),
              Json::array({rule({{"part", "between-nodes"}, {"of", "bcast"}, {"algorithm", "binomial"}})}));
}

TEST(DeviceRules, PartsAreOtherCollectives) {
    const Config config = ch4_config({example_rule({4, 2}, "allreduce", 1, 99, "alpha+mpir"),
                                      example_rule({2, 2}, "barrier", 0, no_end, "alpha+release_gather"),
                                      example_rule({1, 8}, "allreduce", 1, 99, "gamma+release_gather")});
    const Json posix = section(config, "posix");
    ASSERT_EQ(posix.size(), 5U);
    EXPECT_EQ(posix[0].at("collective"), "reduce");
    EXPECT_EQ(posix[0].at("of"), "allreduce");
    EXPECT_EQ(posix[0].at("operation"), "built-in");
    EXPECT_EQ(posix[1].at("collective"), "bcast");
    EXPECT_EQ(posix[1].at("algorithm"), "mpir");
    EXPECT_FALSE(posix[1].contains("operation"));
    EXPECT_FALSE(posix[2].contains("bytes")) << "a barrier has none";
    EXPECT_EQ(posix[3].at("bytes"), 1) << "the bcast that ends it";
    EXPECT_FALSE(posix[4].contains("part")) << "the whole communicator";
    EXPECT_EQ(section(config, "ch4").size(), 3U);
    EXPECT_EQ(section(config, "mpir").size(), 0U);
}

// Or the device would compose the call of parts, and the algorithm would never be asked for
TEST(DeviceRules, AnAlgorithmForAllRanksNeedsThatTheDeviceLeavesItToThem) {
    const std::vector<Rule> rules = {example_rule({4, 2}, "bcast", 8, 999, "binomial"),
                                     example_rule({4, 1}, "bcast", 8, 999, "binomial"),
                                     example_rule({4, 2}, "alltoall", 8, 999, "brucks")};
    const Json ch4 = section(ch4_config(rules), "ch4");
    ASSERT_EQ(ch4.size(), 1U);
    EXPECT_EQ(ch4[0].at("algorithm"), "gamma");
    EXPECT_EQ(ch4[0].at("ppn"), 2);
    EXPECT_EQ(section(ch4_config(rules), "mpir").size(), 3U);
    EXPECT_FALSE(Json::parse(emit_mpich(config_with(rules), {"", {}, ""})).contains("ch4"));
}

// Rules of communicators are also for the communicators of one node, and of one process on each
TEST(DeviceRules, OfPartsComeFirst) {
    const Json mpir =
        section(ch4_config({example_rule({1, 2}, "bcast", 8, 999, "binomial"),
                            example_rule({4, 1}, "bcast", 8, 999, "scatter_ring_allgather"),
                            example_rule({4, 2}, "bcast", 8, 999, "alpha/binomial+release_gather")}),
                "mpir");
    ASSERT_EQ(mpir.size(), 3U);
    EXPECT_EQ(mpir[0].value("part", ""), "between-nodes");
    EXPECT_EQ(mpir[1].at("nodes"), 1);
    EXPECT_EQ(mpir[2].at("nodes"), 4);
}

TEST(DeviceRules, AreExplainedLayerByLayer) {
    const Config config =
        ch4_config({example_rule({4, 2}, "bcast", 8, 999, "beta/binomial+release_gather:k=4"),
                    example_rule({4, 2}, "bcast", 1000, 9999, "binomial")});
    const auto text = [&](std::size_t bytes) {
        return to_text(explain(config, {"eth", "bcast", {4, 2}, bytes}));
    };
    EXPECT_NE(text(500).find("layer ch4: beta, parts inside of nodes and between them\n"
                             "  layer posix: release_gather, k 4, inside of nodes\n"
                             "  layer mpir: binomial, between nodes\n"),
              std::string::npos)
        << text(500);
    EXPECT_NE(text(5000).find("layer ch4: gamma, all ranks alike\n  layer mpir: binomial\n"),
              std::string::npos)
        << text(5000);
    EXPECT_EQ(to_json(explain(config, {"eth", "bcast", {4, 2}, 500})).at("layers").size(), 3U);
}

TEST(DeviceRules, ThatTheDeviceCannotFollowAreRefused) {
    const struct {
        Layout layout;
        const char* collective;
        const char* algorithm;
        const char* problem;
    } rows[] = {
        {{4, 2}, "allreduce", "gamma+release_gather", "needs all ranks on one node"},
        {{4, 1}, "bcast", "beta+mpir", "needs several ranks on a node"},
        {{4, 2}, "bcast", "delta+mpir", "has no composition 'delta'"},
        {{4, 2}, "alltoall", "alpha+mpir", "has no composition 'alpha'"},
        {{4, 2}, "bcast", "beta+ring", "is not COMPOSITION"},
        {{4, 2}, "bcast", "beta+release_gather:q=4", "there is no parameter 'q'"},
        {{4, 2}, "bcast", "beta+release_gather:chunk_size=8Ki", "has no parameter 'chunk_size'"},
        {{4, 2}, "bcast", "beta+release_gather:k=1", "k of release_gather is 1; it may be 2 to"},
        {{4, 2}, "bcast", "beta+release_gather:cells=9", "cells of release_gather is 9; it may be 2 to 8"},
        {{4, 2}, "bcast", "beta+release_gather:buffer_size=4Ki", "buffer_size of release_gather is 4096"},
        {{4, 2}, "bcast", "beta/nosuch+mpir", "has no algorithm 'nosuch' between nodes"},
        {{1, 4}, "allreduce", "gamma+mpir", "by messages is one of the algorithms for all ranks"},
    };
    for (const auto& row : rows) {
        Config config = ch4_config({example_rule(row.layout, row.collective, 8, 999, row.algorithm)});
        EXPECT_NE(problem_with_layers(config, config.rules[0]).find(row.problem), std::string::npos)
            << row.algorithm << ": " << problem_with_layers(config, config.rules[0]);
        EXPECT_THROW(checked_to_emit(config, "config.json", true), Error) << row.algorithm;
        EXPECT_EQ(exit_code(lint(config)), 1) << row.algorithm;
    }
    Config other = config_with({example_rule({4, 2}, "bcast", 8, 999, "beta+mpir")});
    EXPECT_NE(problem_with_layers(other, other.rules[0]).find("only ch4 devices"), std::string::npos);
}

}  // namespace
