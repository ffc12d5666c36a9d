// SPDX-License-Identifier: MIT
// Costs against the formulas of Thakur, Rabenseifner and Gropp, 'Optimization of Collective Communication
// Operations in MPICH' (IJHPCA 19(1), 2005): one rank a node, a power of two of ranks. There n is the whole
// message, a the latency, b the time per byte, g the time to combine a byte.
#include "cost.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "evaluate.hpp"

namespace {

using models::Call;
using models::RankPlacement;

constexpr double a = 30e-6;
constexpr double b = 84e-9;
constexpr double g = 3e-9;

models::Parameters textbook() {
    models::Parameters p;
    p.between.segments[0] = {models::LinkCosts::no_end, a, b};
    p.within.segments[0] = {models::LinkCosts::no_end, a, b};
    p.combine_seconds_per_byte = g;
    return p;
}

struct Formula {
    std::string_view collective;
    std::string_view algorithm;
    const char* section;
    // p ranks, n bytes of message (benchmark's definition)
    double (*seconds)(double p, double n);
};

double lg(double p) {
    return std::log2(p);
}

const Formula formulas[] = {
    {"bcast", "binomial", "3.3", [](double p, double n) { return lg(p) * (a + n * b); }},
    {"bcast", "scatter_recursive_doubling_allgather", "3.3",
     [](double p, double n) { return 2 * lg(p) * a + 2 * (p - 1) / p * n * b; }},
    {"bcast", "scatter_ring_allgather", "3.3",
     [](double p, double n) { return (lg(p) + p - 1) * a + 2 * (p - 1) / p * n * b; }},
    {"allgather", "ring", "3.1", [](double p, double n) { return (p - 1) * a + (p - 1) / p * (n * p) * b; }},
    {"allgather", "recursive_doubling", "3.1",
     [](double p, double n) { return lg(p) * a + (p - 1) / p * (n * p) * b; }},
    {"allgather", "brucks", "3.1", [](double p, double n) { return lg(p) * a + (p - 1) / p * (n * p) * b; }},
    {"alltoall", "brucks", "3.4", [](double p, double n) { return lg(p) * a + (n * p) / 2 * lg(p) * b; }},
    {"alltoall", "pairwise", "3.4", [](double p, double n) { return (p - 1) * a + (p - 1) * n * b; }},
    {"reduce_scatter", "recursive_halving", "3.5",
     [](double p, double n) { return lg(p) * a + (p - 1) / p * (n * p) * (b + g); }},
    {"reduce_scatter", "pairwise", "3.5",
     [](double p, double n) { return (p - 1) * a + (p - 1) / p * (n * p) * (b + g); }},
    {"reduce_scatter", "recursive_doubling", "3.5",
     [](double p, double n) { return lg(p) * a + (lg(p) - (p - 1) / p) * (n * p) * (b + g); }},
    {"reduce", "binomial", "3.6", [](double p, double n) { return lg(p) * (a + n * b + n * g); }},
    {"reduce", "reduce_scatter_gather", "3.6",
     [](double p, double n) { return 2 * lg(p) * a + 2 * (p - 1) / p * n * b + (p - 1) / p * n * g; }},
    {"allreduce", "recursive_doubling", "3.7",
     [](double p, double n) { return lg(p) * (a + n * b + n * g); }},
    {"allreduce", "reduce_scatter_allgather", "3.7",
     [](double p, double n) { return 2 * lg(p) * a + 2 * (p - 1) / p * n * b + (p - 1) / p * n * g; }},
    {"scatter", "binomial", "3.3", [](double p, double n) { return lg(p) * a + (p - 1) / p * (n * p) * b; }},
    {"gather", "binomial", "3.6", [](double p, double n) { return lg(p) * a + (p - 1) / p * (n * p) * b; }},
};

TEST(Cost, EqualsTheTextbookWithOneRankANodeAndAPowerOfTwo) {
    const models::Parameters parameters = textbook();
    for (const Formula& formula : formulas) {
        const models::Algorithm* algorithm = models::find_algorithm(formula.collective, formula.algorithm);
        ASSERT_NE(algorithm, nullptr) << formula.collective << " " << formula.algorithm;
        for (const int ranks : {2, 4, 8, 16, 64, 256}) {
            const RankPlacement layout(ranks, 1);
            models::CostTable table(layout);
            for (const std::size_t bytes : {1024u, 65536u, 1u << 20}) {
                const Call call{&layout, bytes};
                const double expected = formula.seconds(ranks, static_cast<double>(bytes));
                SCOPED_TRACE(testing::Message()
                             << formula.collective << " " << formula.algorithm << ", section "
                             << formula.section << ", " << ranks << " ranks, " << bytes);
                EXPECT_NEAR(table.seconds(*algorithm, call, parameters), expected, 1e-12 * expected);
                EXPECT_NEAR(models::evaluate(algorithm->schedule(call), layout, parameters), expected,
                            1e-12 * expected);
            }
        }
    }
}

// A binomial broadcast over 16 nodes: the root sends 4 messages without waiting, its first child 3, and so
// on. If three or more messages share the interface fairly, each of them ends with the last one: 4 + 3 times
// n b; then two, one after the other, and one.
TEST(Cost, StreamsThatShareAnInterfaceDelayTheFirst) {
    const RankPlacement layout(16, 1);
    const models::Algorithm& binomial = *models::find_algorithm("bcast", "binomial");
    models::CostTable table(layout);
    const Call call{&layout, 65536};
    models::Parameters p;
    p.contention.has_streams = true;
    p.at("between.byte") = b;
    EXPECT_DOUBLE_EQ(table.seconds(binomial, call, p), 4 * 65536 * b);
    p.at("streams") = b;
    EXPECT_DOUBLE_EQ(table.seconds(binomial, call, p), (4 + 3 + 1 + 1) * 65536 * b);
    const RankPlacement four(4, 1);  // never more than two without waiting
    EXPECT_EQ(models::profile(binomial, {&four, 65536}).waiting_bytes, 0);
    // In a ring everybody waits for its neighbour before it sends again.
    EXPECT_EQ(table.profile_of(*models::find_algorithm("allgather", "ring"), call).waiting_bytes, 0);
}

// The scatter of n bytes from rank 0: n/2 to rank 4, then n/4 to rank 2, n/8 to rank 1. Nobody waits before
// the first round of the ring.
TEST(Cost, StreamsOfTheNextPhaseShareTheInterfaceToo) {
    const auto waiting_share = [](const RankPlacement& layout) {
        const models::Algorithm& ring = *models::find_algorithm("bcast", "scatter_ring_allgather");
        const models::Profile profile = models::profile(ring, {&layout, 65536});
        return profile.waiting_bytes / profile.unit_bytes;
    };
    // With one rank a node the ring goes on in the stream to rank 1.
    EXPECT_DOUBLE_EQ(waiting_share(RankPlacement(8, 1)), 1.0 / 4 + 1.0 / 8);
    // With two, rank 1 is on the node of the root: it sends its part to rank 2, then that of the root. Rank 5
    // sends two parts in the same way, while rank 4 on its node sends n/4 to rank 6.
    EXPECT_DOUBLE_EQ(waiting_share(RankPlacement(4, 2)), (1.0 / 4 + 2.0 / 8) + 2.0 / 8);
}

TEST(Cost, NodesThatAreOneMachineShareItsCores) {
    const RankPlacement layout(4, 2);
    models::CostTable table(layout);
    const Call call{&layout, 8};
    models::Parameters p;
    p.contention.has_one_machine = true;
    p.at("message.between") = 3;
    p.at("message.within") = 1;
    // a ring of 8 ranks: 7 rounds with 8 messages each, half of them within nodes
    EXPECT_DOUBLE_EQ(table.seconds(*models::find_algorithm("allgather", "ring"), call, p), 28 * 3 + 28 * 1);
}

TEST(Cost, ContentionThatIsNotSwitchedOnHasNoParameter) {
    models::Parameters p;
    EXPECT_THROW(p.at("streams"), std::out_of_range);
    EXPECT_THROW(p.at("message.between"), std::out_of_range);
    EXPECT_EQ(p.names().size(), p.values().size());
}

// The example that the models are for: 16 nodes with 2 ranks each on 100 Mbit/s. A ring sends one block a
// round through an interface, recursive doubling two, so that their order turns round.
TEST(Cost, RanksOfANodeShareItsInterface) {
    models::Parameters p;
    p.between.segments[0] = {models::LinkCosts::no_end, 30e-6, 1 / 11.9e6};
    const RankPlacement two(16, 2);
    const RankPlacement one(32, 1);
    const models::Algorithm& doubling =
        *models::find_algorithm("bcast", "scatter_recursive_doubling_allgather");
    const models::Algorithm& ring = *models::find_algorithm("bcast", "scatter_ring_allgather");
    constexpr std::size_t bytes = 131072;
    const auto seconds = [&](const models::Algorithm& algorithm, const RankPlacement& layout) {
        return models::CostTable(layout).seconds(algorithm, {&layout, bytes}, p);
    };
    EXPECT_LT(seconds(doubling, one), seconds(ring, one));
    EXPECT_GT(seconds(doubling, two), 1.3 * seconds(ring, two));
}

// Three ranks, rank 0 sends to rank 2 and then to rank 1. On 2+1 nodes the second message stays on its node,
// on 1+2 it waits for the interface.
TEST(Cost, OfABinomialBroadcastOnNodesOfTwoAndOne) {
    constexpr double a_within = 2e-6;
    constexpr double b_within = 1e-9;
    models::Parameters p = textbook();
    p.within.segments[0] = {models::LinkCosts::no_end, a_within, b_within};
    const models::Algorithm& binomial = *models::find_algorithm("bcast", "binomial");
    constexpr std::size_t n = 10000;
    const RankPlacement two_one(std::vector{0, 0, 1});
    EXPECT_NEAR(models::CostTable(two_one).seconds(binomial, {&two_one, n}, p), a + n * b + n * b_within,
                1e-15);
    EXPECT_NEAR(models::evaluate(binomial.schedule({&two_one, n}), two_one, p),
                n * b + std::max(a, a_within + n * b_within), 1e-15);
    const RankPlacement one_two(std::vector{0, 1, 1});
    EXPECT_NEAR(models::CostTable(one_two).seconds(binomial, {&one_two, n}, p), a + 2 * n * b, 1e-15);
    EXPECT_NEAR(models::evaluate(binomial.schedule({&one_two, n}), one_two, p), a + 2 * n * b, 1e-15);
}

// models/README.md, "A worked example"
TEST(Cost, AgreesWithTheExampleOfTheReadme) {
    models::Parameters p;
    p.between.segments[0] = {models::LinkCosts::no_end, 30e-6, 84e-9};
    p.within.segments[0] = {models::LinkCosts::no_end, 1e-6, 1e-9};
    const auto milliseconds = [&](std::string_view algorithm, const RankPlacement& layout) {
        const Call call{&layout, 131072};
        return 1e3 * models::CostTable(layout).seconds(*models::find_algorithm("bcast", algorithm), call, p);
    };
    EXPECT_NEAR(milliseconds("scatter_recursive_doubling_allgather", RankPlacement(8, 1)), 19.4, 0.05);
    EXPECT_NEAR(milliseconds("scatter_ring_allgather", RankPlacement(8, 1)), 19.6, 0.05);
    EXPECT_NEAR(milliseconds("scatter_recursive_doubling_allgather", RankPlacement(4, 2)), 24.9, 0.05);
    EXPECT_NEAR(milliseconds("scatter_ring_allgather", RankPlacement(4, 2)), 18.1, 0.05);
}

TEST(Cost, HalfDuplexCostsTheOppositeDirectionToo) {
    models::Parameters p = textbook();
    p.between.opposite_seconds_per_byte = p.between.segments[0].seconds_per_byte;
    p.within = p.between;
    const RankPlacement layout(2, 1);
    const Call call{&layout, 1000};
    // both directions are used at the same time by an exchange, not by a broadcast
    const models::Algorithm& exchange = *models::find_algorithm("allreduce", "recursive_doubling");
    const models::Algorithm& one_way = *models::find_algorithm("bcast", "binomial");
    models::CostTable table(layout);
    EXPECT_NEAR(table.seconds(exchange, call, p), a + 2000 * b + 1000 * g, 1e-15);
    EXPECT_NEAR(table.seconds(one_way, call, p), a + 1000 * b, 1e-15);
    EXPECT_NEAR(models::evaluate(exchange.schedule(call), layout, p), a + 2000 * b + 1000 * g, 1e-15);
}

TEST(Cost, OnlyWhatTheSameTwoRanksExchangeIsHalfDuplex) {
    models::Parameters p;
    p.between.opposite_seconds_per_byte = 1;
    const RankPlacement layout(8, 1);
    const Call call{&layout, 1000};
    const auto expect_seconds = [&](std::string_view algorithm, double expected) {
        const models::Algorithm& allgather = *models::find_algorithm("allgather", algorithm);
        EXPECT_NEAR(models::CostTable(layout).seconds(allgather, call, p), expected, 1e-9) << algorithm;
    };
    expect_seconds("recursive_doubling", 7000);  // partners in every round
    expect_seconds("brucks", 4000);              // only in the last one, over half the ranks
    expect_seconds("ring", 0);                   // receives from another one than it sends to
    p.between.free_opposite_bytes = 1500;        // of messages of 1000, 2000 and 4000
    expect_seconds("recursive_doubling", 500 + 2500);
}

TEST(Cost, BytesOfAnExchangeThatCostNothingTheOtherWay) {
    models::Parameters p = textbook();
    p.between.opposite_seconds_per_byte = b;
    p.between.free_opposite_bytes = 600;
    const RankPlacement layout(2, 1);
    const models::Algorithm& exchange = *models::find_algorithm("allgather", "recursive_doubling");
    for (const std::size_t bytes : {500u, 1000u}) {
        const Call call{&layout, bytes};
        const double expected = a + (bytes == 1000 ? 1000 + 400 : 500) * b;
        EXPECT_NEAR(models::CostTable(layout).seconds(exchange, call, p), expected, 1e-15);
        EXPECT_NEAR(models::evaluate(exchange.schedule(call), layout, p), expected, 1e-15);
    }
}

TEST(Cost, EachMessageCostsByItsOwnSegment) {
    models::Parameters p;
    p.between.segments = {{1000, 10e-6, 1e-9}, {models::LinkCosts::no_end, 50e-6, 2e-9}};
    const RankPlacement layout(2, 1);
    models::CostTable table(layout);
    const models::Algorithm& binomial = *models::find_algorithm("bcast", "binomial");
    EXPECT_NEAR(table.seconds(binomial, {&layout, 1000}, p), 11e-6, 1e-15);
    EXPECT_NEAR(table.seconds(binomial, {&layout, 1001}, p), 52.002e-6, 1e-15);
}

TEST(Cost, ScalarProductOfFeaturesAndValues) {
    models::Parameters p = textbook();
    p.between.gap_seconds = 2e-6;
    p.within.opposite_seconds_per_byte = 1e-9;
    const RankPlacement layout(3, 4);
    const models::Algorithm& scattered = *models::find_algorithm("alltoall", "scattered");
    const models::Profile profile = models::profile(scattered, {&layout, 100});
    const std::vector<double> row = models::features(profile, 100, p);
    const std::vector<double> values = p.values();
    ASSERT_EQ(row.size(), values.size());
    double sum = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        sum += row[i] * values[i];
    }
    EXPECT_NEAR(sum, models::cost(profile, 100, p), 1e-15);
}

TEST(Parameters, AreFoundByName) {
    models::Parameters p = textbook();
    p.at("between.latency") = 90e-6;
    EXPECT_EQ(p.between.segments[0].latency_seconds, 90e-6);
    EXPECT_THROW(p.at("between.colour"), std::out_of_range);
    p.between.segments.push_back({models::LinkCosts::no_end, 1, 2});
    EXPECT_EQ(p.at("between.byte.2"), 2);
    EXPECT_EQ(p.names().size(), p.values().size());
}

// How many segments there are depends on the size of the call, and so does their cost
TEST(CostTable, SegmentsAreThoseOfTheCall) {
    using namespace models;
    Parameters p;
    p.between.segments[0] = {LinkCosts::no_end, 30e-6, 84e-9};
    const RankPlacement layout(4, 1);
    CostTable table(layout);
    const Algorithm& pipeline = *find_algorithm("bcast", "pipeline:segment=8Ki", Implementation::openmpi);
    for (const std::size_t bytes : {std::size_t{64} << 10, std::size_t{1} << 20}) {
        const Call call{&layout, bytes};
        const double full = evaluate(pipeline.schedule(call), layout, p);
        EXPECT_NEAR(table.seconds(pipeline, call, p), full, 0.05 * full) << bytes;
    }
}

}  // namespace
