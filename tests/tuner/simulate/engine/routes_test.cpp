// SPDX-License-Identifier: MIT
#include "routes.hpp"

#include <gtest/gtest.h>

#include "star.hpp"

namespace {

using namespace tuner;

TEST(Routes, HaveTheLatencyAndTheLeastBandwidthOfTheirLinks) {
    const auto hosts = hosts_of_star(3);
    Routes routes(hosts, 0);
    EXPECT_DOUBLE_EQ(routes.bytes_per_second(), 12.5e6);
    EXPECT_DOUBLE_EQ(routes.latency(0, 2), 30e-6);
    EXPECT_DOUBLE_EQ(routes.latency(0, 2), 30e-6) << "remembered";
    EXPECT_DOUBLE_EQ(Routes(hosts, 1e6).bytes_per_second(), 1e6) << "one interface of several";
}

}  // namespace
