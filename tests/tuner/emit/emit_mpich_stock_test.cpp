// SPDX-License-Identifier: MIT
// Selection files choose what the rules say, and what MPICH chooses by itself where they say nothing or a
// precondition fails; and nothing in them would end a job.
#include "emit.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "emitted_text.hpp"
#include "files.hpp"
#include "schedule.hpp"
#include "selection_tree.hpp"

namespace {

using namespace tuner;

Json parse_tree(const std::string& text) {
    return Json::parse(text, nullptr, true, true);
}

const Json& own_tree() {
    static const Json tree = parse_tree(read_file(MPICH_TREE));
    return tree;
}

std::string full_name(const std::string& collective, const std::string& algorithm) {
    std::string name = collective + "_intra_" + algorithm;
    name[0] = static_cast<char>(std::toupper(name[0]));
    return "MPIR_" + name;
}

const std::vector<std::string> all_collectives = {
    "bcast",      "reduce",   "allreduce",      "allgather",
    "allgatherv", "alltoall", "alltoallv",      "alltoallw",
    "gather",     "scatter",  "gatherv",        "scatterv",
    "scan",       "exscan",   "reduce_scatter", "reduce_scatter_block",
    "barrier"};

// Whether the call may use the algorithm of a rule, and the rule holds for it
bool applies(const Rule& rule, const TreeCall& call) {
    static const std::set<std::string> fixed = {"gather", "scatter", "scan", "exscan"};
    if (fixed.contains(rule.collective)) {
        return false;
    }
    const std::string collective = rule.collective == "allgatherv" ? "allgather" : rule.collective;
    const models::Algorithm* algorithm = models::find_algorithm(collective, rule.algorithm);
    if (algorithm == nullptr || call.hierarchy != (call.ranks == call.nodes ? "flat" : "parent")) {
        return false;
    }
    const models::RankPlacement layout(call.nodes, call.ranks / call.nodes);
    models::Call model{&layout, static_cast<std::size_t>(call.count)};
    model.commutative = call.commutative;
    const bool single_node_smp = rule.algorithm == "smp" && call.nodes == 1 && call.ranks > 1;
    if (!single_node_smp && !models::is_allowed(*algorithm, model)) {
        return false;
    }
    if (rule.collective == "alltoall" && call.in_place) {
        return false;
    }
    if ((rule.collective == "reduce" || rule.collective == "allreduce") && !call.built_in) {
        return false;
    }
    if (rule.collective.starts_with("reduce_scatter") && !call.commutative) {
        return false;
    }
    if (rule.collective == "reduce_scatter" && rule.algorithm == "noncommutative" && !call.regular) {
        return false;
    }
    return rule.algorithm != "smp" || rule.collective == "barrier" ||
           call.bytes > 16;  // MPI_Init's own calls
}

// Any call on any communicator: the rule if it applies, else what MPICH's own tree says
void expect_rules_hold(const Config& config, std::mt19937& random, int calls) {
    const SelectionTree own(own_tree());
    const SelectionTree tuned(parse_tree(emit_mpich_stock(config, {"eth", {}, ""})));
    ASSERT_NO_THROW(tuned.validate());
    const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    int by_rule = 0;
    for (int i = 0; i < calls; ++i) {
        TreeCall call;
        call.collective =
            all_collectives[static_cast<std::size_t>(pick(static_cast<int>(all_collectives.size())))];
        const Layout layout{1 + pick(9), 1 + pick(4), pick(2) == 0 ? Mapping::block : Mapping::round_robin};
        call.ranks = layout.ranks();
        call.nodes = layout.nodes;
        call.hierarchy = layout.ppn > 1 ? "parent" : "flat";
        if (layout.nodes == 1 && pick(2) == 0) {
            call.hierarchy = "node";
        } else if (layout.ppn == 1 && pick(2) == 0) {
            call.hierarchy = "node_roots";
        }
        call.node_consecutive =
            call.hierarchy == "parent" && (layout.nodes == 1 || layout.mapping == Mapping::block);
        call.bytes = call.collective == "barrier" ? 0 : static_cast<long>(random() % (1u << pick(21)));
        const int element = 1 << pick(4);
        call.bytes -= call.bytes % element;
        call.count = call.bytes / element;
        call.in_place = pick(4) == 0;
        call.commutative = pick(3) != 0;
        call.built_in = call.commutative && pick(3) != 0;
        call.regular = pick(2) == 0;
        const Rule* rule =
            find_rule(config, "eth", layout, call.collective, static_cast<std::size_t>(call.bytes));
        std::string chosen;
        ASSERT_NO_THROW(chosen = tuned.choose(call));
        if (rule != nullptr && applies(*rule, call)) {
            EXPECT_EQ(chosen, full_name(call.collective, rule->algorithm))
                << call.bytes << " bytes on " << to_string(layout);
            ++by_rule;
        } else {
            EXPECT_EQ(chosen, own.choose(call)) << call.bytes << " bytes on " << to_string(layout);
        }
    }
    EXPECT_TRUE(by_rule > 0 || config.rules.empty());
}

TEST(EmitMpichStock, IsMpichsOwnTreeWithoutRules) {
    EXPECT_EQ(parse_tree(emit_mpich_stock(config_with({}), {})), own_tree());
}

TEST(EmitMpichStock, TheExampleHolds) {
    std::mt19937 random(2);
    expect_rules_hold(example_config(), random, 20000);
}

TEST(EmitMpichStock, AnyRulesHold) {
    std::mt19937 random(3);
    const auto pick = [&](std::size_t n) { return random() % n; };
    const auto algorithms = models::algorithms(models::Implementation::stock_mpich);
    for (int run = 0; run < 16; ++run) {
        std::vector<Rule> rules;
        for (int i = 0; i < 200; ++i) {
            const models::Algorithm& algorithm = algorithms[pick(algorithms.size())];
            const Layout layout{static_cast<int>(1 + pick(9)), static_cast<int>(1 + pick(4)),
                                pick(2) == 0 ? Mapping::block : Mapping::round_robin};
            std::string collective(algorithm.collective);
            if (collective == "allgather" && pick(2) == 0) {
                collective = "allgatherv";
            }
            const std::size_t from = pick(2) * pick(200000);
            const std::size_t to = pick(4) == 0 ? no_end : from + pick(100000);
            const bool is_free = std::none_of(rules.begin(), rules.end(), [&](const Rule& rule) {
                return rule.collective == collective && rule.where.holds(layout) && rule.from_bytes <= to &&
                       from <= rule.to_bytes;
            });
            if (is_free) {
                rules.push_back(example_rule(layout, collective, from, to, std::string(algorithm.name)));
            }
        }
        std::stable_sort(rules.begin(), rules.end(),
                         [](const Rule& a, const Rule& b) { return a.from_bytes < b.from_bytes; });
        expect_rules_hold(config_with(rules), random, 3000);
    }
}

TEST(EmitMpichStock, RulesForRangesHold) {
    std::mt19937 random(4);
    const auto pick = [&](std::size_t n) { return random() % n; };
    const auto count_range = [&](std::size_t most) {
        const int first = static_cast<int>(1 + pick(most));
        return CountRange{first, std::min(static_cast<int>(most), first + static_cast<int>(pick(4)))};
    };
    const auto algorithms = models::algorithms(models::Implementation::stock_mpich);
    for (int run = 0; run < 4; ++run) {
        std::vector<Rule> rules;
        for (int i = 0; i < 60; ++i) {
            const models::Algorithm& algorithm = algorithms[pick(algorithms.size())];
            const std::size_t from = pick(2) * pick(200000);
            LayoutRange where = {count_range(9), count_range(4)};
            if (pick(2) == 0) {
                where.mapping = pick(2) == 0 ? Mapping::block : Mapping::round_robin;
            }
            rules.push_back(example_rule_for(where, std::string(algorithm.collective), from,
                                             pick(4) == 0 ? no_end : from + pick(100000),
                                             std::string(algorithm.name)));
        }
        expect_rules_hold(config_with(rules), random, 3000);
    }
}

TEST(EmitMpichStock, NamesAtMostSomeLayoutsOfRanges) {
    const std::string text = emit_mpich_stock(
        config_with({example_rule_for({{1, 10000}, {1, 1}}, "bcast", 1, 9999, "scatter_ring_allgather")}),
        {});
    EXPECT_TRUE(contains(text, "left out: layouts with unusual numbers of nodes or ranks"));
    EXPECT_TRUE(contains(text, "\"comm_size<=1024\"")) << "powers of two come first";
    EXPECT_LE(lines_with(text, "\"comm_size<="), 2u * 64);
    EXPECT_NO_THROW(SelectionTree(parse_tree(text)).validate());
}

TEST(EmitMpichStock, LeavesOutWhatOnlyThePatchedMpichHas) {
    const std::string text =
        emit_mpich_stock(config_with({example_rule({4, 2}, "allreduce", 1, 100, "reduce_bcast")}), {});
    EXPECT_TRUE(contains(text, "only MPICH with the changeover patches has this algorithm")) << text;
    EXPECT_FALSE(contains(text, "MPIR_Allreduce_intra_reduce_bcast"));
}

// One note for a rule, not one for each of its layouts
TEST(EmitMpichStock, SaysOnceWhatItLeavesOutOfARange) {
    const std::string text = emit_mpich_stock(
        config_with({example_rule_for({{2, 8}, {1, 2}}, "allgather", 1, 10, "recursive_doubling")}), {});
    EXPECT_EQ(lines_with(text, "left out: "), 1u) << text.substr(0, 1000);
    EXPECT_TRUE(contains(text,
                         "left out: allgather on layouts of 2 to 8 nodes x 1 to 2, 1 to 10 bytes, "
                         "recursive_doubling: the algorithm does not work for this layout"));
}

TEST(EmitMpichStock, SaysWhatItLeavesOut) {
    const Layout odd{3, 1};
    const std::string text = emit_mpich_stock(
        config_with({example_rule(odd, "allgather", 1, 10, "recursive_doubling"),
                     example_rule(odd, "gather", 1, 10, "binomial"), example_rule(odd, "bcast", 1, 10, "smp"),
                     example_rule(odd, "bcast", 11, 20, "quick")}),
        {});
    EXPECT_EQ(lines_with(text, "left out: "), 4u) << text.substr(0, 1000);
    EXPECT_EQ(parse_tree(text), own_tree());
}

TEST(EmitMpichStock, LargeSizesAreCutAtWhatMpichReads) {
    const Layout flat{8, 1};
    const std::string text = emit_mpich_stock(
        config_with({example_rule(flat, "allgather", 1000, std::size_t{1} << 29, "ring"),
                     example_rule(flat, "bcast", std::size_t{1} << 32, no_end, "scatter_ring_allgather")}),
        {});
    EXPECT_TRUE(contains(text, "\"total_msg_size<=2147483640\""));
    EXPECT_NO_THROW(SelectionTree(parse_tree(text)).validate());
}

// MPICH needs a zero behind the text, and has one only if the last page is not full
TEST(EmitMpichStock, NeverEndsWithAPage) {
    Config config = config_with({});
    const std::size_t size = emit_mpich_stock(config, {}).size();
    config.run += std::string(4096 - size % 4096, 'x');
    EXPECT_EQ(emit_mpich_stock(config, {}).size() % 4096, 1u);
}

}  // namespace
