// SPDX-License-Identifier: MIT
#include "text_table.hpp"

#include <gtest/gtest.h>

namespace {

TEST(TextTable, AlignsTheFirstColumnLeftAndTheOthersRight) {
    tuner::TextTable table({"name", "us"});
    EXPECT_FALSE(table.has_rows());
    table.add({"ring", "12.5"});
    table.add({"recursive doubling", "3"});
    EXPECT_TRUE(table.has_rows());
    EXPECT_EQ(table.text(),
              "  name                  us\n"
              "  ring                12.5\n"
              "  recursive doubling     3\n");
}

}  // namespace
