// SPDX-License-Identifier: MIT
#include "keep_reproducible.hpp"

#include <gtest/gtest.h>

#include "decide.hpp"

namespace {

using namespace tuner;
using models::Reproducible;

const CellKey allreduce = {"eth", {4, 2, Mapping::block}, "allreduce", "sum"};
const CellKey elsewhere = {"eth", {2, 2, Mapping::block}, "allreduce", "sum"};
const CellKey bcast = {"eth", {4, 2, Mapping::block}, "bcast", ""};

CellTime with_bits(std::size_t bytes, double seconds, const models::ResultBits& bits = {}) {
    CellTime result;
    result.time = {bytes, seconds, {0.99 * seconds, 1.01 * seconds}};
    result.bits = bits;
    return result;
}

// At the larger size, `other` adds in another order; on both, the ranks of `apart` have different results
Cells three_algorithms() {
    Cells cells;
    for (const std::size_t bytes : {8U, 1024U}) {
        const Times times = {{"default", with_bits(bytes, 1, {"d"})},
                             {"same", with_bits(bytes, 0.9, {"d"})},
                             {"other", with_bits(bytes, 0.5, {bytes == 8 ? "d" : "o"})},
                             {"apart", with_bits(bytes, 0.4, {"a", false})},
                             {"unknown", with_bits(bytes, 0.3)}};
        cells[allreduce].times[bytes] = times;
        cells[bcast].times[bytes] = {{"default", with_bits(bytes, 1)}, {"binomial", with_bits(bytes, 0.5)}};
    }
    cells[elsewhere].times[8] = {{"default", with_bits(8, 1, {"d"})}, {"apart", with_bits(8, 0.4, {"d"})}};
    return cells;
}

std::vector<std::string> left(const Cell& cell, std::size_t bytes) {
    std::vector<std::string> names;
    for (const auto& [name, of] : cell.times.at(bytes)) {
        names.push_back(name);
    }
    return names;
}

using Names = std::vector<std::string>;

TEST(KeepReproducible, AnyKeepsAll) {
    Cells cells = three_algorithms();
    std::vector<std::string> notes;
    keep_reproducible(cells, Reproducible::any, notes);
    EXPECT_EQ(left(cells.at(allreduce), 8).size(), 5U);
    EXPECT_TRUE(notes.empty());
}

TEST(KeepReproducible, WhatChangesBitsAtOneSizeIsLeftOutAtAll) {
    Cells cells = three_algorithms();
    std::vector<std::string> notes;
    keep_reproducible(cells, Reproducible::same_as_default, notes);
    EXPECT_EQ(left(cells.at(allreduce), 8), (Names{"default", "same"}));
    EXPECT_EQ(left(cells.at(allreduce), 1024), (Names{"default", "same"}));
    EXPECT_EQ(left(cells.at(bcast), 8).size(), 2U) << "moves data, and adds nothing";
    EXPECT_EQ(cells.at(allreduce).missing.at(8).at("other"),
              "its results have other bits than the default's");
    ASSERT_EQ(notes.size(), 3U);
    EXPECT_EQ(
        notes[1],
        "allreduce other is left out (reproducible: same-as-default): its results have other bits than the "
        "default's");
}

TEST(KeepReproducible, RanksThatDisagreeOnOneLayoutAreNotTrustedOnOthers) {
    Cells cells = three_algorithms();
    std::vector<std::string> notes;
    keep_reproducible(cells, Reproducible::ranks_agree, notes);
    EXPECT_EQ(left(cells.at(allreduce), 8), (Names{"default", "other", "same"}));
    EXPECT_EQ(left(cells.at(elsewhere), 8), (Names{"default"}));
}

TEST(KeepReproducible, NothingIsKnownOfResultsWhereNothingWasMeasured) {
    std::vector<Rule> rules(4);
    for (Rule& rule : rules) {
        rule.operation = built_in_operation;
    }
    rules[0].basis = "measured";
    rules[1].basis = "between";
    rules[2].basis = "model";
    rules[3].operation.clear();
    rules[3].basis = "beyond";
    std::vector<Rule> kept = rules;
    drop_unknown_bits(kept, Reproducible::ranks_agree);
    EXPECT_EQ(kept.size(), 4U);
    drop_unknown_bits(kept, Reproducible::same_as_default);
    ASSERT_EQ(kept.size(), 2U);
    EXPECT_EQ(kept[0].basis, "measured");
    EXPECT_EQ(kept[1].basis, "beyond");
}

TEST(KeepReproducible, RulesSayWhetherTheyChangeBits) {
    Cells cells = three_algorithms();
    const auto of = [&](const char* algorithm) {
        Cell cell;
        for (const auto& [bytes, times] : cells.at(allreduce).times) {
            cell.times[bytes] = {{"default", times.at("default")}, {algorithm, times.at(algorithm)}};
        }
        return rules_of(allreduce, cell, 0.01).at(0).changes_bits;
    };
    EXPECT_EQ(of("same"), std::optional(false));
    EXPECT_EQ(of("other"), std::optional(true));
    EXPECT_EQ(of("unknown"), std::nullopt);
}

// Its parts follow rules that are not made yet
TEST(KeepReproducible, WhatIsMadeOfOtherCollectivesIsNotSureToHaveTheDefaultsBits) {
    Cells cells;
    cells[allreduce].times[8] = {{"default", with_bits(8, 1, {"d"})},
                                 {"reduce_bcast", with_bits(8, 0.5, {"d"})}};
    std::vector<std::string> notes;
    keep_reproducible(cells, Reproducible::ranks_agree, notes);
    EXPECT_EQ(left(cells.at(allreduce), 8), (Names{"default", "reduce_bcast"}));
    keep_reproducible(cells, Reproducible::same_as_default, notes);
    EXPECT_EQ(left(cells.at(allreduce), 8), Names{"default"});
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_NE(notes[0].find("depend on the rules for the collectives"), std::string::npos) << notes[0];
}

}  // namespace
