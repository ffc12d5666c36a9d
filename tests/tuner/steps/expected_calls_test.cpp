// SPDX-License-Identifier: MIT
#include "expected_calls.hpp"

#include <gtest/gtest.h>

#include "cluster_file.hpp"

namespace {

using namespace tuner;
using namespace tuner::commands;

Cluster cluster_of_four() {
    return cluster_from(CheckedJson(Json{{"hosts", {"a", "b", "c", "d"}},
                                         {"networks", Json::array({{{"name", "eth"}}})},
                                         {"layouts", Json::array({{{"nodes", 4}, {"ppn", 1}}})}},
                                    "test"));
}

LinkParameters link_of(double latency, double seconds_per_byte) {
    LinkParameters link;
    link.network = "eth";
    link.link = Link::between_nodes;
    link.one_way = {{1, latency}, {1 << 20, latency + seconds_per_byte * (1 << 20)}};
    return link;
}

TEST(ExpectedCalls, HaveATimeForEachAlgorithmAndTheDefault) {
    const Cluster cluster = cluster_of_four();
    const NetworkParameters nothing;
    ExpectedCalls calls(cluster, nothing);
    const std::vector<double> bcast = calls.at("eth", {4, 1}, "bcast", 1024);
    EXPECT_EQ(bcast.size(), 5u) << "binomial, three of scatter and allgather, default";
    for (const double seconds : bcast) {
        EXPECT_GT(seconds, 1e-5);
        EXPECT_LT(seconds, 1e-2);
    }
    EXPECT_GT(calls.at("eth", {4, 2}, "bcast", 1024).size(), 5u) << "smp, too";
    EXPECT_GT(calls.at("eth", {4, 1}, "ibcast", 1024).size(), 1u);
    EXPECT_GT(calls.at("eth", {4, 1}, "scan", 1024).size(), 1u);
}

TEST(ExpectedCalls, FollowTheMessagesThatWereMeasured) {
    const Cluster cluster = cluster_of_four();
    const NetworkParameters fast = {link_of(1e-6, 1e-10)};
    const NetworkParameters slow = {link_of(1e-3, 1e-7)};
    ExpectedCalls on_fast(cluster, fast);
    ExpectedCalls on_slow(cluster, slow);
    for (const std::size_t bytes : {8, 1 << 20}) {
        const double ratio = on_slow.at("eth", {4, 1}, "bcast", bytes).back() /
                             on_fast.at("eth", {4, 1}, "bcast", bytes).back();
        EXPECT_NEAR(ratio, 1000, 10);
    }
}

}  // namespace
