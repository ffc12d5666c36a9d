// SPDX-License-Identifier: MIT
// Names of compositions and their layers, which of them are legal where, and the search layer by layer.
#include "device_layers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace {

using namespace models;
using Names = std::vector<std::string>;

std::string error_of(const std::string& name) {
    try {
        parse_device_layers(name);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(DeviceLayers, HaveNames) {
    const DeviceLayers full = {
        "beta", "binomial", "release_gather", {{"tree_type", "knomial_1"}, {"k", "4"}}};
    EXPECT_EQ(to_string(full), "beta/binomial+release_gather:tree_type=knomial_1:k=4");
    EXPECT_EQ(parse_device_layers(to_string(full)), full);
    const DeviceLayers plain = {"alpha", "", "mpir"};
    EXPECT_EQ(to_string(plain), "alpha+mpir");
    EXPECT_EQ(parse_device_layers("alpha+mpir"), plain);
    EXPECT_TRUE(has_layers("alpha+mpir"));
    EXPECT_FALSE(has_layers("binomial"));
    EXPECT_FALSE(has_layers("mockup:reduce+bcast"));
    EXPECT_TRUE(is_variation("beta/binomial+mpir"));
    EXPECT_TRUE(is_variation("beta+release_gather:k=4"));
    EXPECT_FALSE(is_variation("alpha+mpir"));
    EXPECT_FALSE(is_variation("tsp_tree:k=4"));
}

TEST(DeviceLayers, ANameIsWhatRanAsFarAsItSays) {
    EXPECT_TRUE(is_what_ran("beta+mpir", "beta/binomial+mpir"));
    EXPECT_TRUE(is_what_ran("beta/binomial+mpir", "beta+mpir"));
    EXPECT_FALSE(is_what_ran("beta/ring+mpir", "beta/binomial+mpir"));
    EXPECT_FALSE(is_what_ran("alpha+mpir", "beta+mpir"));
    EXPECT_FALSE(is_what_ran("alpha+mpir", "alpha+release_gather"));
    EXPECT_FALSE(is_what_ran("alpha+mpir", "binomial"));
    EXPECT_FALSE(is_what_ran("alpha+mpir", "alpha+several")) << "the ways inside of nodes differ";
    EXPECT_TRUE(is_what_ran("binomial", "binomial"));
}

TEST(DeviceLayers, SayWhatIsWrongWithAName) {
    for (const char* name :
         {"", "+mpir", "alpha", "alpha+", "alpha/+mpir", "alpha+binomial", "binomial:k=4"}) {
        EXPECT_NE(error_of(name).find("COMPOSITION[/ALGORITHM]"), std::string::npos) << name;
    }
    EXPECT_NE(error_of("alpha+mpir:k=4").find("only release_gather has parameters"), std::string::npos);
    EXPECT_NE(error_of("alpha+release_gather:k").find("not name=value"), std::string::npos);
}

TEST(DeviceLayers, AreLegalWhereTheirPartsAre) {
    const Composition* gamma = find_composition("allreduce", "gamma");
    ASSERT_NE(gamma, nullptr);
    EXPECT_FALSE(problem_with(*gamma, release_gather, {1, 4}, false));
    EXPECT_EQ(problem_with(*gamma, release_gather, {2, 4}, true), "needs all ranks on one node");
    EXPECT_EQ(problem_with(*gamma, release_gather, {4, 1}, true), "needs several ranks on a node");
    EXPECT_TRUE(problem_with(*gamma, by_messages, {1, 4}, true)) << "nothing would be composed";
    EXPECT_EQ(problem_with(*find_composition("reduce", "beta"), by_messages, {2, 2}, false),
              "needs an operation that commutes");
    EXPECT_EQ(find_composition("bcast", "gamma"), nullptr) << "it has no part inside of nodes";
    EXPECT_EQ(flat_composition("bcast"), "gamma");
    EXPECT_EQ(flat_composition("allreduce"), "beta");
    EXPECT_EQ(flat_composition("alltoall"), "");
    for (const Composition& composition : compositions()) {
        EXPECT_NE(flat_composition(composition.collective), composition.name);
    }
}

TEST(DeviceLayers, FirstAreTheCompositions) {
    EXPECT_EQ(first_layers("bcast", {2, 2}),
              (Names{"alpha+release_gather", "alpha+mpir", "beta+release_gather", "beta+mpir"}));
    EXPECT_EQ(first_layers("allreduce", {2, 2}), (Names{"alpha+release_gather", "alpha+mpir"}));
    EXPECT_EQ(first_layers("allreduce", {1, 4}), (Names{"alpha+release_gather", "gamma+release_gather"}));
    EXPECT_EQ(first_layers("allreduce", {4, 1}), Names());
    EXPECT_EQ(first_layers("alltoall", {2, 2}), Names());
}

TEST(DeviceLayers, ThenWhatVariesTheBest) {
    const Names messages = {"binomial", "ring"};
    Names asked = {"binomial", "ring", "beta+release_gather", "beta+mpir"};
    const Names trees = next_layers("beta+release_gather", asked, messages, {2, 6});
    EXPECT_EQ(trees,
              (Names{"beta+release_gather:tree_type=kary:k=2", "beta+release_gather:tree_type=kary:k=4",
                     "beta+release_gather:tree_type=knomial_1:k=2",
                     "beta+release_gather:tree_type=knomial_1:k=4"}));
    asked.insert(asked.end(), trees.begin(), trees.end());
    const Names between = next_layers(trees[1], asked, messages, {2, 6});
    EXPECT_EQ(between, (Names{"beta/binomial+release_gather:tree_type=kary:k=4",
                              "beta/ring+release_gather:tree_type=kary:k=4"}));
    asked.insert(asked.end(), between.begin(), between.end());
    EXPECT_EQ(next_layers(between[1], asked, messages, {2, 6}), Names());
    EXPECT_EQ(next_layers("beta+release_gather", Names(), messages, {1, 2}), Names());
    EXPECT_EQ(next_layers("beta+mpir", Names(), messages, {2, 2}),
              (Names{"beta/binomial+mpir", "beta/ring+mpir"}));
}

// A call takes the sum of what its layers take: the search finds the best of the product, with a part of its
// candidates
TEST(DeviceLayers, InTurnFindTheBestOfTheProduct) {
    const std::map<std::string, double> seconds = {{"alpha", 3},          {"beta", 2},   {"", 2},
                                                   {"binomial", 1},       {"ring", 4},   {"mpir", 5},
                                                   {"release_gather", 2}, {"kary", 1.5}, {"knomial_1", 1}};
    const auto time_of = [&](const std::string& name) {
        if (!has_layers(name)) {
            return 9.0;
        }
        const DeviceLayers layers = parse_device_layers(name);
        double time =
            seconds.at(layers.composition) + seconds.at(layers.between) + seconds.at(layers.in_node);
        for (const auto& [key, value] : layers.parameters) {
            time += key == "k" ? std::stoi(value) / 10.0 - 0.4 : seconds.at(value) - 1.5;
        }
        return time;
    };
    const Names messages = {"binomial", "ring"};
    const NodesOfRanks where = {4, 16};
    const auto faster = [&](const std::string& a, const std::string& b) { return time_of(a) < time_of(b); };
    Names asked = messages;
    Names next = first_layers("bcast", where);
    while (!next.empty()) {
        asked.insert(asked.end(), next.begin(), next.end());
        next = next_layers(*std::min_element(asked.begin(), asked.end(), faster), asked, messages, where);
    }
    EXPECT_EQ(*std::min_element(asked.begin(), asked.end(), faster),
              "beta/binomial+release_gather:tree_type=knomial_1:k=2");
    EXPECT_EQ(std::set(asked.begin(), asked.end()).size(), asked.size());
    constexpr std::size_t product = 2 * 3 * (1 + 1 + 2 * 3);
    EXPECT_LT(asked.size(), product / 2);
}

}  // namespace
