// SPDX-License-Identifier: MIT
#include "machine.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace {

using namespace tuner;

TEST(NowUtc, IsIso8601) {
    EXPECT_TRUE(std::regex_match(now_utc(), std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"))) << now_utc();
}

TEST(EnvironmentOfThisMachine, SaysWhatItIs) {
    const Json environment = environment_of_this_machine();
    ASSERT_TRUE(environment.is_object());
    EXPECT_NE(environment.dump().find("Linux"), std::string::npos) << environment.dump();
}

// The fingerprint changes with what the results depend on, and with nothing else
TEST(FingerprintOf, FollowsTheCluster) {
    const Cluster cluster = this_machine();
    EXPECT_EQ(fingerprint_of(cluster), fingerprint_of(cluster));
    Cluster other = cluster;
    other.networks[0].name = "other";
    EXPECT_NE(fingerprint_of(cluster), fingerprint_of(other));
}

}  // namespace
