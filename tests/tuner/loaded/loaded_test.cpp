// SPDX-License-Identifier: MIT
#include "loaded.hpp"

#include <gtest/gtest.h>

#include <random>

#include "example_config.hpp"

namespace {

using namespace tuner;

std::vector<double> times(double median, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(1, 0.02);
    std::vector<double> result;
    for (int i = 0; i < 30; ++i) {
        result.push_back(median * noise(random));
    }
    return result;
}

TEST(CompareLoaded, TellsFasterFromSlowerFromEqual) {
    const Rule rule = example_rule({4, 2}, "bcast", 1, 65536, "binomial");
    const auto sizes = compare_loaded({{rule, 1024, times(2e-3, 1), times(1e-3, 2)},
                                       {rule, 2048, times(1e-3, 3), times(2e-3, 4)},
                                       {rule, 4096, times(1e-3, 5), times(1e-3, 6)},
                                       {rule, 8192, times(1e-3, 7), {}}});
    ASSERT_EQ(sizes.size(), 3u);  // the last one was not measured in both
    EXPECT_TRUE(sizes[0].is_faster() && !sizes[0].is_slower());
    EXPECT_NEAR(sizes[0].ratio.ratio, 2, 0.1);
    EXPECT_TRUE(sizes[1].is_slower() && !sizes[1].is_faster());
    EXPECT_FALSE(sizes[2].is_slower() || sizes[2].is_faster());
    const std::string text = to_text(sizes);
    EXPECT_NE(text.find("4x2"), std::string::npos);
    EXPECT_NE(text.find("geometric mean of 3 sizes: "), std::string::npos) << text;
}

}  // namespace
