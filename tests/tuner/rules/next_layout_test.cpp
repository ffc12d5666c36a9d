// SPDX-License-Identifier: MIT
// Layouts that are chosen one after the other, among those that two labs measured.
#include "next_layout.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "decide.hpp"
#include "recorded_layouts.hpp"

namespace {

using namespace tuner;

const std::set<Layout> corners = {{1, 3}, {12, 1}, {12, 3}};

Cells only_on(Cells cells, const std::set<Layout>& layouts) {
    std::erase_if(cells, [&](const auto& entry) { return !layouts.contains(entry.first.layout); });
    return cells;
}

Plan plan_of_labs() {
    Plan plan = plan_named("standard");
    std::erase_if(plan.collectives, [](const PlannedCollective& collective) {
        const std::set<std::string> measured = {"bcast", "allgather", "allreduce", "alltoall"};
        return !measured.contains(collective.name) || collective.operation == "user";
    });
    return plan;
}

NextLayout next(const std::string& network, const std::set<Layout>& measured, const LayoutChoice& choice) {
    const Cells cells = only_on(recorded_layouts::cells(network), measured);
    return next_layout(cells, {{network, recorded_layouts::shape(network)}}, plan_of_labs(), choice);
}

// Of the rules that are decided from some layouts, on all others
double loss_elsewhere(const std::string& network, const std::set<Layout>& measured) {
    const Cells all = recorded_layouts::cells(network);
    const Config config =
        decide(only_on(all, measured), 0.02, {{network, recorded_layouts::shape(network)}}, Extent{12, 3});
    double loss = 0;
    int cells = 0;
    for (const auto& [key, cell] : all) {
        for (const auto& [bytes, times] : cell.times) {
            if (measured.contains(key.layout) || !times.contains(default_algorithm)) {
                continue;
            }
            double best = times.at(default_algorithm).time.median_seconds;
            for (const auto& [name, time] : times) {
                best = std::min(best, time.time.median_seconds);
            }
            const Rule* rule = find_rule(config, network, key.layout, key.collective, bytes);
            const CellTime* ruled = rule != nullptr ? time_of(times, rule->algorithm) : nullptr;
            loss += (ruled != nullptr ? *ruled : times.at(default_algorithm)).time.median_seconds / best - 1;
            ++cells;
        }
    }
    return loss / cells;
}

std::set<Layout> layouts_of(const std::string& network) {
    std::set<Layout> layouts;
    for (const auto& [key, cell] : recorded_layouts::cells(network)) {
        layouts.insert(key.layout);
    }
    return layouts;
}

// That the loss is known of
LayoutChoice for_jobs_on(const std::set<Layout>& layouts, const std::set<Layout>& measured) {
    LayoutChoice choice = {{12, 3}, {}, 0.0, {}};
    for (const Layout& layout : layouts) {
        if (!measured.contains(layout)) {
            choice.jobs.push_back({layout.nodes, layout.ppn, 1});
        }
    }
    return choice;
}

class NextLayouts : public testing::TestWithParam<const char*> {};

// What is expected is about what the rules lose on the layouts that were not measured, and it gets less
TEST_P(NextLayouts, LowerTheLoss) {
    const std::string network = GetParam();
    const std::set<Layout> known = layouts_of(network);
    const LayoutChoice choice = {
        {12, 3}, {}, 0.0, [&](const Layout& layout) { return known.contains(layout); }};
    std::set<Layout> measured = corners;
    for (int i = 0; i < 5; ++i) {  // eight layouts in all
        const NextLayout found = next(network, measured, choice);
        ASSERT_TRUE(found.layout && found.expected_loss);
        const double loss = loss_elsewhere(network, measured);
        const double expected = *next(network, measured, for_jobs_on(known, measured)).expected_loss;
        EXPECT_LT(expected, 1.7 * loss) << measured.size();
        EXPECT_GT(expected, loss / 1.7) << measured.size();
        EXPECT_GT(found.seconds, 1);
        EXPECT_TRUE(measured.insert(*found.layout).second) << to_string(*found.layout);
    }
    const double at_last = loss_elsewhere(network, measured);
    RecordProperty("loss", std::to_string(at_last));
    EXPECT_LT(at_last, 0.03);
    EXPECT_LT(at_last, loss_elsewhere(network, corners) - 0.01);
}
INSTANTIATE_TEST_SUITE_P(Labs, NextLayouts, testing::Values("eth", "fast"),
                         [](const auto& lab) { return std::string(lab.param); });

TEST(NextLayout, IsNearTheJobsThatUsersRun) {
    const NextLayout small = next("fast", corners, {{12, 3}, {{1, 2, 100}, {12, 1, 3}}, 0.0, {}});
    EXPECT_EQ(small.layout, (Layout{1, 2}));
    const NextLayout large = next("fast", corners, {{12, 3}, {{11, 2, 100}, {1, 2, 3}}, 0.0, {}});
    ASSERT_TRUE(large.layout);
    EXPECT_GE(large.layout->nodes, 6) << to_string(*large.layout);
}

TEST(NextLayout, HasFullNodes) {
    LayoutChoice choice = {{12, 3}, {}, 0.0, {}};
    EXPECT_FALSE(next("fast", corners, choice).layout->missing);
    choice.can_start = [](const Layout& layout) { return !layout.is_even(); };
    EXPECT_FALSE(next("fast", corners, choice).layout);
}

// Of a layout that takes longer only a part is measured
TEST(NextLayout, IsMeasuredInTheTimeThatThereIs) {
    LayoutChoice choice = {{12, 3}, {}, 0.0, {}};
    const NextLayout any = next("eth", corners, choice);
    choice.seconds = 1;
    const NextLayout short_one = next("eth", corners, choice);
    ASSERT_TRUE(any.layout && short_one.layout);
    EXPECT_LT(short_one.seconds, any.seconds);
}

TEST(NextLayout, IsNoneIfTheLossIsSmallOrNothingIsLeft) {
    LayoutChoice choice = {{12, 3}, {}, 0.5, {}};
    NextLayout found = next("fast", corners, choice);
    EXPECT_FALSE(found.layout);
    EXPECT_GT(found.expected_loss.value_or(0), 0.01);
    choice.loss_bound = 0;
    choice.can_start = [](const Layout&) { return false; };
    EXPECT_FALSE(next("fast", corners, choice).layout);
    EXPECT_EQ(next("fast", {{1, 3}}, {{1, 3}, {}, 0.5, {}}).layout, (Layout{1, 2})) << "one node";
    EXPECT_FALSE(
        next("fast", {{1, 3}}, {{1, 3, 2}, {}, 0.5, [](const Layout& l) { return l.ppn > 2; }}).layout);
}

// Rules for ranges need three layouts
TEST(NextLayout, ThereAreThreeWhateverTheLoss) {
    EXPECT_TRUE(next("fast", {{1, 3}, {12, 3}}, {{12, 3}, {}, 0.5, {}}).layout);
}

TEST(NextLayout, NobodyKnowsWithoutTheLibrarysOwnChoice) {
    Cells cells = only_on(recorded_layouts::cells("fast"), corners);
    for (auto& [key, cell] : cells) {
        for (auto& [bytes, times] : cell.times) {
            std::map<std::string, CellTime> others;
            for (auto& [name, time] : times) {
                time.used = "of_another_library_" + name;
                others.emplace(name == default_algorithm ? name : time.used, time);
            }
            times = others;
        }
    }
    const NextLayout found = next_layout(cells, {{"fast", recorded_layouts::shape("fast")}}, plan_of_labs(),
                                         {{12, 3}, {}, 0.0, {}});
    EXPECT_FALSE(found.expected_loss);
    EXPECT_FALSE(found.layout);
}

}  // namespace
