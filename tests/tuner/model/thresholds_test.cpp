// SPDX-License-Identifier: MIT
// The ladders of the tuner are those that the tests of the patches hold the library to.
#include "thresholds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "../../patches/thresholds.hpp"
#include "../emit/emitted_text.hpp"

namespace {

using namespace tuner;

bool has_ladder(const Changeover& row) {
    const std::vector<std::string> names = collectives_with_thresholds();
    const bool is_blocking = row.collective[0] != 'i';
    return row.place != Place::inter &&
           (is_blocking || std::find(names.begin(), names.end(), row.collective) != names.end());
}

Layout layout_for(const Changeover& row) {
    const int nodes = row.ranks == Ranks::other ? 12 : 16;
    return row.place == Place::shared_nodes ? Layout{nodes / 4, 4} : Layout{nodes, 1};
}

std::string library_name(const std::string& collective, const std::string& algorithm) {
    std::string name = collective + "_intra_" + algorithm;
    name[0] = static_cast<char>(std::toupper(name[0]));
    return name;
}

TEST(Thresholds, AreThoseOfTheLibrary) {
    for (const Changeover& row : changeovers()) {
        if (!has_ladder(row) || row.compared == Compared::processes) {
            continue;
        }
        SCOPED_TRACE(std::string(row.variable) + " of " + row.collective);
        const Layout layout = layout_for(row);
        const auto ladder = ladder_of(row.collective, layout, default_min_ranks(row.collective));
        ASSERT_TRUE(ladder);
        std::size_t i = 0;
        while (i < ladder->steps.size() && ladder->steps[i].threshold->name != row.variable) {
            ++i;
        }
        ASSERT_LT(i, ladder->steps.size());
        EXPECT_EQ(ladder->steps[i].threshold->default_value, row.default_value);
        EXPECT_EQ(ladder->compared_with == models::ComparedWith::total, row.compared == Compared::total);
        EXPECT_EQ(ladder->is_inclusive, row.inclusive);
        EXPECT_EQ(library_name(row.collective, ladder->algorithm(i)), row.below);
        if (row.above != nullptr) {
            EXPECT_EQ(library_name(row.collective, ladder->algorithm(i + 1)), row.above);
        }
    }
}

TEST(Thresholds, NumbersOfRanksAreThoseOfTheLibrary) {
    for (const Changeover& row : changeovers()) {
        if (!has_ladder(row) || row.compared != Compared::processes) {
            continue;
        }
        const models::MpichThreshold* min_ranks = min_ranks_of(row.collective);
        ASSERT_NE(min_ranks, nullptr) << row.collective;
        EXPECT_EQ(min_ranks->name, row.variable);
        EXPECT_EQ(min_ranks->default_value, row.default_value);
        EXPECT_EQ(library_name(row.collective, ladder_of(row.collective, {4, 1}, 8)->algorithm(0)),
                  row.below);
    }
}

TEST(Thresholds, OfTheCollectivesThatHaveThem) {
    EXPECT_EQ(collectives_with_thresholds().size(), 11u);
}

// The other way round: no step is invented, and who else reads a variable is complete
TEST(Thresholds, NothingElseIsThere) {
    std::map<std::string, std::set<std::string>> readers;
    for (const Changeover& row : changeovers()) {
        readers[row.variable].insert(row.collective);
    }
    const auto check = [&](const std::string& collective, const models::MpichThreshold& threshold) {
        std::set<std::string> named = {collective};
        const std::string others = threshold.others_than(collective) + ", ";
        for (std::size_t at = 0; others.size() > 2 && at < others.size(); at = others.find(", ", at) + 2) {
            named.insert(others.substr(at, others.find(", ", at) - at));
        }
        EXPECT_EQ(named, readers[std::string(threshold.name)]) << threshold.name << " of " << collective;
    };
    for (const std::string& collective : collectives_with_thresholds()) {
        for (const Layout& layout : {Layout{16, 1}, Layout{12, 1}, Layout{4, 4}, Layout{3, 4}}) {
            const Ladder ladder = *ladder_of(collective, layout, 0);
            for (const Step& step : ladder.steps) {
                check(collective, *step.threshold);
            }
        }
        if (const models::MpichThreshold* min_ranks = min_ranks_of(collective)) {
            check(collective, *min_ranks);
        }
    }
}

// A ladder takes what its thresholds compare from the first of them
TEST(Thresholds, OfALadderCompareTheSame) {
    for (const std::string& collective : collectives_with_thresholds()) {
        for (const Layout& layout : {Layout{16, 1}, Layout{12, 1}, Layout{4, 4}}) {
            const Ladder ladder = *ladder_of(collective, layout, 0);
            for (const Step& step : ladder.steps) {
                EXPECT_EQ(step.threshold->compared_with, ladder.compared_with) << collective;
                EXPECT_EQ(step.threshold->is_inclusive, ladder.is_inclusive) << collective;
            }
        }
    }
}

TEST(Thresholds, SizesAndValuesFitTogether) {
    const Ladder message = *ladder_of("bcast", {8, 1}, 8);
    EXPECT_EQ(message.threshold(100), 100);
    EXPECT_EQ(message.last_bytes(100), 100u);
    EXPECT_EQ(message.threshold(std::size_t{1} << 40), 2147483647);
    const Ladder total = *ladder_of("allgather", {8, 1}, 0);  // below 524288 of all ranks together
    EXPECT_EQ(total.last_bytes(524288), 65535u);
    EXPECT_EQ(total.threshold(100), 801);
    EXPECT_EQ(total.last_bytes(801), 100u);
    EXPECT_EQ(total.last_bytes(0), 0u);
    EXPECT_EQ(total.threshold(std::size_t{1} << 30), 2147483647);
}

TEST(Thresholds, DefaultChoices) {
    EXPECT_EQ(default_choice("bcast", {4, 1}, 1 << 20), "binomial");
    EXPECT_EQ(default_choice("bcast", {8, 1}, 12288), "binomial");
    EXPECT_EQ(default_choice("bcast", {8, 1}, 12289), "scatter_recursive_doubling_allgather");
    EXPECT_EQ(default_choice("bcast", {12, 1}, 12289), "scatter_ring_allgather");
    EXPECT_EQ(default_choice("alltoall", {4, 1}, 1), "scattered");
    EXPECT_EQ(default_choice("alltoall", {8, 1}, 1), "brucks");
    EXPECT_EQ(default_choice("allgather", {8, 1}, 65535), "recursive_doubling");
    EXPECT_EQ(default_choice("allgather", {8, 1}, 65536), "ring");
    EXPECT_EQ(default_choice("ialltoall", {4, 1}, 1), "sched_permuted_sendrecv");
    EXPECT_EQ(default_choice("ialltoall", {8, 1}, 1), "sched_brucks");
    EXPECT_FALSE(default_choice("gather", {8, 1}, 1));
}

}  // namespace
