// SPDX-License-Identifier: MIT
#include "layout_maps.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "map_data.hpp"

namespace {

using namespace tuner;
using namespace tuner::report;

// The field of a layout at a size, which must be on the map
MapField map_field(const LayoutMap& map, std::size_t bytes, int nodes, int ppn) {
    const auto step = [](const std::vector<CountStep>& steps, int count) {
        const auto found = std::find_if(steps.begin(), steps.end(), [&](const CountStep& s) {
            return s.first <= count && count <= s.last;
        });
        return static_cast<std::size_t>(found - steps.begin());
    };
    const auto size = std::find(map.sizes.begin(), map.sizes.end(), bytes);
    return {static_cast<std::size_t>(size - map.sizes.begin()), step(map.ppn, ppn), step(map.nodes, nodes)};
}

std::string algorithm_at(const LayoutMap& map, std::size_t bytes, int nodes, int ppn) {
    const Rule* rule = map.rule(map_field(map, bytes, nodes, ppn));
    return rule == nullptr ? "" : rule->algorithm + " " + rule->basis;
}

std::vector<std::string> step_names(const std::vector<CountStep>& steps) {
    std::vector<std::string> names;
    for (const CountStep& step : steps) {
        names.push_back(to_string(step));
    }
    return names;
}

TEST(LayoutMaps, EveryFieldHasTheRuleThatHoldsThere) {
    const ReportData data = map_data::ranges();
    const std::vector<LayoutMap> maps = layout_maps(data);
    ASSERT_EQ(maps.size(), 1U) << "round-robin chooses nothing else";
    const LayoutMap& map = maps[0];
    EXPECT_EQ(map.collective + map.network, "allgathereth");
    for (std::size_t i = 0; i < map.sizes.size(); ++i) {
        for (int nodes = 1; nodes <= 20; ++nodes) {
            for (int ppn = 1; ppn <= 3; ++ppn) {
                const Rule* rule = find_rule(data.config, "eth", {nodes, ppn}, "allgather", map.sizes[i]);
                EXPECT_EQ(algorithm_at(map, map.sizes[i], nodes, ppn),
                          rule == nullptr ? "" : rule->algorithm + " " + rule->basis)
                    << nodes << "x" << ppn << " " << map.sizes[i];
            }
        }
    }
    EXPECT_EQ(algorithm_at(map, 1024, 8, 3), "ring measured");
    EXPECT_EQ(algorithm_at(map, 1024, 3, 2), "ring between");
    EXPECT_EQ(algorithm_at(map, 1024, 17, 1), "brucks beyond");
    EXPECT_EQ(algorithm_at(map, 1024, 19, 1), "");
}

TEST(LayoutMaps, StepsEndWhereRulesEnd) {
    const LayoutMap map = layout_maps(map_data::ranges()).at(0);
    EXPECT_EQ(step_names(map.ppn), (std::vector<std::string>{"1", "2", "3"}));
    const std::vector<std::string> nodes = step_names(map.nodes);
    ASSERT_EQ(nodes.size(), 18U);
    EXPECT_EQ(nodes[16], "17-18") << "17 to 20 would be one step of the cluster; the rule ends at 18";
    EXPECT_EQ(nodes[17], "19-20");
}

TEST(LayoutMaps, SizesAreThoseAtWhichALayoutHasARule) {
    const LayoutMap map = layout_maps(map_data::ranges()).at(0);
    EXPECT_EQ(map.sizes, (std::vector<std::size_t>{1024, 2048, 8192, 16384, 65536}))
        << "measured from 64 bytes on, but no rule holds below 1024";
    ReportData data = map_data::ranges();
    data.config.rules = {map_data::rule("between", {{2, 8}, {1, 3}, {}, {}}, 1100, 1900, "ring")};
    EXPECT_EQ(layout_maps(data).at(0).sizes, std::vector<std::size_t>{1100}) << "no power of two is in it";
}

TEST(LayoutMaps, KnowsWhatWasMeasuredAndWhatIsNoJob) {
    const LayoutMap map = layout_maps(map_data::ranges()).at(0);
    EXPECT_TRUE(map.is_measured(map_field(map, 1024, 8, 1)));
    EXPECT_TRUE(map.is_measured(map_field(map, 1024, 1, 3)));
    EXPECT_FALSE(map.is_measured(map_field(map, 1024, 2, 3)));
    EXPECT_FALSE(map.is_job(map_field(map, 1024, 1, 1)));
    EXPECT_TRUE(map.is_job(map_field(map, 1024, 1, 2)));
}

TEST(LayoutMaps, FakedNodesShareOneMachine) {
    ReportData data = map_data::ranges();
    data.cluster = map_data::cluster(6, 6, "hydra-fork");
    const LayoutMap map = layout_maps(data).at(0);
    EXPECT_TRUE(map.is_job(map_field(map, 1024, 3, 2)));
    EXPECT_FALSE(map.is_job(map_field(map, 1024, 3, 3))) << "9 ranks, and there is room for 6";
    EXPECT_EQ(algorithm_at(map, 1024, 3, 3), "") << "no job, no rule";
    EXPECT_TRUE(map.is_job(map_field(map, 1024, 8, 3))) << "it was measured, so it can run";
}

TEST(LayoutMaps, OneRankHasNoRuleThoughARangeContainsIt) {
    ReportData data = map_data::ranges();
    data.config.rules = {map_data::rule("between", {{1, 8}, {1, 3}, {}, {}}, 0, no_end, "ring")};
    const LayoutMap map = layout_maps(data).at(0);
    EXPECT_EQ(algorithm_at(map, map.sizes[0], 1, 1), "");
    EXPECT_EQ(algorithm_at(map, map.sizes[0], 1, 2), "ring between");
}

TEST(LayoutMaps, RoundRobinHasAMapIfItsRulesDiffer) {
    ReportData data = map_data::ranges();
    data.config.rules.push_back(map_data::rule("between", {{2, 8}, {2, 3}, {}, Mapping::round_robin}, 1024,
                                               32768, "recursive_doubling"));
    const std::vector<LayoutMap> maps = layout_maps(data);
    ASSERT_EQ(maps.size(), 2U);
    EXPECT_EQ(mapping_with("-", maps[0]), "");
    EXPECT_EQ(mapping_with("-", maps[1]), "-round-robin");
    EXPECT_EQ(algorithm_at(maps[0], 1024, 4, 2), "ring between");
    EXPECT_EQ(algorithm_at(maps[1], 1024, 4, 2), "recursive_doubling between");
    EXPECT_FALSE(maps[1].is_measured(map_field(maps[1], 1024, 8, 3))) << "8x3 was measured in blocks";
}

TEST(LayoutMaps, NothingWithoutRulesOrWithOneLayout) {
    ReportData data = map_data::ranges();
    data.config.rules.resize(1);
    EXPECT_EQ(layout_maps(data).size(), 1U) << "three layouts were measured";
    data.cells.erase(data.cells.begin(), data.cells.begin() + 2);
    EXPECT_TRUE(layout_maps(data).empty());
    data.config.rules.clear();
    EXPECT_TRUE(layout_maps(data).empty());
}

TEST(LayoutMaps, PredictedRulesAreProvenByTests) {
    ReportData data = map_data::ranges();
    LayoutMap map = layout_maps(data).at(0);
    EXPECT_TRUE(is_proven(map, map.rules[0]));
    EXPECT_TRUE(is_proven(map, map.rules[1]));
    map.rules[1].tested_layouts = 0;
    EXPECT_FALSE(is_proven(map, map.rules[1]));
    data.config.verified = false;
    map = layout_maps(data).at(0);
    EXPECT_FALSE(is_proven(map, map.rules[0]));
}

}  // namespace
