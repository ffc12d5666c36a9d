// SPDX-License-Identifier: MIT
// Who is faster, and where changeover points are, is what the made-up runs say.
#include "files.hpp"
#include "made_up_runs.hpp"

namespace {

using namespace tuner;
using CompareCells = MadeUpRuns;

TEST_F(CompareCells, RatiosAndWinsOfTwoRuns) {
    make_run("a", binomial, ring_from(512));
    make_run(
        "b", [](double bytes) { return binomial(bytes) / 2; },
        [](double bytes) { return ring_from(512)(bytes) / 4; });
    const Comparison pair = only_pair({"", "a", "b"});
    EXPECT_TRUE(pair.differing.empty());
    ASSERT_EQ(pair.cells.size(), 1u);
    const ComparedCell& cell = pair.cells[0];
    ASSERT_EQ(cell.sizes.size(), all_sizes.size());
    for (const ComparedSize& size : cell.sizes) {
        const auto& [by_default, best, tuned] = size.choices;
        EXPECT_NEAR(by_default.ratio->ratio, 0.5, 1e-9);
        EXPECT_GT(by_default.ratio->interval.low, 0.48);
        EXPECT_LT(by_default.ratio->interval.high, 0.52);
        EXPECT_EQ(by_default.winner, Winner::b);
        EXPECT_EQ(by_default.a->algorithm, "binomial");
        EXPECT_FALSE(tuned.ratio) << "there are no configurations";
    }
    EXPECT_EQ(cell.sizes[4].choices[1].a->algorithm, "ring");
    EXPECT_NEAR(cell.sizes[4].choices[1].ratio->ratio, 0.25, 1e-5);
    ASSERT_EQ(cell.won[0].size(), 1u);
    EXPECT_EQ(cell.won[0][0].from_bytes, 8u);
    EXPECT_EQ(cell.won[0][0].to_bytes, 32768u);
    EXPECT_NEAR(cell.won[0][0].ratio, 0.5, 1e-9);
    EXPECT_TRUE(cell.won[2].empty());
}

TEST_F(CompareCells, EachWinsItsRangeAndSmallDifferencesAreNoWin) {
    make_run("a", binomial, ring_from(512));
    const Seconds other = [](double bytes) {
        return binomial(bytes) * (bytes < 100 ? 0.8 : bytes < 1000 ? 1.03 : 1.5);
    };
    make_run("b", other, other);
    const std::vector<WonRange> won = only_pair({"", "a", "b"}).cells[0].won[0];
    ASSERT_EQ(won.size(), 2u);
    EXPECT_EQ(won[0].winner, Winner::b);
    EXPECT_EQ(won[0].to_bytes, 64u);
    EXPECT_EQ(won[1].winner, Winner::a);
    EXPECT_EQ(won[1].from_bytes, 4096u);
    const std::vector<WonRange> all = only_pair({"", "a", "b", {}, 0}).cells[0].won[0];
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[1].from_bytes, 512u) << "3% is significant, if one wants to see it";
}

TEST_F(CompareCells, NetworksOfARunAndChangeoversThatMove) {
    {
        Journal journal = create("run");
        measure(journal, "eth", binomial, ring_from(200));
        measure(journal, "fast", binomial, ring_from(12000));
        measure(journal, "other", binomial, ring_from(100));
        measure(journal, "never", binomial, ring_from(1e9));
        measure(journal, "always", binomial, ring_from(1));
    }
    const std::vector<ComparedChangeover> moved = only_pair({"run", "eth", "fast"}).cells[0].changeovers;
    ASSERT_EQ(moved.size(), 1u);
    EXPECT_EQ(moved[0].from, "default (binomial)");
    EXPECT_EQ(moved[0].to, "ring");
    EXPECT_NEAR(moved[0].a->bytes, 200, 2);
    EXPECT_EQ(moved[0].a->interval.low, 64);
    EXPECT_EQ(moved[0].b->interval.high, 32768);
    EXPECT_TRUE(moved[0].has_moved());
    const std::vector<ComparedChangeover> same = only_pair({"run", "eth", "other"}).cells[0].changeovers;
    ASSERT_EQ(same.size(), 1u);
    EXPECT_FALSE(same[0].has_moved()) << "between the same two sizes";
    const std::vector<ComparedChangeover> gone = only_pair({"run", "eth", "never"}).cells[0].changeovers;
    ASSERT_EQ(gone.size(), 1u);
    EXPECT_FALSE(gone[0].b);
    const ComparedCell always = only_pair({"run", "never", "always"}).cells[0];
    EXPECT_TRUE(always.changeovers.empty());
    ASSERT_EQ(always.chosen_a.size(), 1u);
    ASSERT_EQ(always.chosen_b.size(), 1u);
    EXPECT_EQ(to_string(always.chosen_a[0]), "default (binomial)");
    EXPECT_EQ(to_string(always.chosen_b[0]), "ring");
    EXPECT_CONTAINS(to_text(compare({folder("run"), "eth", "fast"})), "moved up");
    EXPECT_CONTAINS(to_text(compare({folder("run"), "eth", "never"})), "only in A");
}

TEST_F(CompareCells, TunedChoicesComeFromTheConfigurations) {
    make_run("a", binomial, ring_from(512));
    make_run("b", binomial, ring_from(512));
    const RunData data = load_run(folder("b"));
    const Cells cells = cells_of(data, Stage::search);
    const Config config = decide(cells, 0.01, shapes_of(cells, data, {}));
    ASSERT_EQ(config.rules.size(), 1u);
    write_file_atomically(folder("b") + "/config.json", to_json(config).dump());
    ComparedSize large = only_pair({"", "a", "b"}).cells[0].sizes.back();
    EXPECT_FALSE(large.choices[2].a) << "A has no configuration";
    EXPECT_EQ(large.choices[2].b->algorithm, "ring");
    EXPECT_FALSE(large.choices[2].ratio);
    Config empty = config;
    empty.rules.clear();
    write_file_atomically(folder("a") + "/config.json", to_json(empty).dump());
    large = only_pair({"", "a", "b"}).cells[0].sizes.back();
    EXPECT_EQ(large.choices[2].a->algorithm, "binomial");
    EXPECT_NEAR(large.choices[2].ratio->ratio, std::pow(32768.0 / 512, -0.2), 1e-6);
    EXPECT_EQ(large.choices[2].winner, Winner::b);
}

}  // namespace
