// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "html.hpp"
#include "map_data.hpp"
#include "written_section.hpp"

namespace {

using namespace tuner::report;

std::string layouts_section(const ReportData& data) {
    Html html;
    layouts(html, {data, tables_of(data), figures_of(data)});
    return html.markup;
}

TEST(PageLayouts, HasAMapWithItsKey) {
    const std::string page = layouts_section(map_data::ranges());
    EXPECT_TRUE(contains(page, "<figure id=\"layouts-allgather-eth\">"));
    EXPECT_TRUE(contains(page, "data-kind=\"layouts\""));
    EXPECT_TRUE(contains(page, "hatched: beyond what was measured</span>"));
    EXPECT_FALSE(contains(page, "No map"));
}

TEST(PageLayouts, ManyMapsAreFolded) {
    ReportData data = map_data::ranges();
    const std::vector<tuner::Rule> rules = data.config.rules;
    for (int i = 0; i < 7; ++i) {
        for (tuner::Rule rule : rules) {
            rule.collective = "other" + std::to_string(i);
            data.config.rules.push_back(rule);
        }
    }
    const std::string page = layouts_section(data);
    EXPECT_TRUE(contains(page, "<details><summary>other6 on eth: which rule on which layout</summary>"));
    EXPECT_FALSE(contains(page, "<summary>allgather"));
}

TEST(PageLayouts, WithoutMapsItSaysWhy) {
    const ReportRun run;
    run.decide(true);
    const std::string page = written(layouts, run);
    EXPECT_TRUE(contains(page, "No map: "));
    EXPECT_FALSE(contains(page, "<figure"));
}

}  // namespace
