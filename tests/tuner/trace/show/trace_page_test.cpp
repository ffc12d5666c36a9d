// SPDX-License-Identifier: MIT
#include "trace_page.hpp"

#include <gtest/gtest.h>

#include "both_algorithms.hpp"
#include "error.hpp"

namespace {

using namespace tuner::trace;

TEST(TracePage, FiguresOfKindsAndComparisons) {
    const made_up::Loaded recorded(both_algorithms());
    const LoadedTrace& loaded = *recorded.loaded;
    const Kind& kind = loaded.analysis.kinds.front();
    const std::vector<SameCall> compared = same_calls({&loaded});
    ASSERT_EQ(compared.size(), 1U);
    EXPECT_EQ(compared[0].front().name, "ring") << "the fastest";
    const std::string page = html_page({loaded, {&kind}, {}}, compared);
    EXPECT_NE(page.find("<figure id=\"messages-1\">"), std::string::npos);
    EXPECT_NE(page.find("<figure id=\"compared-1\">"), std::string::npos);
    EXPECT_EQ(page.find("<pre"), std::string::npos);
}

TEST(TracePage, KindsAreChosenByAPartOfTheirName) {
    const made_up::Loaded recorded(both_algorithms(models::RankPlacement(2, 2)));
    EXPECT_EQ(chosen_kinds(*recorded.loaded, "").size(), 2U);
    ASSERT_EQ(chosen_kinds(*recorded.loaded, "/ring").size(), 1U);
    try {
        chosen_kinds(*recorded.loaded, "nothing like it");
        FAIL() << "no call has this name";
    } catch (const tuner::Error& error) {
        EXPECT_NE(std::string(error.what()).find("allgather/ring 4Ki 2x2"), std::string::npos)
            << "the names are listed: " << error.what();
    }
}

}  // namespace
