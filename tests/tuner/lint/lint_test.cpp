// SPDX-License-Identifier: MIT
// Each thing that can be wrong with a configuration is found, at its place and with its severity.
#include "lint.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "example_config.hpp"
#include "files.hpp"

namespace {

using namespace tuner;

const Finding* find(const std::vector<Finding>& findings, const std::string& place,
                    const std::string& problem) {
    for (const Finding& finding : findings) {
        if (finding.place == place && finding.problem.find(problem) != std::string::npos) {
            return &finding;
        }
    }
    return nullptr;
}

TEST(Lint, AGoodConfigurationHasNotes) {
    const std::vector<Finding> findings = lint(example_config());
    for (const Finding& finding : findings) {
        EXPECT_EQ(finding.severity, Severity::note) << to_text(finding);
    }
    EXPECT_NE(find(findings, "eth, 4x1, bcast", "no rule for 1 to 19999 bytes"), nullptr);
    EXPECT_NE(find(findings, "eth, 4x2, bcast", "no rule for 3001 to 99999 bytes"), nullptr);
    EXPECT_NE(find(findings, "eth, 4x1, allreduce", "no rule from 4097 bytes on"), nullptr);
    EXPECT_EQ(exit_code(findings), 0);
}

const LayoutRange few_nodes = {{2, 8}, {1, 3}};

struct Mistake {
    const char* what;
    std::function<void(Config&)> make;
    Severity severity;
    const char* place;
    const char* problem;
};

const Mistake mistakes[] = {
    {"checksum", [](Config& c) { c.checksum = "fnv1a-0"; }, Severity::warning, "checksum",
     "edited or is damaged"},
    {"unverified", [](Config& c) { c.verified = false; }, Severity::warning, "verified", "not verified"},
    {"collective", [](Config& c) { c.rules[0].collective = "bcats"; }, Severity::error, "rules[0]",
     "no collective 'bcats'"},
    {"algorithm", [](Config& c) { c.rules[0].algorithm = "ring"; }, Severity::error, "rules[0]",
     "bcast has no algorithm 'ring'"},
    {"smp on one rank a node", [](Config& c) { c.rules[0].algorithm = "smp"; }, Severity::error, "rules[0]",
     "does not work on 4x1"},
    {"no power of two",
     [](Config& c) {
         c.rules = {example_rule({3, 1}, "allgather", 1, 100, "recursive_doubling")};
     },
     Severity::error, "rules[0]", "does not work on 3x1"},
    {"made of other collectives only for the one that has it",
     [](Config& c) {
         c.rules = {example_rule({3, 1}, "allgatherv", 1, 100, "gather_bcast")};
     },
     Severity::error, "rules[0]", "allgatherv has no algorithm 'gather_bcast'"},
    {"made of other collectives, unpatched",
     [](Config& c) {
         c.fingerprint["library"] = "mpich-stock";
         c.rules = {example_rule({3, 1}, "allgather", 1, 100, "gather_bcast")};
     },
     Severity::error, "rules[0]", "allgather has no algorithm 'gather_bcast'"},
    {"allgatherv is known, too",
     [](Config& c) {
         c.rules = {example_rule({3, 1}, "allgatherv", 1, 100, "recursive_doubling")};
     },
     Severity::error, "rules[0]", "does not work on 3x1"},
    {"few elements",
     [](Config& c) {
         c.rules = {example_rule({8, 1}, "allreduce", 1, 100, "reduce_scatter_allgather")};
     },
     Severity::warning, "rules[0]", "fewer elements"},
    {"2 GiB", [](Config& c) { c.rules[1].to_bytes = std::size_t{1} << 31; }, Severity::error, "rules[1]",
     "2 GiB"},
    {"nothing in it", [](Config& c) { c.rules[1].from_bytes = 5000; }, Severity::error, "rules[1]",
     "the range of sizes is empty"},
    {"operation", [](Config& c) { c.rules[1].operation = ""; }, Severity::error, "rules[1]", "operation"},
    {"operation of none", [](Config& c) { c.rules[0].operation = "built-in"; }, Severity::error, "rules[0]",
     "operation"},
    {"overlap", [](Config& c) { c.rules[4].from_bytes = 50; }, Severity::warning, "rules[4]",
     "rules[3] has some of its sizes"},
    {"hidden", [](Config& c) { c.rules.insert(c.rules.begin(), c.rules[0]); }, Severity::error, "rules[1]",
     "it is never used: rules[0] has all of its sizes"},
    {"hidden by two rules together",
     [](Config& c) {
         c.rules = {example_rule({4, 1}, "bcast", 1, 50, "binomial"),
                    example_rule({4, 1}, "bcast", 51, 100, "binomial"),
                    example_rule({4, 1}, "bcast", 20, 80, "scatter_ring_allgather")};
     },
     Severity::error, "rules[2]", "it is never used: the rules before it have all of its layouts and sizes"},
    {"hidden by a range",
     [](Config& c) {
         c.rules = {example_rule_for(few_nodes, "bcast", 1, 100, "binomial"),
                    example_rule({4, 2}, "bcast", 1, 50, "smp")};
     },
     Severity::error, "rules[1]", "it is never used: rules[0] has all of its layouts and sizes"},
    {"hidden by two ranges together",
     [](Config& c) {
         c.rules = {example_rule_for({{2, 4}, {1, 3}}, "bcast", 1, no_end, "binomial"),
                    example_rule_for({{5, 8}, {}}, "bcast", 1, no_end, "binomial"),
                    example_rule_for({{3, 6}, {2, 3}}, "bcast", 1, 50, "scatter_ring_allgather")};
     },
     Severity::error, "rules[2]", "it is never used: the rules before it have all of its layouts and sizes"},
    {"partly hidden by a layout of its range",
     [](Config& c) {
         c.rules = {example_rule({4, 2}, "bcast", 1, 50, "smp"),
                    example_rule_for(few_nodes, "bcast", 1, no_end, "binomial")};
     },
     Severity::note, "rules[1]", "some of its layouts and sizes belong to rules[0]"},
    {"an algorithm for some layouts of a range only",
     [](Config& c) { c.rules = {example_rule_for(few_nodes, "allgather", 1, no_end, "recursive_doubling")}; },
     Severity::warning, "rules[0]", "does not work on 2x3"},
    {"sizes that no layout of a range has",
     [](Config& c) { c.rules = {example_rule_for(few_nodes, "bcast", 100, no_end, "binomial")}; },
     Severity::note, "eth, 2 to 8 nodes x 1 to 3, bcast", "no rule for 1 to 99 bytes"},
    {"layouts between two ranges",
     [](Config& c) {
         c.rules = {example_rule_for({{2, 4}, {1, 2}}, "bcast", 1, no_end, "binomial"),
                    example_rule_for({{8, 16}, {1, 2}}, "bcast", 1, no_end, "binomial")};
     },
     Severity::note, "eth, bcast", "no rules on 5 to 7 nodes x 1 to 2"},
    {"a collective only on one layout", [](Config& c) { c.rules.pop_back(); }, Severity::note,
     "eth, 4x2, alltoall", "no rules"},
    {"nothing at all", [](Config& c) { c.rules.clear(); }, Severity::note, "rules",
     "the configuration has none"},
};

TEST(Lint, FindsMistakes) {
    for (const Mistake& mistake : mistakes) {
        Config config = example_config();
        mistake.make(config);
        const std::vector<Finding> findings = lint(config);
        const Finding* finding = find(findings, mistake.place, mistake.problem);
        ASSERT_NE(finding, nullptr) << mistake.what;
        EXPECT_EQ(finding->severity, mistake.severity) << mistake.what;
        EXPECT_FALSE(finding->remedy.empty()) << mistake.what;
        EXPECT_EQ(exit_code(findings), mistake.severity == Severity::error) << mistake.what;
    }
}

// A later rule may have only the layouts whose nodes differ: 2+1
TEST(Lint, NodesWithFewerRanksCount) {
    Config config = example_config();
    config.rules = {example_rule_for({{}, {1, 1}}, "bcast", 1, no_end, "binomial"),
                    example_rule_for({{}, {2, 2}}, "bcast", 1, no_end, "binomial"),
                    example_rule_for({{}, {1, 2}}, "bcast", 1, no_end, "scatter_ring_allgather")};
    EXPECT_EQ(exit_code(lint(config)), 0);
    config.rules.insert(config.rules.begin(),
                        example_rule_for({{2, 100}, {1, 2}}, "bcast", 1, no_end, "binomial"));
    EXPECT_EQ(exit_code(lint(config)), 0) << "101 nodes";
    config.rules[0].where.nodes.last = CountRange::no_last;
    EXPECT_EQ(exit_code(lint(config)), 1) << "one node has the same number of ranks everywhere";
}

// They cross the grid of nodes and ranks on each
TEST(Lint, RulesForNumbersOfRanksAreNotCalledHiddenWithoutProof) {
    Config config = example_config();
    config.rules = {example_rule_for({{}, {}, {2, 64}}, "bcast", 1, no_end, "binomial"),
                    example_rule_for({{2, 4}, {1, 32}}, "bcast", 1, no_end, "scatter_ring_allgather")};
    EXPECT_EQ(exit_code(lint(config)), 0) << "4x32 has 128 ranks";
    config.rules[1].where.ppn.last = 16;
    EXPECT_EQ(exit_code(lint(config)), 1) << "4x16 has 64";
}

TEST(Lint, KnowsNonblockingAlgorithmsByTheLibraryThatWasMeasured) {
    Config config = example_config();
    config.library = "MPICH Version: 4.0.2; changeover patches";
    config.algorithm_values = {{"ibcast", {{"sched_binomial", 1}, {"tsp_tree", 6}}}};
    const auto problem = [&](const char* algorithm) {
        config.rules = {example_rule({4, 2}, "ibcast", 8, no_end, algorithm)};
        for (const Finding& finding : lint(config)) {
            if (finding.severity == Severity::error) {
                return to_text(finding);
            }
        }
        return std::string();
    };
    EXPECT_EQ(problem("sched_binomial"), "");
    EXPECT_EQ(problem("tsp_tree:tree_type=kary:k=4"), "");
    EXPECT_NE(problem("tsp_bush:k=4").find("ibcast has no algorithm 'tsp_bush:k=4'"), std::string::npos);
    EXPECT_NE(problem("tsp_tree:q=4").find("there is no parameter 'q'"), std::string::npos);
    EXPECT_NE(problem("tsp_tree:tree_type=oak").find("'oak' is not a tree_type (tsp_tree:tree_type=oak)"),
              std::string::npos);
    EXPECT_NE(problem("tsp_tree:k").find("is not name=value"), std::string::npos);
}

TEST(Lint, AFileThatCannotBeReadIsAnError) {
    EXPECT_EQ(exit_code(lint_file("/nowhere/config.json")), 1);
    Json json = to_json(example_config());
    const std::string file = testing::TempDir() + "lint_test.json";
    write_file_atomically(file, json.dump());
    EXPECT_EQ(exit_code(lint_file(file)), 0);
    json["version"] = 7;
    write_file_atomically(file, json.dump());
    const std::vector<Finding> findings = lint_file(file);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_NE(findings[0].problem.find("version 7 is not supported"), std::string::npos);
    json["version"] = 1;
    json["rules"][0]["to_bytes"] = 1 << 20;
    write_file_atomically(file, json.dump());
    EXPECT_NE(find(lint_file(file), "checksum", "edited"), nullptr);
}

TEST(Lint, FindingsReadAsOneLine) {
    EXPECT_EQ(to_text({Severity::error, "rules[3]", "it is never used", "remove one of them"}),
              "error: rules[3]: it is never used; remove one of them");
}

TEST(Lint, ANetworkWithoutRulesIsNoted) {
    Config config = example_config();
    config.fingerprint["networks"] = {"eth", "ib"};
    const std::vector<Finding> findings = lint(config);
    const Finding* finding = find(findings, "ib", "no rules for this network");
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->severity, Severity::note);
    EXPECT_EQ(find(findings, "eth", "no rules for this network"), nullptr);
}

}  // namespace
