// SPDX-License-Identifier: MIT
// Which rule, why, and how exact the match was: as text and as JSON.
#include "explain.hpp"

#include <gtest/gtest.h>

#include "error.hpp"
#include "example_config.hpp"

namespace {

using namespace tuner;

TEST(Explain, ARuleWithItsReasons) {
    const Config config = example_config();
    EXPECT_EQ(to_text(explain(config, {"", "bcast", {4, 1}, 20000})),
              "bcast of 20000 bytes on 4x1, network eth: scatter_ring_allgather\n"
              "  match: exact layout\n"
              "  MPICH's own choice: binomial\n"
              "  rule: from 20000 bytes on scatter_ring_allgather\n"
              "  changeover point: between 18000 and 22000 bytes\n"
              "  verified gain over the default: +20.0% (interval: +10.0% to +30.0%)\n"
              "  basis: measured\n"
              "  memory: none besides the buffers of the call\n");
}

TEST(Explain, ARuleThatWasNotVerified) {
    Config config = example_config();
    config.rules[1].verified_interval = {0, 0};
    config.rules[1].algorithm = "reduce_scatter_allgather";
    const Explanation answer = explain(config, {"eth", "allreduce", {4, 1}, 64});
    EXPECT_EQ(to_text(answer),
              "allreduce of 64 bytes on 4x1, network eth: reduce_scatter_allgather\n"
              "  match: exact layout\n"
              "  MPICH's own choice: reduce_scatter_allgather\n"
              "  rule: 1 to 4096 bytes reduce_scatter_allgather\n"
              "  gain over the default at the measured sizes: +25.0%; not verified\n"
              "  basis: measured\n"
              "  memory: 96 bytes on the rank that needs most, besides the buffers of the call\n"
              "  for built-in operations only\n"
              "  requires at least as many elements as ranks\n");
    EXPECT_TRUE(to_json(answer)["rule"]["verified_gain"].is_null());
}

TEST(Explain, NoRuleForTheSize) {
    const Config config = example_config();
    const Explanation answer = explain(config, {"", "bcast", {4, 1}, 19999});
    EXPECT_EQ(answer.algorithm, default_algorithm);
    EXPECT_EQ(to_text(answer),
              "bcast of 19999 bytes on 4x1, network eth: default (the library's own choice)\n"
              "  match: exact layout, no rule for this collective and size\n"
              "  MPICH's own choice: binomial\n");
}

TEST(Explain, AnotherLayoutNamesTheNearestAndUsesTheDefault) {
    const Config config = example_config();
    const Explanation answer = explain(config, {"", "bcast", {8, 2}, 1 << 20});
    EXPECT_EQ(answer.rule, nullptr);
    EXPECT_EQ(*answer.nearest, (Layout{4, 2}));
    EXPECT_EQ(*explain(config, {"", "bcast", {5, 1}, 1}).nearest, (Layout{4, 1}));
    const Json json = to_json(answer);
    EXPECT_EQ(json["algorithm"], "default");
    EXPECT_EQ(json["match"], "other layout");
    EXPECT_EQ(json["nearest"], "4x2");
    EXPECT_EQ(json["default"], "scatter_ring_allgather");
    EXPECT_TRUE(json["rule"].is_null());
}

Config config_with_a_range() {
    Config config = example_config();
    Rule rule = example_rule_for({{2, 8}, {1, 3}}, "bcast", 100, 5000, "scatter_ring_allgather");
    rule.tested_layouts = 3;
    rule.tested_cells = 12;
    config.rules.push_back(rule);
    return config;
}

TEST(Explain, ARuleForARange) {
    const Config config = config_with_a_range();
    const Explanation answer = explain(config, {"", "bcast", {5, 2}, 4096});
    EXPECT_EQ(to_text(answer),
              "bcast of 4096 bytes on 5x2, network eth: scatter_ring_allgather\n"
              "  match: range of layouts, 2 to 8 nodes x 1 to 3\n"
              "  MPICH's own choice: binomial\n"
              "  rule: 100 to 5000 bytes scatter_ring_allgather\n"
              "  changeover point: between 90 and 110 bytes\n"
              "  verified gain over the default: +20.0% (interval: +10.0% to +30.0%)\n"
              "  basis: between: inside of the layouts that were measured; tested on 3 layouts, 12 cells\n"
              "  memory: none besides the buffers of the call\n");
    const Json json = to_json(answer);
    EXPECT_EQ(json["match"], "range");
    EXPECT_EQ(json["rule"]["nodes"], Json::array({2, 8}));
    EXPECT_EQ(json["rule"]["tested_cells"], 12);
    EXPECT_EQ(explain(config, {"", "bcast", {4, 2}, 3000}).algorithm, "smp") << "the first one that holds";
    EXPECT_EQ(explain(config, {"", "bcast", {4, 2}, 4096}).algorithm, "scatter_ring_allgather");
    const Explanation uneven = explain(config, {"", "bcast", {4, 3, Mapping::block, 2}, 4096});
    EXPECT_EQ(uneven.algorithm, "scatter_ring_allgather");
    EXPECT_EQ(to_json(uneven)["ranks"], 10);
}

TEST(Explain, ALayoutInARangeWithoutARuleForTheSize) {
    const Config config = config_with_a_range();
    const Explanation answer = explain(config, {"", "bcast", {5, 2}, 5001});
    EXPECT_EQ(answer.algorithm, default_algorithm);
    EXPECT_NE(to_text(answer).find("match: range of layouts, no rule for this collective and size"),
              std::string::npos);
    EXPECT_EQ(to_json(answer)["match"], "range");
    EXPECT_EQ(*explain(config, {"", "bcast", {9, 3}, 4096}).nearest, (Layout{8, 3}));
}

TEST(Explain, AsJson) {
    const Config config = example_config();
    const Json json = to_json(explain(config, {"", "bcast", {4, 2}, 3000}));
    EXPECT_EQ(json["algorithm"], "smp");
    EXPECT_EQ(json["match"], "exact");
    EXPECT_TRUE(json["nearest"].is_null());
    EXPECT_EQ(json["rule"]["to_bytes"], 3000);
    EXPECT_EQ(json["rule"]["verified_interval"], Json::array({0.1, 0.3}));
}

TEST(Explain, WithoutAnyRules) {
    const Explanation answer = explain(Config{}, {"", "gather", {4, 2}, 3000});
    EXPECT_EQ(to_text(answer),
              "gather of 3000 bytes on 4x2: default (the library's own choice)\n  match: the configuration "
              "has no rules\n");
}

TEST(Explain, ANonblockingCollectiveWithItsParameters) {
    Config config = example_config();
    config.rules.push_back(example_rule({4, 2}, "ibcast", 1000, no_end, "tsp_tree:k=4"));
    EXPECT_EQ(explain(config, {"", "ibcast", {4, 2}, 3000}).algorithm, "tsp_tree:k=4");
    EXPECT_EQ(explain(config, {"", "ialltoall", {4, 2}, 3000}).algorithm, default_algorithm);
}

TEST(Explain, UnknownNamesAreErrors) {
    const Config config = example_config();
    EXPECT_THROW(explain(config, {"", "bcats", {4, 2}, 3000}), Error);
    EXPECT_THROW(explain(config, {"ib", "bcast", {4, 2}, 3000}), Error);
}

TEST(Explain, EachOfSeveralNetworks) {
    Config config = example_config();
    EXPECT_EQ(explain_all(config, {"", "bcast", {4, 1}, 20000}).size(), 1U);
    config.fingerprint["networks"] = {"eth", "ib", "slow"};
    config.rules.push_back(config.rules[0]);
    config.rules.back().network = "ib";
    config.rules.back().algorithm = "binomial";
    const std::vector<Explanation> answers = explain_all(config, {"", "bcast", {4, 1}, 20000});
    ASSERT_EQ(answers.size(), 3U);
    EXPECT_EQ(answers[0].algorithm, "scatter_ring_allgather");
    EXPECT_EQ(answers[1].algorithm, "binomial");
    EXPECT_EQ(answers[2].algorithm, default_algorithm) << "measured, but without rules";
    EXPECT_NE(to_text(answers[2]).find("network slow"), std::string::npos) << to_text(answers[2]);
    EXPECT_EQ(explain_all(config, {"ib", "bcast", {4, 1}, 20000}).size(), 1U);
    EXPECT_THROW(explain_all(config, {"wifi", "bcast", {4, 1}, 20000}), Error);
}

}  // namespace
