// SPDX-License-Identifier: MIT
#include "plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "error.hpp"

namespace {

using namespace tuner;

Plan plan_of(const std::string& text) {
    return plan_from(CheckedJson::parse(text, "mine.json"));
}

std::string error_of(const std::string& text) {
    try {
        plan_of(text);
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        return error.what();
    }
    return "no error";
}

#define EXPECT_CONTAINS(text, part) EXPECT_NE(std::string(text).find(part), std::string::npos) << text

class NamedPlan : public testing::TestWithParam<const char*> {};

TEST_P(NamedPlan, IsTheSameAfterJson) {
    const Plan plan = plan_named(GetParam());
    EXPECT_EQ(plan.name, GetParam());
    EXPECT_EQ(plan_of(to_json(plan).dump()), plan);
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
INSTANTIATE_TEST_SUITE_P(Plans, NamedPlan, testing::Values("quick", "standard", "full"));

TEST(Plan, QuickHasWhatProgramsUseMost) {
    std::vector<std::string> names;
    for (const PlannedCollective& collective : plan_named("quick").collectives) {
        names.push_back(collective.name);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"bcast", "allreduce", "allgather", "alltoall"}));
}

TEST(Plan, OnlyFullHasOtherOperations) {
    const auto others = [](const char* name) {
        const Plan plan = plan_named(name);
        return std::count_if(plan.collectives.begin(), plan.collectives.end(), [](const auto& collective) {
            return collective.operation == "user" || collective.operation == "ordered";
        });
    };
    EXPECT_EQ(others("standard"), 0);
    EXPECT_EQ(others("full"), 16);
}

TEST(Plan, APlanOfOnesOwn) {
    const Plan plan = plan_of(R"({
        "collectives": ["bcast", {"name": "reduce", "datatype": "double", "min_bytes": 64, "max_bytes": "2Mi"}],
        "budget_seconds": "10m", "case_seconds": 0.5, "size_step": 4 // all else as in standard
    })");
    ASSERT_EQ(plan.collectives.size(), 2u);
    EXPECT_EQ(plan.collectives[0].name, "bcast");
    EXPECT_EQ(plan.collectives[1], (PlannedCollective{"reduce", "double", "sum", 64, 2 << 20}));
    EXPECT_EQ(plan.budget_seconds, 600);
    EXPECT_EQ(plan.case_seconds, 0.5);
    EXPECT_EQ(plan.size_step, 4);
    EXPECT_EQ(plan.precision, plan_named("standard").precision);
}

TEST(Plan, OnlyTheCollectivesThatAreNamed) {
    const auto with = [](const char* plan, const std::vector<std::string>& names) {
        return with_collectives(plan_named(plan), names);
    };
    const Plan plan = with("quick", {"iallreduce", "bcast", "bcast"});
    ASSERT_EQ(plan.collectives.size(), 2U);
    EXPECT_EQ(plan.collectives[0], plan_named("quick").collectives[0]) << "as the plan has it";
    EXPECT_EQ(plan.collectives[1], (PlannedCollective{"iallreduce", "float", "sum", 8, 1 << 20}));
    EXPECT_EQ(plan.budget_seconds, plan_named("quick").budget_seconds);
    EXPECT_EQ(with("standard", {"ialltoall"}).collectives[0].max_bytes, (4U << 20) / 8);
    EXPECT_EQ(with("full", {"ireduce"}).collectives.size(), 3U) << "one for each operation";
    EXPECT_EQ(with_collectives(plan, {"bcast", "iallreduce"}), plan);
    EXPECT_THROW(with("quick", {"icast"}), Error);
}

TEST(Plan, AFileNamesIt) {
    const std::string file = testing::TempDir() + "tiny.json";
    std::ofstream(file) << R"({"collectives": ["bcast"]})";
    EXPECT_EQ(plan_named(file).name, "tiny");
}

TEST(Plan, MistakesNameThePlaceAndTheRemedy) {
    EXPECT_CONTAINS(error_of(R"({"colectives": []})"),
                    "mine.json: there is no key 'colectives'; did you mean 'collectives'?");
    EXPECT_CONTAINS(error_of(R"({"collectives": ["bcats"]})"),
                    "collectives[0]: 'bcats' is not possible here");
    EXPECT_CONTAINS(error_of(R"({"collectives": ["bcast", "bcast"]})"), "bcast is there twice");
    EXPECT_CONTAINS(error_of(R"({"collectives": [{"name": "bcast", "operation": "sum"}]})"),
                    "has no operation");
    EXPECT_CONTAINS(error_of(R"({"collectives": [{"name": "bcast", "max_bytes": "3Gi"}]})"),
                    "collectives[0].max_bytes: 3221225472 bytes are not possible");
    EXPECT_CONTAINS(error_of(R"({"collectives": [{"name": "bcast", "max_bytes": 2147483649}]})"), "2 GiB");
    EXPECT_CONTAINS(error_of(R"({"collectives": [{"name": "bcast", "max_bytes": "lots"}]})"),
                    "'lots' is not a message size");
    EXPECT_CONTAINS(
        error_of(R"({"collectives": [{"name": "bcast", "min_bytes": "2Ki", "max_bytes": "1Ki"}]})"),
        "min_bytes 2048 is above max_bytes 1024");
    EXPECT_CONTAINS(error_of(R"({"collectives": [{"name": "scan", "max_bytes": 1001}]})"),
                    "not a multiple of an element of 4 bytes");
    EXPECT_CONTAINS(error_of(R"({"size_step": 1})"), "size_step: 1 is not possible here");
    EXPECT_CONTAINS(error_of(R"({"size_step": "8"})"), "size_step: a number is needed");
    EXPECT_CONTAINS(error_of(R"({"budget_seconds": "10"})"), "'10' is not a time");
    EXPECT_CONTAINS(error_of(R"({"min_repetitions": 2})"), "min_repetitions: 2 is not possible here");
    try {
        plan_named("quik");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_CONTAINS(error.what(), "there is no plan and no file 'quik'; did you mean 'quick'?");
    }
}

}  // namespace
