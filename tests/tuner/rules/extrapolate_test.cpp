// SPDX-License-Identifier: MIT
#include "extrapolate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "decide.hpp"

namespace {

using tuner::Cell;
using tuner::CellKey;
using tuner::Cells;
using tuner::CellTime;
using tuner::Rule;

const std::string ring = "scatter_ring_allgather";
const tuner::Shapes plain = {{"ethernet", {}}};  // one protocol, no contention
const CellKey ethernet_bcast = {"ethernet", {8, 1, tuner::Mapping::block}, "bcast", ""};

// A network on which the models are right. Binomial: 3 (a + n b), ring: 10 a + 7/4 n b, so that they are
// equal at n = 5.6 a / b.
constexpr double latency = 10e-6;
constexpr double seconds_per_byte = 20e-9;
constexpr double equal_bytes = 5.6 * latency / seconds_per_byte;

double exact(const std::string& algorithm, std::size_t bytes) {
    models::Parameters parameters;
    parameters.at("between.latency") = latency;
    parameters.at("between.byte") = seconds_per_byte;
    models::CostTable table(models::RankPlacement(ethernet_bcast.layout.nodes, ethernet_bcast.layout.ppn));
    return table.seconds(*models::find_algorithm("bcast", algorithm), {&table.layout(), bytes}, parameters);
}

CellTime time(std::size_t bytes, double seconds, const std::string& used) {
    CellTime result;
    result.time = {bytes, seconds, {0.99 * seconds, 1.01 * seconds}};
    result.used = used;
    return result;
}

// The library uses `used` everywhere
Cells measured(std::size_t from_bytes, std::size_t to_bytes, const std::string& used) {
    Cell cell;
    for (std::size_t bytes = from_bytes; bytes <= to_bytes; bytes *= 2) {
        for (const std::string& algorithm : {std::string("binomial"), ring}) {
            cell.times[bytes][algorithm] = time(bytes, exact(algorithm, bytes), algorithm);
        }
        cell.times[bytes]["default"] = time(bytes, exact(used, bytes), used);
    }
    return {{ethernet_bcast, cell}};
}

TEST(Extrapolate, TheTestsNetworkIsWhatTheCommentSays) {
    const auto bytes = static_cast<std::size_t>(equal_bytes) / 8 * 8;
    EXPECT_NEAR(exact("binomial", bytes), exact(ring, bytes), 1e-6);
}

TEST(Extrapolate, ARuleGoesOnForTheStatedDistanceAndIsMarked) {
    const tuner::Config config = tuner::decide(measured(8, 65536, "binomial"), 0.01, plain);
    ASSERT_EQ(config.rules.size(), 2u);
    EXPECT_EQ(config.rules[0].basis, "measured");
    EXPECT_EQ(config.rules[0].to_bytes, 65536u);
    const Rule& beyond = config.rules[1];
    EXPECT_EQ(beyond.algorithm, ring);
    EXPECT_EQ(beyond.basis, "model");
    EXPECT_EQ(beyond.from_bytes, 65537u);
    EXPECT_NEAR(static_cast<double>(beyond.to_bytes), static_cast<double>(tuner::model_distance * 65536), 1);
    EXPECT_GT(beyond.expected_gain, 0.5);
}

// Where the model sees no gain behind the last size, its end is that size, give or take a rounding
TEST(Extrapolate, NoRuleIsEmpty) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (int world = 0; world < 300; ++world) {
        Cells cells = measured(8 + random() % 100, 3000, world % 2 == 0 ? "binomial" : ring);
        for (auto& [bytes, times] : cells.begin()->second.times) {
            for (auto& [name, one] : times) {
                one = time(bytes, one.time.median_seconds * (1 + 0.2 * uniform(random)), one.used);
            }
        }
        for (const Rule& rule : tuner::decide(cells, 0.01, plain).rules) {
            ASSERT_LE(rule.from_bytes, rule.to_bytes) << rule.algorithm << " in world " << world;
        }
    }
}

TEST(Extrapolate, ARuleEndsBeforeTheModelSaysThatItLoses) {
    const tuner::Config config = tuner::decide(measured(8, 1024, ring), 0.01, plain);
    ASSERT_EQ(config.rules.size(), 2u);
    const Rule& beyond = config.rules[1];
    EXPECT_EQ(beyond.algorithm, "binomial");
    EXPECT_EQ(beyond.basis, "model");
    EXPECT_GT(static_cast<double>(beyond.to_bytes), 0.8 * equal_bytes);
    EXPECT_LT(static_cast<double>(beyond.to_bytes), equal_bytes);
}

TEST(Extrapolate, NothingFollowsARuleThatEndsInsideOfWhatWasMeasured) {
    const tuner::Config config = tuner::decide(measured(8, 65536, ring), 0.01, plain);
    ASSERT_EQ(config.rules.size(), 1u);
    EXPECT_EQ(config.rules[0].algorithm, "binomial");
}

TEST(Extrapolate, CallsThatTakeTooLongToProveAreLeftAlone) {
    // at 32 MiB one call takes seconds
    const tuner::Config config = tuner::decide(measured(1 << 20, 32 << 20, "binomial"), 0.01, plain);
    ASSERT_EQ(config.rules.size(), 1u);
    EXPECT_EQ(config.rules[0].basis, "measured");
}

TEST(Extrapolate, AlgorithmsWithoutAModelGetNoRuleBeyond) {
    Cells cells = measured(8, 65536, "binomial");
    for (auto& [bytes, times] : cells.at(ethernet_bcast).times) {
        auto entry = times.extract(ring);
        entry.key() = "unheard_of";
        times.insert(std::move(entry));
    }
    const tuner::Config config = tuner::decide(cells, 0.01, plain);
    ASSERT_EQ(config.rules.size(), 1u);
    EXPECT_EQ(config.rules[0].algorithm, "unheard_of");
}

// The network has contention, which only the shape tells the model of
TEST(Extrapolate, DecideUsesTheModelThatPredictShows) {
    models::Parameters truth = tuner::shape_of({}, {}, ethernet_bcast.network);
    truth.at("between.latency") = latency;
    truth.at("between.byte") = seconds_per_byte;
    truth.at("between.opposite") = seconds_per_byte;
    truth.at("streams") = 0.5 * seconds_per_byte;
    models::CostTable table(models::RankPlacement(ethernet_bcast.layout.nodes, ethernet_bcast.layout.ppn));
    Cells cells;
    for (std::size_t bytes = 8; bytes <= 65536; bytes *= 2) {
        for (const models::Algorithm& algorithm : models::algorithms()) {
            const models::Call call{&table.layout(), bytes};
            if (algorithm.collective == "bcast" && models::is_allowed(algorithm, call)) {
                const std::string name(algorithm.name);
                const double seconds = table.seconds(algorithm, call, truth);
                cells[ethernet_bcast].times[bytes][name] = time(bytes, seconds, name);
                if (name == "binomial") {
                    cells[ethernet_bcast].times[bytes]["default"] = time(bytes, seconds, name);
                }
            }
        }
    }
    const tuner::Shapes shapes = tuner::shapes_of(cells, {}, {});
    const tuner::Config config = tuner::decide(cells, 0.01, shapes);
    ASSERT_FALSE(config.rules.empty());
    const Rule& beyond = config.rules.back();
    ASSERT_EQ(beyond.basis, "model");
    std::optional<tuner::Prediction> shown =
        tuner::Prediction::of(cells, ethernet_bcast.network, tuner::shape_of({}, {}, ethernet_bcast.network));
    ASSERT_TRUE(shown);
    // the model is right here, so that its level needs no correction
    const auto seconds = [&](const std::string& algorithm) {
        return shown->seconds("bcast", algorithm, ethernet_bcast.layout, beyond.to_bytes).value();
    };
    EXPECT_NEAR(beyond.expected_gain, seconds("binomial") / seconds(beyond.algorithm) - 1, 1e-6);
    const tuner::Config without_shape = tuner::decide(cells, 0.01, plain);
    ASSERT_FALSE(without_shape.rules.empty());
    EXPECT_GT(std::abs(without_shape.rules.back().expected_gain - beyond.expected_gain), 1e-3)
        << "the shape matters, or this test shows nothing";
}

}  // namespace
