// SPDX-License-Identifier: MIT
// The parts that ways to tune are compared with. All times are simulated: the figures are the same each time.
#include <gtest/gtest.h>

#include <fstream>

#include "contains.hpp"
#include "curves.hpp"
#include "decision_tree.hpp"
#include "random_forest.hpp"
#include "settings.hpp"

namespace {

using namespace evaluation;
using tuner::CellKey;

const CellKey bcast = {"tree", {64, 4}, "bcast", ""};

TEST(RecordedTruth, InterpolatesAndKnowsWhatCannotRun) {
    const Game game = game_named("fat-tree", TESTS_DATA);
    const double low = game.truth->seconds(bcast, "binomial", 1024).value();
    const double high = game.truth->seconds(bcast, "binomial", 2048).value();
    EXPECT_NEAR(game.truth->seconds(bcast, "binomial", 1448).value(), std::sqrt(low * high), 1e-3 * low);
    const CellKey allreduce = {"tree", {64, 4}, "allreduce", "sum"};
    EXPECT_FALSE(game.truth->seconds(allreduce, "reduce_scatter_allgather", 8))
        << "fewer elements than ranks";
    EXPECT_EQ(game.truth->used_by_default(bcast, 8), "binomial");
}

TEST(RecordedTruth, NamesTheLineThatIsWrong) {
    const std::string file = testing::TempDir() + "/truth.csv";
    std::ofstream(file) << "nodes,ppn,collective,bytes,algorithm,used,median_us\n4,2,bcast,8,ring,ring\n";
    try {
        RecordedTruth().add(file, "eth", {});
        ADD_FAILURE();
    } catch (const std::runtime_error& error) {
        EXPECT_CONTAINS(error.what(), file + ":2: not a line of times");
    }
}

TEST(Score, OfTheBestChoiceIsZero) {
    const Game game = game_named("fat-tree", TESTS_DATA);
    const Score best = score_of(game.setting, *game.truth, [&](const CellKey& cell, std::size_t bytes) {
        std::string name;
        double fastest = INFINITY;
        for (const std::string& algorithm : game.truth->algorithms(cell)) {
            const double seconds = game.truth->seconds(cell, algorithm, bytes).value_or(INFINITY);
            name = seconds < fastest ? algorithm : name;
            fastest = std::min(fastest, seconds);
        }
        return name;
    });
    EXPECT_EQ(best.mean_loss, 0);
    EXPECT_EQ(best.slower, 0);
    const Score own =
        score_of(game.setting, *game.truth, [](const auto&, auto) { return tuner::default_algorithm; });
    EXPECT_GT(own.mean_loss, 0.05);
    EXPECT_EQ(own.slower, 0);
}

TEST(DecisionTree, FindsTheSizeAndPrunesWhatIsChance) {
    std::vector<Example> examples;
    for (double size = 3; size < 20; ++size) {
        for (double nodes = 1; nodes < 4; ++nodes) {
            examples.push_back({{size, nodes, 0, nodes}, size < 11 ? "binomial" : "ring"});
        }
    }
    examples[7].best = "ring";  // noise
    const DecisionTree tree(examples);
    EXPECT_EQ(tree.best({10, 2, 0, 2}), "binomial");
    EXPECT_EQ(tree.best({11, 2, 0, 2}), "ring");
    EXPECT_EQ(tree.leaves(), 2u);
    EXPECT_EQ(DecisionTree().best({}), tuner::default_algorithm);
}

TEST(RandomForest, PredictsAndDoubtsMostWhereNothingWasSeen) {
    std::vector<Sample> samples;
    for (double size = 3; size < 12; ++size) {
        samples.push_back({{size, 0, 0, 0, 0}, size < 8 ? 1.0 : 3.0});
    }
    std::mt19937_64 random(1);
    const RandomForest forest(samples, random);
    EXPECT_NEAR(forest.predict({4, 0, 0, 0, 0}), 1, 0.2);
    EXPECT_NEAR(forest.predict({11, 0, 0, 0, 0}), 3, 0.2);
    EXPECT_GT(forest.variance({7.5, 0, 0, 0, 0}), forest.variance({4, 0, 0, 0, 0}));
}

TEST(Played, TellsWhenALossIsReachedForGood) {
    Played played = {"made up", {{{.seconds = 1, .mean_loss = 0.05}, {.seconds = 2, .mean_loss = 0.01}}}};
    EXPECT_NEAR(played.seconds_to(0.02), 2, 0.05);
    EXPECT_NEAR(played.seconds_to(0.1), 1, 0.05);
    EXPECT_EQ(played.seconds_to(0.001), 0);
    EXPECT_NEAR(estimate_of({1, 2, 3}).mean, 2, 1e-12);
    EXPECT_NEAR(estimate_of({1, 2, 3}).reach, 4.303 / std::sqrt(3.0), 1e-3);
}

// Every method plays to its end, and knows more than nothing
TEST(Methods, LoseLessThanTheLibrarysOwnChoice) {
    const Game game = game_named("fat-tree", TESTS_DATA);
    std::map<std::string, Score> ends;
    std::vector<Played> all;
    for (const NamedMethod& method : methods()) {
        calibration::SimulatedCluster cluster(game.truth, game.noise, 1);
        const auto playing = method.start(game.setting, cluster, 1);
        all.push_back({method.name, {played(game.setting, cluster, *playing)}});
        ends[method.name] = all.back().games[0].back();
        EXPECT_LT(ends[method.name].mean_loss, 0.03) << method.name;
        EXPECT_GT(ends[method.name].launches, 0) << method.name;
    }
    EXPECT_EQ(ends["changeover verified"].slower, 0);
    EXPECT_GT(ends["exhaustive"].seconds, 10 * ends["changeover"].seconds);
    const std::string svg = drawn("fat-tree", all, 0.11);
    EXPECT_CONTAINS(svg, "changeover verified");
    EXPECT_CONTAINS(svg, "</svg>");
}

}  // namespace
