// SPDX-License-Identifier: MIT
// One more row in the table of collectives is all that plans, explanations, lint and emitters need. What a
// format has no words for is said, never left out silently.
#include <gtest/gtest.h>

#include <algorithm>

#include "collectives.hpp"
#include "emit.hpp"
#include "emitted_text.hpp"
#include "error.hpp"
#include "explain.hpp"
#include "lint.hpp"
#include "plan.hpp"

namespace {

using namespace tuner;

const Layout layout{4, 2};

models::Collective gossip() {
    models::Collective row;
    row.name = "gossip";
    row.size = {.meaning = "bytes of a rumour"};
    row.combines = true;
    row.grows_with_ranks = true;
    row.smallest_plan = models::SmallestPlan::quick;
    row.plans_nonblocking = true;
    return row;
}

Config config_of_gossip() {
    Config config = config_with({example_rule(layout, "gossip", 1, 100, "whisper")});
    config.rules[0].operation = built_in_operation;
    config.algorithm_values = {{"gossip", {{"whisper", 3}}}};
    return config;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

TEST(NewCollective, IsInThePlans) {
    EXPECT_THROW(known_collective("gossip"), Error);
    const models::AddedCollective added(gossip());
    EXPECT_TRUE(has(names_of_collectives(), "gossip"));
    EXPECT_TRUE(has(names_of_collectives(), "igossip"));
    EXPECT_TRUE(has_operation("gossip"));
    EXPECT_TRUE(has_operation("igossip"));
    EXPECT_EQ(plan_named("quick").collectives.back(),
              (PlannedCollective{"gossip", "float", "sum", 8, (1 << 20) / 8}));
    EXPECT_EQ(
        plan_from(CheckedJson::parse(R"({"collectives": ["igossip"]})", "mine.json")).collectives.size(), 1u);
    const PlannedExchange overlap = plan_named("network").exchanges.back();
    EXPECT_EQ(label_of(overlap), "igossip overlap");
    EXPECT_EQ(overlap.operation, "sum");
}

TEST(NewCollective, IsExplainedAndChecked) {
    const Config config = config_of_gossip();
    EXPECT_THROW(explain(config, {"", "gossip", layout, 50}), Error);
    EXPECT_EQ(exit_code(lint(config)), 1);
    const models::AddedCollective added(gossip());
    EXPECT_EQ(explain(config, {"", "gossip", layout, 50}).algorithm, "whisper");
    EXPECT_EQ(exit_code(lint(config)), 0);
}

TEST(NewCollective, IsInEveryFormatOrNamedAsLeftOut) {
    const models::AddedCollective added(gossip());
    const Config config = config_of_gossip();
    EXPECT_TRUE(contains(emit_mpich(config, {}), "\"collective\":\"gossip\""));
    EXPECT_TRUE(contains(emit_env(config, {}), "# cannot be expressed by thresholds: gossip has none\n"));
    EXPECT_TRUE(contains(emit_module(config, {}), "# cannot be expressed by thresholds: gossip has none\n"));
    for (const auto emit : {emit_mpich_stock, emit_openmpi}) {
        EXPECT_TRUE(contains(emit(config, {}).substr(0, 2000),
                             "left out: gossip on 4x2, 1 to 100 bytes, whisper: a file cannot choose"));
    }
}

TEST(NewCollective, OpenMpiNeedsItsNumber) {
    models::Collective row = gossip();
    row.openmpi = {21, models::CountedSize::total};
    const models::AddedCollective added(row);
    EXPECT_TRUE(contains(emit_openmpi(config_of_gossip(), {}),
                         "21  # gossip\n3  # numbers of ranks\n0  # ranks\n1  # sizes\n0 0 0 0"));
}

// The library that was measured reads a format that has no words for the collective
TEST(NewCollective, LintNamesRulesThatTheFormatCannotExpress) {
    Config config = config_of_gossip();
    config.library = "Open MPI v4.1.4";
    models::Collective row = gossip();
    const auto finds = [&] {
        const std::vector<Finding> findings = lint(config);
        return std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
            return finding.severity == Severity::warning && finding.place == "rules[0]" &&
                   contains(finding.problem, "openmpi cannot choose for gossip");
        });
    };
    {
        const models::AddedCollective added(row);
        EXPECT_TRUE(finds());
    }
    row.openmpi = {21, models::CountedSize::total};
    const models::AddedCollective added(row);
    EXPECT_FALSE(finds());
}

}  // namespace
