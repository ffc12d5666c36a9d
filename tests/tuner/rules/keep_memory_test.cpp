// SPDX-License-Identifier: MIT
#include "keep_memory.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"

namespace {

using namespace tuner;

const Layout layout = {4, 1};

Cells allgather_cells() {
    Cells cells;
    Cell& cell = cells[{"eth", layout, "allgather", ""}];
    for (const std::size_t bytes : {1024, 4096, 16384}) {
        for (const char* algorithm : {"default", "brucks", "ring", "unheard_of"}) {
            cell.times[bytes][algorithm].time.median_seconds = 1e-5;
        }
    }
    return cells;
}

Rule rule_for(const char* collective, const char* algorithm, std::size_t from, std::size_t to) {
    Rule rule;
    rule.network = "eth";
    rule.where = LayoutRange::exactly(layout);
    rule.collective = collective;
    rule.algorithm = algorithm;
    rule.from_bytes = from;
    rule.to_bytes = to;
    return rule;
}

std::vector<Rule> trimmed(const Rule& rule, std::size_t limit, std::vector<std::string>& notes) {
    std::vector<Rule> rules = {rule};
    trim_to_memory(rules, limit, {16, 4}, notes);
    return rules;
}

}  // namespace

TEST(KeepMemory, AlgorithmsAreLeftOutWhereTheyNeedMore) {
    Cells cells = allgather_cells();
    std::vector<std::string> notes;
    keep_memory(cells, 16384, notes);  // Bruck's needs four blocks
    const Cell& cell = cells.begin()->second;
    EXPECT_TRUE(cell.times.at(4096).contains("brucks"));
    EXPECT_FALSE(cell.times.at(16384).contains("brucks"));
    EXPECT_TRUE(cell.missing.at(16384).contains("brucks"));
    for (const auto& [bytes, times] : cell.times) {
        EXPECT_TRUE(times.contains("ring") && times.contains("default"));
        EXPECT_FALSE(times.contains("unheard_of")) << "nobody knows what it needs";
    }
    ASSERT_EQ(notes.size(), 2U);
    EXPECT_EQ(
        notes[0],
        "allgather brucks is left out from 16Ki on (--max-memory 16Ki): it allocates 64.0 KiB on a rank");
    EXPECT_CONTAINS(notes[1], "unheard_of is left out from 1Ki on");
    EXPECT_CONTAINS(notes[1], "how much it allocates is not known");
}

TEST(KeepMemory, WithoutALimitAllStay) {
    Cells cells = allgather_cells();
    std::vector<std::string> notes;
    keep_memory(cells, 0, notes);
    EXPECT_EQ(cells.begin()->second.times.at(16384).size(), 4U);
    EXPECT_EQ(trimmed(rule_for("allgather", "unheard_of", 1, no_end), 0, notes).size(), 1U);
    EXPECT_TRUE(notes.empty());
}

TEST(KeepMemory, RulesEndWhereTheyWouldNeedMore) {
    std::vector<std::string> notes;
    EXPECT_EQ(trimmed(rule_for("allgather", "brucks", 8, 65536), 16384, notes).at(0).to_bytes, 4096U);
    EXPECT_EQ(trimmed(rule_for("allgather", "brucks", 8, no_end), 16384, notes).at(0).to_bytes, 4096U);
    ASSERT_EQ(notes.size(), 2U);
    EXPECT_CONTAINS(notes[0], "ends at 4Ki");
    notes.clear();
    EXPECT_EQ(trimmed(rule_for("allgather", "ring", 8, no_end), 1, notes).at(0).to_bytes, no_end);
    EXPECT_TRUE(notes.empty());
    EXPECT_TRUE(trimmed(rule_for("allgather", "brucks", 8192, 65536), 16384, notes).empty());
    EXPECT_CONTAINS(notes.at(0), "was dropped");
}

TEST(KeepMemory, RulesForRangesAreForTheirLargestLayout) {
    Rule rule = rule_for("allgather", "brucks", 8, 65536);
    rule.where = {};
    rule.where.nodes = {2, CountRange::no_last};
    std::vector<std::string> notes;
    EXPECT_EQ(trimmed(rule, 65536, notes).at(0).to_bytes, 1024U) << "64 ranks, as the cluster has";
    rule.where.nodes.last = 4;
    rule.where.ppn.last = 1;
    EXPECT_EQ(trimmed(rule, 65536, notes).at(0).to_bytes, 16384U);
}

TEST(KeepMemory, AShortGatherMayNeedMoreThanALongerOne) {
    std::vector<std::string> notes;
    const std::vector<Rule> rules = trimmed(rule_for("gather", "binomial", 8, 4096), 3000, notes);
    ASSERT_EQ(rules.size(), 1U);
    EXPECT_EQ(rules[0].to_bytes, 750U) << "four blocks on a root that is not rank 0";
}
