// SPDX-License-Identifier: MIT
#include "planned_collective.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"
#include "error.hpp"

namespace {

using namespace tuner;

std::string collective_error(const std::string& text) {
    try {
        collective_from(CheckedJson::parse(text, "mine.json"));
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        return error.what();
    }
    return "no error";
}

TEST(PlannedCollective, KnowsTheTableAndItsNonblockingVersions) {
    const std::vector<KnownCollective> known = known_collectives();
    const std::size_t blocking = models::collectives().size();
    ASSERT_GT(known.size(), blocking);
    for (std::size_t i = 0; i < known.size(); ++i) {
        EXPECT_EQ(known[i].is_nonblocking, i >= blocking) << known[i].name;
        EXPECT_EQ(known[i].name, (i >= blocking ? "i" : "") + std::string(known[i].row->name));
    }
    EXPECT_EQ(known_collective("iallreduce").row, models::find_collective("allreduce"));
    EXPECT_THROW(known_collective("ibarrier"), Error);
    EXPECT_TRUE(has_operation("ireduce"));
    EXPECT_FALSE(has_operation("bcast"));
    EXPECT_FALSE(has_operation("bcats"));
}

TEST(PlannedCollective, ANameGetsTheDefaults) {
    const auto of = [](const char* text) { return collective_from(CheckedJson::parse(text, "mine.json")); };
    EXPECT_EQ(of(R"("bcast")"), (PlannedCollective{"bcast", "", "", 8, 4 << 20}));
    EXPECT_EQ(of(R"("allgather")"), (PlannedCollective{"allgather", "", "", 8, (4 << 20) / 8}));
    EXPECT_EQ(of(R"("scan")"), (PlannedCollective{"scan", "float", "sum", 8, 4 << 20}));
    EXPECT_EQ(of(R"("barrier")"), (PlannedCollective{"barrier", "", "", 8, 8})) << "it has no message";
    EXPECT_EQ(of(R"({"name": "reduce", "operation": "ordered"})").operation, "ordered");
}

TEST(PlannedCollective, IsTheSameAfterJson) {
    for (const PlannedCollective& collective : {PlannedCollective{"bcast", "", "", 8, 64},
                                                PlannedCollective{"reduce", "double", "user", 16, 4096}}) {
        EXPECT_EQ(collective_from(CheckedJson(to_json(collective), "mine.json")), collective);
    }
}

TEST(PlannedCollective, SizesAreMultiplesOfTheDatatype) {
    EXPECT_EQ(element_bytes({"reduce", "double", "sum"}), 8u);
    EXPECT_EQ(element_bytes({"reduce", "double", "ordered"}), 4u) << "the benchmark has one datatype for it";
    EXPECT_EQ(element_bytes({"bcast", "", ""}), 1u);
    EXPECT_CONTAINS(collective_error(R"({"name": "scan", "max_bytes": 1001})"),
                    "max_bytes: 1001 bytes are not a multiple of the datatype's 4 bytes; write 1000");
}

TEST(PlannedCollective, MistakesAreNamed) {
    EXPECT_CONTAINS(collective_error(R"("bcats")"), "'bcats'");
    EXPECT_CONTAINS(collective_error(R"({"name": "bcast", "operation": "sum"})"), "bcast has no operation");
    EXPECT_CONTAINS(collective_error(R"({"name": "reduce", "datatype": "short"})"), "'short'");
    EXPECT_CONTAINS(collective_error(R"({"name": "bcast", "size": 8})"), "'size'");
}

}  // namespace
