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

// What is missing in a leaf of these is not defined
TEST(StockTarget, LeavesOfLaterAlgorithmsHaveAllParameters) {
    EXPECT_EQ(algorithm_leaf(find_stock_target("4.2"), "allreduce", "recexch:k=4").dump(),
              R"({"algorithm=MPIR_Allreduce_intra_recexch":{"k=4":{},"single_phase_recv=0":{}}})");
    const std::string leaf =
        algorithm_leaf(find_stock_target("4.2"), "bcast", "pipelined_tree:chunk_size=64Ki").dump();
    EXPECT_EQ(leaf, R"({"algorithm=MPIR_Bcast_intra_pipelined_tree":{"tree_type=0":{},"k=2":{},)"
                    R"("is_non_blocking=1":{},"chunk_size=65536":{},"recv_pre_posted=0":{}}})");
    EXPECT_NE(algorithm_leaf(find_stock_target("5.0"), "bcast", "tree").dump().find("tree_type=kary"),
              std::string::npos);
}

TEST(StockTarget, AlgorithmsThatAReleaseDoesNotHaveAreNotFound) {
    const auto found = [](const char* target, const char* collective, const char* algorithm) {
        return find_later_algorithm(find_stock_target(target), collective,
                                    models::AlgorithmName(algorithm)) != nullptr;
    };
    EXPECT_TRUE(found("4.1", "allreduce", "tree:tree_type=knomial_2:k=3"));
    EXPECT_FALSE(found("4.0", "allreduce", "tree"));
    EXPECT_FALSE(found("4.2", "allreduce", "recursive_multiplying"));
    EXPECT_TRUE(found("4.3", "allreduce", "recursive_multiplying"));
    for (const char* wrong : {"tree:nosuch=1", "tree:k=x", "tree:k=4Gi", "tree:tree_type=oak"}) {
        EXPECT_FALSE(found("5.0", "allreduce", wrong)) << wrong;
    }
}

}  // namespace
