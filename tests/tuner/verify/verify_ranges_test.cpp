// SPDX-License-Identifier: MIT
#include "verify_ranges.hpp"

#include <gtest/gtest.h>

#include "layout_library.hpp"

namespace {

using tuner::Layout;
using tuner::Rule;

// As many as are verified together, twice; those of more worth last
tuner::Config many_ranges() {
    tuner::Config config;
    for (std::size_t i = 0; i < 2 * tuner::ranges_at_once; ++i) {
        Rule rule;
        rule.network = "eth";
        rule.collective = "bcast";
        rule.algorithm = "smp";
        rule.where = {{2, 8}, {2, 4}, {}, {}};
        rule.from_bytes = 1000 * (i + 1);
        rule.to_bytes = rule.from_bytes + 999;
        rule.basis = "between";
        rule.worth = static_cast<double>(i);
        config.rules.push_back(rule);
    }
    return config;
}

std::vector<std::size_t> proven(const tuner::Config& config, LayoutLibrary& library) {
    tuner::Verification result;
    tuner::verify_ranges(config, {}, tuner::Plan{}, std::ref(library), {{8, 4}, 1}, result);
    std::vector<std::size_t> sizes;
    for (const Rule& rule : result.rules) {
        sizes.push_back(rule.from_bytes / 1000);
    }
    return sizes;
}

TEST(VerifyRanges, ThoseOfMostWorthComeFirst) {
    const tuner::Config config = many_ranges();
    LayoutLibrary library{[](const Layout&, std::size_t) { return 0.5; }};
    const std::size_t enough = library.requests_left;
    EXPECT_EQ(proven(config, library).size(), 2 * tuner::ranges_at_once);
    LayoutLibrary brief = {library.seconds};
    brief.requests_left = (enough - library.requests_left) / 2;
    const std::vector<std::size_t> first = proven(config, brief);
    EXPECT_EQ(first.size(), tuner::ranges_at_once);
    EXPECT_EQ(first.front(), tuner::ranges_at_once + 1) << "in their order, without the first ones";
}

TEST(VerifyRanges, HaveJobsInCommon) {
    LayoutLibrary library{[](const Layout&, std::size_t) { return 0.5; }};
    proven(many_ranges(), library);
    EXPECT_LE(library.jobs, 2 * 2 * tuner::fewest_jobs) << "of 3 for each of 16 rules";
}

}  // namespace
