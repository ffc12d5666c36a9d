// SPDX-License-Identifier: MIT
// Half the round trip, rates and the eager limit, of made-up results.
#include "derived.hpp"

#include <gtest/gtest.h>

namespace {

using namespace bench;

const Elements bytes_of_any_kind = {"byte", "sum", MPI_BYTE, MPI_OP_NULL, 1, nullptr, nullptr};

GroupSpec group_of(const char* pattern, std::size_t bytes, std::vector<double> parameters,
                   std::vector<Pair> pairs) {
    GroupSpec group = {find_pattern(pattern), bytes, {}, &bytes_of_any_kind};
    group.parameters = std::move(parameters);
    group.pairs = std::move(pairs);
    group.ranks = 8;
    return group;
}

// With medians of `seconds` and `values`
CaseResult result_of(const std::string& algorithm, double seconds, const std::vector<double>& values = {}) {
    CaseResult result;
    result.algorithm = algorithm;
    std::vector<double> more = values;
    for (double& value : more) {
        value *= 2;
    }
    result.repetitions = {
        {seconds / 2, {}, {}, values}, {seconds, {}, {}, values}, {9 * seconds, {}, {}, more}};
    return result;
}

std::map<std::string, double> by_name(const GroupSpec& group, const CaseResult& result) {
    std::map<std::string, double> values;
    for (const Derived& d : derived(group, result)) {
        values[d.name] = d.value;
    }
    EXPECT_EQ(values.size(), derived_names(*group.pattern).size());
    return values;
}

TEST(Derived, APingPongHasHalfTheRoundTripAndTwoMessagesInIt) {
    auto values = by_name(group_of("ping_pong", 1000, {1, 0}, {{0, 1}}), result_of("send", 1e-3));
    EXPECT_DOUBLE_EQ(values["half_us"], 500);
    EXPECT_DOUBLE_EQ(values["megabytes_per_s"], 2);
    EXPECT_DOUBLE_EQ(values["messages_per_s"], 2000);
}

TEST(Derived, AWindowCountsInEveryDirectionAndPair) {
    const std::vector<Pair> pairs = {{0, 4}, {1, 5}, {2, 6}};
    const GroupSpec group = group_of("bandwidth", 1000, {10}, pairs);
    EXPECT_DOUBLE_EQ(by_name(group, result_of("one_direction", 1e-3))["messages_per_s"], 30000);
    EXPECT_DOUBLE_EQ(by_name(group, result_of("both_directions", 1e-3))["megabytes_per_s"], 60);
}

TEST(Derived, ACollectiveHasNone) {
    EXPECT_TRUE(by_name(group_of("bcast", 1000, {}, {}), result_of("default", 1e-3)).empty());
}

TEST(Derived, ThePatternsOwnValuesAreMedians) {
    auto values =
        by_name(group_of("availability", 8, {1.05, 2}, {{0, 1}}), result_of("irecv", 1e-3, {20, 0.98}));
    EXPECT_DOUBLE_EQ(values["overhead_us"], 20);
    EXPECT_DOUBLE_EQ(values["availability"], 0.98);
}

TEST(EagerLimits, AreFoundForEachAlgorithmWhateverTheOrder) {
    EagerLimits limits;
    for (const std::size_t bytes : {262144, 1024, 65536}) {
        const GroupSpec group = group_of("availability", bytes, {1.05, 2}, {{0, 1}});
        limits.add(group, result_of("isend", 1e-3, {900, 0.1}));
        limits.add(group, result_of("irecv", 1e-3, {20, bytes > 65536 ? 0.02 : 0.98}));
    }
    limits.add(group_of("availability", 4096, {1.05, 2}, {{0, 1}}), CaseResult());
    const auto found = limits.found();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].algorithm, "irecv");
    EXPECT_EQ(found[0].fall.before.bytes, 65536U);
    EXPECT_EQ(found[0].fall.after.bytes, 262144U);
}

}  // namespace
