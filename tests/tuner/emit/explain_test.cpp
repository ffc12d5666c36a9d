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
              "  with nothing set MPICH uses binomial\n"
              "  rule: from 20000 bytes on scatter_ring_allgather\n"
              "  the changeover to it is between 18000 and 22000 bytes\n"
              "  gain over the default, verified: +20.0% (between +10.0% and +30.0%)\n"
              "  basis: measured\n");
}

TEST(Explain, ARuleThatWasNotVerified) {
    Config config = example_config();
    config.rules[1].verified_interval = {0, 0};
    config.rules[1].algorithm = "reduce_scatter_allgather";
    const Explanation answer = explain(config, {"eth", "allreduce", {4, 1}, 64});
    EXPECT_EQ(to_text(answer),
              "allreduce of 64 bytes on 4x1, network eth: reduce_scatter_allgather\n"
              "  match: exact layout\n"
              "  with nothing set MPICH uses reduce_scatter_allgather\n"
              "  rule: 1 to 4096 bytes reduce_scatter_allgather\n"
              "  gain over the default at the measured sizes: +25.0%; not verified\n"
              "  basis: measured\n"
              "  for built-in operations only\n"
              "  if there are at least as many elements as ranks\n");
    EXPECT_TRUE(to_json(answer)["rule"]["verified_gain"].is_null());
}

TEST(Explain, NoRuleForTheSize) {
    const Config config = example_config();
    const Explanation answer = explain(config, {"", "bcast", {4, 1}, 19999});
    EXPECT_EQ(answer.algorithm, default_algorithm);
    EXPECT_EQ(to_text(answer),
              "bcast of 19999 bytes on 4x1, network eth: the library's own choice\n"
              "  match: exact layout, but no rule for this collective and size\n"
              "  with nothing set MPICH uses binomial\n");
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
              "gather of 3000 bytes on 4x2: the library's own choice\n  match: no rules at all\n");
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
