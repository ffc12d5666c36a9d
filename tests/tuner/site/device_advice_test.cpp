// SPDX-License-Identifier: MIT
#include "device_advice.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

const ProposedNetwork ethernet = {"eth0", "10.1.0.0/16", 1000};
const ProposedNetwork infiniband = {"ib0", "10.2.0.0/16", 100000};

TEST(DeviceAdvice, SaysWhichDevicesSuitTheNetwork) {
    EXPECT_EQ(device_advice("ch3:sock", {infiniband, ethernet}),
              "the device of this MPICH is ch3:sock, for more ranks than cores. With a core for each rank, "
              "take ch4:ucx or "
              "ch4:ofi for InfiniBand or Omni-Path (ib0) (mpich-patches/README.md, Devices)");
    EXPECT_EQ(
        device_advice("ch3:nemesis", {ethernet, infiniband}),
        "the device of this MPICH is ch3:nemesis; take ch4:ucx or ch4:ofi for InfiniBand or Omni-Path (ib0) "
        "(mpich-patches/README.md, Devices)");
    EXPECT_NE(
        device_advice("ch4:ucx", {{"hsn0", "10.3.0.0/16", 200000}}).find("take ch4:ofi for Slingshot (hsn0)"),
        std::string::npos);
}

TEST(DeviceAdvice, IsNotNeededWhereTheDeviceSuits) {
    EXPECT_EQ(device_advice("ch4:ucx", {infiniband}), "");
    EXPECT_EQ(device_advice("ch3:nemesis", {ethernet}), "");
    EXPECT_EQ(device_advice("ch4:ofi", {}), "") << "one node";
}

TEST(DeviceAdvice, OfRanksThatSleepIsForOneNodeToo) {
    EXPECT_NE(device_advice("ch3:sock", {}).find("take ch3:nemesis or ch4:ofi or ch4:ucx (mpich"),
              std::string::npos);
}

TEST(DeviceAdvice, IsAboutTheDeviceThatWasBuilt) {
    EXPECT_EQ(std::string(built_device).substr(0, 2), "ch");
}

}  // namespace
