// SPDX-License-Identifier: MIT
#include "algorithm_name.hpp"

#include <gtest/gtest.h>

namespace {

using models::AlgorithmName;
using Parameters = std::vector<std::pair<std::string, std::string>>;

TEST(AlgorithmName, HasParametersInTheirOrder) {
    EXPECT_EQ(AlgorithmName("binomial").algorithm, "binomial");
    EXPECT_EQ(AlgorithmName("binomial").parameters, Parameters());
    const AlgorithmName name("tsp_tree:tree_type=knomial_1:k=4:chunk_size=16Ki");
    EXPECT_EQ(name.algorithm, "tsp_tree");
    EXPECT_EQ(name.parameters, (Parameters{{"tree_type", "knomial_1"}, {"k", "4"}, {"chunk_size", "16Ki"}}));
}

TEST(AlgorithmName, RefusesWhatIsNoParameter) {
    for (const char* text :
         {"tree:", "tree:k", "tree:k=", "tree:=4", "tree:k=4:", "tree::k=4", "tree:k=4:k=8"}) {
        EXPECT_THROW(AlgorithmName{text}, std::invalid_argument) << text;
    }
}

}  // namespace
