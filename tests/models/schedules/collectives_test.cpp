// SPDX-License-Identifier: MIT
#include "collectives.hpp"

#include <gtest/gtest.h>

#include <set>

#include "schedule.hpp"

namespace {

using namespace models;

TEST(Collectives, AreFoundByName) {
    ASSERT_NE(find_collective("reduce"), nullptr);
    EXPECT_TRUE(find_collective("reduce")->combines);
    EXPECT_TRUE(find_collective("reduce")->has_root);
    EXPECT_EQ(find_collective("reduce_to_all"), nullptr);
}

TEST(Collectives, AreListedOnce) {
    std::set<std::string_view> names;
    std::set<int> numbers;
    for (const Collective& row : collectives()) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name << " is listed twice";
        EXPECT_TRUE(numbers.insert(row.openmpi.number).second) << row.name;
        EXPECT_FALSE(row.size.meaning.empty()) << row.name;
    }
    EXPECT_GE(names.size(), 14U);
}

TEST(Collectives, IncludeEveryOneWithASchedule) {
    for (const Implementation library : {Implementation::mpich, Implementation::openmpi}) {
        ASSERT_FALSE(algorithms(library).empty());
        for (const Algorithm& algorithm : algorithms(library)) {
            EXPECT_NE(find_collective(algorithm.collective), nullptr) << algorithm.collective;
        }
    }
}

TEST(Collectives, CanHaveOneMoreInATest) {
    const Collective* const bcast = find_collective("bcast");
    {
        const AddedCollective added(
            {.name = "neighbor_allgather", .size = {.meaning = "bytes for one neighbour"}});
        ASSERT_NE(find_collective("neighbor_allgather"), nullptr);
        EXPECT_EQ(find_collective("bcast"), bcast) << "rows stay where they are";
    }
    EXPECT_EQ(find_collective("neighbor_allgather"), nullptr);
}

}  // namespace
