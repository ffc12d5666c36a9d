// SPDX-License-Identifier: MIT
// The plans quick, standard, full and network.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "error.hpp"
#include "plan.hpp"

namespace {

using namespace tuner;

class NamedPlan : public testing::TestWithParam<const char*> {};

TEST_P(NamedPlan, IsTheSameAfterJson) {
    const Plan plan = plan_named(GetParam());
    EXPECT_EQ(plan.name, GetParam());
    EXPECT_EQ(plan_from(CheckedJson::parse(to_json(plan).dump(), "mine.json")), plan);
}

TEST_P(NamedPlan, IsComplete) {
    for (const PlannedCollective& collective : plan_named(GetParam()).collectives) {
        const bool combines = collective.name.find("reduce") != std::string::npos ||
                              collective.name.find("scan") != std::string::npos;
        EXPECT_EQ(collective.operation.empty(), !combines) << collective.name;
        EXPECT_EQ(collective.min_bytes % element_bytes(collective), 0u);
        EXPECT_EQ(collective.max_bytes % element_bytes(collective), 0u);
    }
}
INSTANTIATE_TEST_SUITE_P(Plans, NamedPlan, testing::Values("quick", "standard", "full", "network"));

TEST(NamedPlans, QuickHasWhatProgramsUseMost) {
    std::vector<std::string> names;
    for (const PlannedCollective& collective : plan_named("quick").collectives) {
        names.push_back(collective.name);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"bcast", "allreduce", "allgather", "alltoall"}));
}

TEST(NamedPlans, OnlyFullHasOtherOperations) {
    const auto others = [](const char* name) {
        const Plan plan = plan_named(name);
        return std::count_if(plan.collectives.begin(), plan.collectives.end(), [](const auto& collective) {
            return collective.operation == "user" || collective.operation == "ordered";
        });
    };
    EXPECT_EQ(others("standard"), 0);
    EXPECT_EQ(others("full"), 16);
}

TEST(NamedPlans, AFileNamesIt) {
    const std::string file = testing::TempDir() + "tiny.json";
    std::ofstream(file) << R"({"collectives": ["bcast"]})";
    EXPECT_EQ(plan_named(file).name, "tiny");
}

TEST(NamedPlans, NonblockingCollectivesAreInFullOnly) {
    const auto nonblocking = [](const char* name) {
        const Plan plan = plan_named(name);
        return std::count_if(plan.collectives.begin(), plan.collectives.end(),
                             [](const PlannedCollective& c) { return c.name.starts_with('i'); });
    };
    EXPECT_EQ(nonblocking("quick"), 0);
    EXPECT_EQ(nonblocking("standard"), 0);
    EXPECT_EQ(nonblocking("full"), 5 + 2 * 2) << "two of the five have three operations each";
}

TEST(NamedPlans, AnUnknownNameIsAnError) {
    try {
        plan_named("quik");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_NE(
            std::string(error.what()).find("there is no plan and no file 'quik'; did you mean 'quick'?"),
            std::string::npos)
            << error.what();
    }
}

}  // namespace
