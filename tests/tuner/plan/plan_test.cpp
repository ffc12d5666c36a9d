// SPDX-License-Identifier: MIT
#include "plan.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"
#include "error.hpp"

namespace {

using namespace tuner;

Plan plan_of(const std::string& text) {
    return plan_from(CheckedJson::parse(text, "mine.json"));
}

std::string plan_error(const std::string& text) {
    try {
        plan_of(text);
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        return error.what();
    }
    return "no error";
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

TEST(Plan, CommunicatorsAtOnce) {
    EXPECT_EQ(plan_named("standard").communicators, std::vector<models::Communicators>(1))
        << "only the world";
    const Plan plan = plan_of(R"({"communicators": ["rows:2", "world"]})");
    ASSERT_EQ(plan.communicators.size(), 2U);
    EXPECT_EQ(models::to_string(plan.communicators[0]), "rows:2");
    EXPECT_EQ(plan_from(CheckedJson(to_json(plan), "plan.json")), plan);
    EXPECT_CONTAINS(plan_error(R"({"communicators": ["rows"]})"), "communicators[0]: 'rows': expected world");
    EXPECT_CONTAINS(plan_error(R"({"communicators": ["world", "world"]})"), "[1]: is listed twice");
    EXPECT_CONTAINS(plan_error(R"({"communicators": []})"), "at least one element");
}

TEST(Plan, PatternsOfArrival) {
    EXPECT_EQ(plan_named("standard").arrivals.size(), 6U);
    ASSERT_EQ(plan_named("quick").arrivals.size(), 1U);
    EXPECT_EQ(plan_named("quick").arrivals, plan_of(R"({"arrivals": ["ascending:2"]})").arrivals);
    EXPECT_EQ(plan_of(R"({"collectives": ["bcast"]})").arrivals, plan_named("standard").arrivals);
    EXPECT_TRUE(plan_of(R"({"arrivals": []})").arrivals.empty());
    const Plan plan = plan_of(R"({"arrivals": ["half", "by-node:1.5"]})");
    ASSERT_EQ(plan.arrivals.size(), 2U);
    EXPECT_EQ(models::to_string(plan.arrivals[0]), "half:1");
    EXPECT_EQ(plan.arrivals[1].width, 1.5);
    EXPECT_EQ(plan_from(CheckedJson(to_json(plan), "plan.json")), plan);
    EXPECT_CONTAINS(plan_error(R"({"arrivals": ["late"]})"),
                    "arrivals[0]: there is no arrival pattern 'late'");
    EXPECT_CONTAINS(plan_error(R"({"arrivals": ["half", "half:1"]})"), "arrivals[1]: is listed twice");
    EXPECT_CONTAINS(plan_error(R"({"arrivals": ["back-to-back"]})"), "calls in a row are verified");
}

TEST(Plan, WhatRulesMustKeep) {
    EXPECT_FALSE(plan_named("quick").guidelines);
    const Plan plan = plan_of(R"({"collectives": ["bcast"]})");
    EXPECT_TRUE(plan.guidelines);
    EXPECT_EQ(plan.max_memory, 0U);
    EXPECT_FALSE(plan_of(R"({"guidelines": false})").guidelines);
    EXPECT_EQ(plan_of(R"({"max_memory": "16Mi"})").max_memory, 16U << 20);
    EXPECT_EQ(plan_of(R"({"max_memory": 100})").max_memory, 100U);
    EXPECT_CONTAINS(plan_error(R"({"max_memory": "much"})"), "'much' is not a message size");
}

TEST(Plan, PatternsThatTakeTurnsInTheSearch) {
    EXPECT_TRUE(plan_named("standard").mix.empty());
    const Plan plan = plan_of(R"({"mix": ["together", "together", "one-late:0.5"]})");
    EXPECT_EQ(models::to_string(plan.mix), "together+together+one-late:0.5");
    EXPECT_EQ(plan_from(CheckedJson(to_json(plan), "plan.json")), plan);
    EXPECT_CONTAINS(plan_error(R"({"mix": ["late"]})"), "mix[0]: there is no arrival pattern 'late'");
    EXPECT_CONTAINS(plan_error(R"({"mix": ["back-to-back"]})"), "mix[0]: calls in a row cannot take turns");
    EXPECT_CONTAINS(plan_error(R"({"arrivals": ["recorded"]})"), "tune --profile");
}

TEST(Plan, MistakesNameThePlaceAndTheRemedy) {
    EXPECT_CONTAINS(plan_error(R"({"colectives": []})"),
                    "mine.json: there is no key 'colectives'; did you mean 'collectives'?");
    EXPECT_CONTAINS(plan_error(R"({"collectives": ["bcats"]})"),
                    "collectives[0]: 'bcats' is not allowed here");
    EXPECT_CONTAINS(plan_error(R"({"collectives": ["bcast", "bcast"]})"), "bcast is listed twice");
    EXPECT_CONTAINS(plan_error(R"({"size_step": 1})"),
                    "size_step: expected a number from 1.05 to 1000000, got 1");
    EXPECT_CONTAINS(plan_error(R"({"size_step": "8"})"), "size_step: expected a number, got");
    EXPECT_CONTAINS(plan_error(R"({"budget_seconds": "10"})"), "'10' is not a time");
    EXPECT_CONTAINS(plan_error(R"({"min_repetitions": 2})"), "min_repetitions: 2 is not allowed here");
}

TEST(Plan, NothingToMeasureIsAMistake) {
    EXPECT_CONTAINS(plan_error(R"({"collectives": []})"), "collectives");
    EXPECT_CONTAINS(plan_error(R"({"collectives": [], "exchanges": []})"), "collectives");
    EXPECT_EQ(plan_of(R"({"exchanges": []})").collectives, plan_named("standard").collectives);
    EXPECT_TRUE(plan_of(R"({"exchanges": ["ring"]})").collectives.empty());
    EXPECT_CONTAINS(plan_error(R"({"exchanges": ["ring", "ring"]})"), "exchanges[1]: ring is listed twice");
}

}  // namespace
