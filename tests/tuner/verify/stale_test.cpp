// SPDX-License-Identifier: MIT
// Cells that were found stale: in the journal until they are tuned again; nothing else is replaced.
#include "stale.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "decide.hpp"
#include "example_config.hpp"
#include "network_changes.hpp"
#include "small_disk.hpp"

namespace {

using namespace tuner;

const CellKey eth_bcast = {"eth", {4, 1, Mapping::block}, "bcast", ""};
const CellKey round_robin_sum = {"eth", {4, 2, Mapping::round_robin}, "allreduce", "sum"};

Proof proof(const CellKey& cell, std::size_t bytes) {
    return {cell, bytes, "ring", {1.5, {1.4, 1.6}}, 1, 0.001};
}

TEST(Stale, IsInTheJournalUntilTunedAgain) {
    const TemporaryFolder folder;
    RunData run;
    {
        Journal journal = Journal::create(folder.path / "run", {});
        mark_stale(journal, run, eth_bcast);
        mark_stale(journal, run, round_robin_sum);
    }
    EXPECT_EQ(stale_cells(load_run(folder.path / "run")), (std::set<CellKey>{eth_bcast, round_robin_sum}));
    {
        Journal journal = Journal::resume(folder.path / "run", run);
        mark_retuned(journal);
        mark_stale(journal, run, eth_bcast);
    }
    EXPECT_EQ(stale_cells(load_run(folder.path / "run")), std::set<CellKey>{eth_bcast});
}

TEST(Stale, InterruptedMarkingCountsForNothing) {
    const TemporaryFolder folder;
    RunData run;
    {
        Journal journal = Journal::create(folder.path / "run", {});
        mark_stale(journal, run, eth_bcast, 1, 2);
    }
    EXPECT_TRUE(stale_cells(load_run(folder.path / "run")).empty()) << "the other cell would be forgotten";
    {
        Journal journal = Journal::resume(folder.path / "run", run);
        mark_stale(journal, run, round_robin_sum, 1, 2);
        mark_stale(journal, run, eth_bcast, 2, 2);
    }
    EXPECT_EQ(stale_cells(load_run(folder.path / "run")), (std::set<CellKey>{eth_bcast, round_robin_sum}));
}

// The network and its cells count together
TEST(Stale, AChangedNetworkIsMarkedWithItsCells) {
    const TemporaryFolder folder;
    RunData run;
    {
        Journal journal = Journal::create(folder.path / "run", {});
        mark_changed(journal, run, "eth", {"between.byte (G): 78 -> 7 ns/byte"}, 1, 2);
    }
    EXPECT_TRUE(network_changes(load_run(folder.path / "run")).empty()) << "its cell is not marked yet";
    {
        Journal journal = Journal::resume(folder.path / "run", run);
        mark_changed(journal, run, "eth", {"between.byte (G): 78 -> 7 ns/byte"}, 1, 2);
        mark_stale(journal, run, eth_bcast, 2, 2);
    }
    const RunData marked = load_run(folder.path / "run");
    EXPECT_EQ(stale_cells(marked), std::set<CellKey>{eth_bcast});
    ASSERT_EQ(network_changes(marked).size(), 1U);
    EXPECT_EQ(network_changes(marked)[0].moved,
              std::vector<std::string>{"between.byte (G): 78 -> 7 ns/byte"});
}

TEST(Stale, OnlyItsCellsAreReplaced) {
    const Config config = example_config();
    const CellKey other = cell_of(config.rules[1]);
    const Verification old = {config.rules,
                              {proof(eth_bcast, 30000), proof(other, 100)},
                              {"eth 4x1 bcast: ring was dropped: old", "eth 4x2 bcast: ring was narrowed"}};
    Rule rule = config.rules[0];
    rule.from_bytes = 5000;
    const Verification renewed = {{rule}, {proof(eth_bcast, 6000)}, {"eth 4x1 bcast: new"}};
    const Verification merged = with_cells_replaced(old, renewed, {eth_bcast});
    std::vector<Rule> expected = config.rules;
    expected[0].from_bytes = 5000;
    EXPECT_EQ(merged.rules.size(), expected.size());
    for (const Rule& kept : expected) {
        EXPECT_EQ(std::count_if(merged.rules.begin(), merged.rules.end(),
                                [&](const Rule& r) { return checksum_of({r}) == checksum_of({kept}); }),
                  1)
            << name_of(kept);
    }
    ASSERT_EQ(merged.proofs.size(), 2u);
    EXPECT_EQ(merged.proofs[0].cell, other);
    EXPECT_EQ(merged.proofs[1].bytes, 6000u);
    EXPECT_EQ(merged.notes,
              (std::vector<std::string>{"eth 4x2 bcast: ring was narrowed", "eth 4x1 bcast: new"}));
    EXPECT_TRUE(std::is_sorted(merged.rules.begin(), merged.rules.end(),
                               [](const Rule& x, const Rule& y) { return cell_of(x) < cell_of(y); }));
}

// A range comes from all cells of its collective; rules of one layout stay before it
TEST(Stale, RangesOfTheCollectiveAreReplacedTogether) {
    const LayoutRange few = {{2, 8}, {1, 3}};
    const Rule old_range = example_rule_for(few, "bcast", 1, 99, "binomial");
    const Rule new_range = example_rule_for(few, "bcast", 1, 500, "binomial");
    const Rule other_range = example_rule_for(few, "allgather", 1, 99, "ring");
    const Config config = example_config();
    const CellKey tested = {"eth", {6, 1}, "bcast", ""};
    const CellKey tested_other = {"eth", {6, 1}, "allgather", ""};
    const CellKey kept = {"eth", {4, 2}, "bcast", ""};
    Verification old = {config.rules,
                        {proof(tested, 8), proof(tested_other, 8), proof(kept, 8)},
                        {"eth 2 to 8 nodes x 1 to 3 bcast: old", "eth 2 to 8 nodes x 1 to 3 allgather: old",
                         "eth 4x1 bcast: old", "eth 4x2 bcast: kept"}};
    old.rules.insert(old.rules.end(), {old_range, other_range});
    const Verification merged = with_cells_replaced(old, {{new_range, config.rules[0]}, {}, {}}, {eth_bcast});
    ASSERT_EQ(merged.rules.size(), config.rules.size() + 2);
    EXPECT_EQ(merged.rules[config.rules.size()].collective, "allgather");
    EXPECT_EQ(merged.rules.back().to_bytes, 500u);
    EXPECT_TRUE(merged.rules[config.rules.size() - 1].where.single());
    EXPECT_EQ(merged.notes,
              (std::vector<std::string>{"eth 2 to 8 nodes x 1 to 3 allgather: old", "eth 4x2 bcast: kept"}));
    ASSERT_EQ(merged.proofs.size(), 2u) << "of the old range there are none";
    EXPECT_EQ(merged.proofs[0].cell, tested_other);
    EXPECT_EQ(merged.proofs[1].cell, kept);
    EXPECT_TRUE(is_decided_by(old_range, {eth_bcast}));
    EXPECT_FALSE(is_decided_by(other_range, {eth_bcast}));
}

}  // namespace
