// SPDX-License-Identifier: MIT
#include "stock_target.hpp"

#include <gtest/gtest.h>

#include "error.hpp"
#include "files.hpp"

namespace {

using namespace tuner;

TEST(StockTarget, IsFoundByItsNameAndByTheVersionOfALibrary) {
    EXPECT_STREQ(find_stock_target("4.2").name, "4.2");
    EXPECT_STREQ(find_stock_target("4.2.1").name, "4.2");
    EXPECT_STREQ(stock_target_of("MPICH Version: 5.0.2;MPICH Release date: ...").name, "5.0");
    EXPECT_STREQ(stock_target_of("MPICH Version:      4.1.3").name, "4.1");
    EXPECT_STREQ(stock_target_of("Open MPI v4.1.4").name, "4.0");
    for (const char* wrong : {"", "4", "3.4", "4.22", "ch4"}) {
        EXPECT_THROW(find_stock_target(wrong), Error) << wrong;
    }
}

TEST(StockTarget, ItsTreeIsThatOfTheRelease) {
    const Json own = Json::parse(read_file(MPICH_TREE), nullptr, true, true);
    const Json later = Json::parse(read_file(TESTS_DATA "/mpich-trees/4.2.1.json"));
    EXPECT_EQ(tree_of(find_stock_target("4.0")), own);
    for (const char* release : {"4.1", "4.2", "4.3", "5.0"}) {
        EXPECT_EQ(tree_of(find_stock_target(release)), later) << release;
    }
    EXPECT_NE(own, later);
}

TEST(StockTarget, TheBarrierHasTheNameOfTheRelease) {
    EXPECT_EQ(algorithm_leaf(find_stock_target("4.0"), "barrier", "dissemination").dump(),
              R"({"algorithm=MPIR_Barrier_intra_dissemination":{}})");
    EXPECT_EQ(algorithm_leaf(find_stock_target("5.0"), "barrier", "dissemination").dump(),
              R"({"algorithm=MPIR_Barrier_intra_k_dissemination":{"k=2":{}}})");
    EXPECT_EQ(algorithm_leaf(find_stock_target("5.0"), "reduce_scatter", "pairwise").dump(),
              R"({"algorithm=MPIR_Reduce_scatter_intra_pairwise":{}})");
}

}  // namespace
