// SPDX-License-Identifier: MIT
#include "case_json.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

TEST(CaseJson, NamesACaseBehindWhatIsThere) {
    Json object = {{"median_us", 12.5}};
    add_case(object, {Stage::search, "eth", {4, 2, Mapping::round_robin}, "allreduce sum", "ring", 4096});
    EXPECT_EQ(object.dump(), R"({"median_us":12.5,"network":"eth","nodes":4,"ppn":2,"mapping":"round-robin",)"
                             R"("case":"allreduce sum","way":"ring","bytes":4096})");
}

}  // namespace
