// SPDX-License-Identifier: MIT
// The selection file of an unpatched MPICH 4 or 5: MPICH's own tree, in which the tuned collectives ask first
// whether the communicator is one that was measured. MPICH 4.0 checks nothing in such a file, so that a
// mistake ends the job (docs/formats.md, 'Selection files of an unpatched MPICH', has what is avoided and
// how).
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "algorithm_name.hpp"
#include "collectives.hpp"
#include "emit.hpp"
#include "quoting.hpp"
#include "schedule.hpp"
#include "stock_target.hpp"
#include "usable_rules.hpp"

namespace tuner {

namespace {

using models::Collective;

constexpr std::size_t largest_number = std::numeric_limits<int>::max();  // MPICH reads numbers with atoi

// MPI_Init makes calls of a few bytes on communicators whose node communicators are not complete; smp, which
// uses those, must not be chosen for them (a patch of ours corrects it).
constexpr std::size_t smallest_smp_bytes = 17;

// MPICH maps the file and reads it as a text that ends with zero, which is there only if the last page has
// room.
constexpr std::size_t page_bytes = 4096;

// Each of 256 layouts with rules for four collectives took a process of MPICH 4.0 0.3 MB, and all of them
// together 0.2 s in MPI_Init.
constexpr std::size_t most_layouts_in_tree = 64;

// The operator that asks for the size of a collective (csel.c of MPICH 4.0.2); empty: it has none
std::string size_operator(const Collective& collective) {
    switch (collective.mpich_size) {
        case models::CountedSize::message:
            return "avg_msg_size";
        case models::CountedSize::total:
            return "total_msg_size";
        default:
            return "";
    }
}

// What the algorithm of a rule needs; nothing if the file cannot have it
std::optional<unsigned> preconditions_of(const StockTarget& target, const Rule& rule) {
    if (const auto* known = models::find_algorithm(models::modelled_as(rule.collective), rule.algorithm,
                                                   models::Implementation::stock_mpich)) {
        return known->preconditions;
    }
    const LaterAlgorithm* later =
        find_later_algorithm(target, rule.collective, models::AlgorithmName(rule.algorithm));
    return later == nullptr ? std::nullopt : std::optional(later->preconditions);
}

// Why a rule cannot be in the file; empty: it can
std::string obstacle(const StockTarget& target, const Rule& rule, const Layout& layout) {
    if (!mpich_stock_can_choose_for(rule.collective)) {
        return no_such_collective;
    }
    if (size_operator(*models::find_collective(rule.collective)).empty() && rule.from_bytes > 0) {
        return "the collective has no size";
    }
    const std::optional<unsigned> needs = preconditions_of(target, rule);
    if (!needs && models::is_composition(rule.collective, rule.algorithm)) {
        return "only MPICH with the changeover patches has this algorithm";
    }
    if (!needs) {
        return fmt::format("a file for MPICH {} cannot name this algorithm with its parameters", target.name);
    }
    if (!target.tells_flat && (layout.ppn == 1 || layout.nodes == 1)) {
        return fmt::format("MPICH {} cannot tell one rank on each node from the ranks of one node",
                           target.name);
    }
    if (!rule.operation.empty() && rule.operation != built_in_operation) {
        return "a file cannot tell this kind of operation";
    }
    // The number of elements is asked in the file
    const bool power_of_two = std::has_single_bit(static_cast<unsigned>(layout.ranks()));
    if (((*needs & models::power_of_two_ranks) != 0 && !power_of_two) ||
        ((*needs & models::shared_nodes) != 0 && layout.ppn == 1)) {
        return "the algorithm does not work for this layout";
    }
    return "";
}

// The part of a tree that holds for communicators of a layout: as MPICH does it when a communicator is made,
// only down to the first question about the message.
Json pruned(const Json& tree, const Layout& layout) {
    for (const auto& [key, subtree] : tree.items()) {
        const bool power_of_two = std::has_single_bit(static_cast<unsigned>(layout.ranks()));
        if (key == "comm_size=any" || key == "comm_hierarchy=any" ||
            (key == "comm_size=pow2" && power_of_two) || (key == "comm_hierarchy=parent" && layout.ppn > 1) ||
            (key.starts_with("comm_size<") && layout.ranks() < std::stoi(key.substr(10)))) {
            return pruned(subtree, layout);
        }
        if (!key.starts_with("comm_")) {
            break;
        }
    }
    return tree;
}

// A collective in the file of a target
struct InFile {
    const Collective& collective;
    const StockTarget& target;
};

Json leaf(const InFile& in, const Rule& rule, const Json& by_default) {
    Json chosen = algorithm_leaf(in.target, std::string(in.collective.name), rule.algorithm);
    if ((*preconditions_of(in.target, rule) & models::element_for_each_rank) != 0) {
        return {{"count<pow2", by_default}, {"count=any", std::move(chosen)}};
    }
    if (rule.collective == "reduce_scatter" && rule.algorithm == "noncommutative") {
        return {{"is_block_regular=yes", std::move(chosen)}, {"is_block_regular=no", by_default}};
    }
    return chosen;
}

// Questions about the size, smallest first. What has no rule is MPICH's choice.
Json size_chain(const InFile& in, const LayoutRules& of_layout, const Json& by_default) {
    const std::string size = size_operator(in.collective);
    if (size.empty()) {
        return leaf(in, of_layout.rules.front(), by_default);
    }
    const bool is_total = in.collective.mpich_size == models::CountedSize::total;
    const std::size_t factor = is_total ? static_cast<std::size_t>(of_layout.layout.ranks()) : 1;
    const std::size_t largest_bytes = largest_number / factor;
    const std::string any = size + "=any";
    const auto up_to = [&](std::size_t number) { return fmt::format("{}<={}", size, number); };
    Json chain = Json::object();
    std::size_t next = 0;  // first size, as the benchmark means it, that is not in the chain
    for (const Rule& rule : of_layout.rules) {
        const std::size_t smallest = rule.algorithm == "smp" ? smallest_smp_bytes : 0;
        const std::size_t from = std::max({rule.from_bytes, smallest, next});
        if (from > std::min(rule.to_bytes, largest_bytes)) {
            continue;
        }
        if (from > next) {
            chain[up_to(from * factor - 1)] = by_default;
        }
        const Json chosen = leaf(in, rule, by_default);
        if (rule.to_bytes == no_end) {
            chain[any] = chosen;
            return chain;
        }
        next = std::min(rule.to_bytes, largest_bytes) + 1;
        chain[up_to((next - 1) * factor)] = chosen;
    }
    chain[any] = by_default;
    return chain;
}

Json tuned(const InFile& in, const LayoutRules& rules, const Json& tree) {
    const Json by_default = pruned(tree, rules.layout);
    Json chain = size_chain(in, rules, by_default);
    const auto& [holds, fails] = in.collective.mpich_guard;
    if (holds.empty()) {
        return chain;
    }
    return {{std::string(holds), std::move(chain)}, {std::string(fails), by_default}};
}

// Both mappings, as in a range of layouts
bool have_the_same(const std::vector<LayoutRules>& mappings) {
    return mappings.size() == 2 && want_the_same(mappings[0], mappings[1]);
}

// Only communicators of the user: those that MPICH makes inside of smp algorithms are of kind node and
// node_roots. One rank a node is 'flat'.
Json for_hierarchy(const InFile& in, const std::vector<LayoutRules>& mappings, const Json& tree) {
    const Layout& layout = mappings.front().layout;
    Json rules_tree = Json::object();
    if (layout.ppn == 1 || layout.nodes == 1 || have_the_same(mappings)) {
        rules_tree = tuned(in, mappings.front(), tree);
    } else {
        for (const LayoutRules& rules : mappings) {
            const bool is_block = rules.layout.mapping == Mapping::block;
            rules_tree[is_block ? "is_node_consecutive=yes" : "is_node_consecutive=no"] =
                tuned(in, rules, tree);
        }
        rules_tree["comm_size=any"] = tree;
    }
    const char* kind = layout.ppn == 1 ? "comm_hierarchy=flat" : "comm_hierarchy=parent";
    return {{kind, std::move(rules_tree)}, {"comm_hierarchy=any", tree}};
}

// Questions 'what<=number' that single out each of the numbers; all others get `otherwise`
template <class Value>
Json exact_chain(const std::string& what, int smallest, const std::map<int, Value>& by_number,
                 const std::function<Json(const Value&)>& subtree, const Json& otherwise) {
    Json chain = Json::object();
    int next = smallest;  // first number that is not in the chain
    for (const auto& [number, value] : by_number) {
        if (number > next) {
            chain[fmt::format("{}<={}", what, number - 1)] = otherwise;
        }
        chain[fmt::format("{}<={}", what, number)] = subtree(value);
        next = number + 1;
    }
    chain["comm_size=any"] = otherwise;
    return chain;
}

// By the number of ranks, and then by processes per node, where the question is local_size <= N * nodes
Json intra_tree(const InFile& in, const std::vector<LayoutRules>& layouts, const Json& tree) {
    using Mappings = std::vector<LayoutRules>;
    using ByPpn = std::map<int, Mappings>;
    std::map<int, ByPpn> by_ranks;
    for (const LayoutRules& rules : layouts) {
        by_ranks[rules.layout.ranks()][rules.layout.ppn].push_back(rules);
    }
    const std::function<Json(const Mappings&)> of_ppn = [&](const Mappings& mappings) {
        return for_hierarchy(in, mappings, tree);
    };
    const std::function<Json(const ByPpn&)> of_ranks = [&](const ByPpn& by_ppn) {
        return exact_chain("comm_avg_ppn", 1, by_ppn, of_ppn, tree);
    };
    return exact_chain("comm_size", 0, by_ranks, of_ranks, tree);
}

// The rules of each layout, by size
std::vector<LayoutRules> rules_of(const Config& config, const std::string& network, const StockTarget& target,
                                  const std::vector<Layout>& layouts, const std::string& collective,
                                  std::vector<std::string>& notes) {
    const Obstacle in_target = [&](const Rule& rule, const Layout& layout) {
        return obstacle(target, rule, layout);
    };
    std::vector<LayoutRules> all;
    for (const Layout& layout : layouts) {
        LayoutRules rules = usable_rules(config, network, layout, collective, in_target, notes);
        if (!rules.rules.empty()) {
            all.push_back(std::move(rules));
        }
    }
    return all;
}

}  // namespace

bool mpich_stock_can_choose_for(const std::string& collective) {
    const Collective* row = models::find_collective(collective);
    return row != nullptr && row->in_mpich_file;
}

std::string emit_mpich_stock(const Config& config, const EmitOptions& options) {
    const std::string network = chosen_network(config, options.network);
    const StockTarget& target =
        options.target.empty() ? stock_target_of(config.library) : find_stock_target(options.target);
    Json tree = tree_of(target);
    std::vector<std::string> notes;
    const std::vector<Layout> layouts = layouts_to_write(config, network, most_layouts_in_tree, notes);
    std::set<std::string> collectives;
    for (auto& [key, subtree] : tree.items()) {
        const std::string collective = key.substr(key.find('=') + 1);
        collectives.insert(collective);
        const std::vector<LayoutRules> rules = rules_of(config, network, target, layouts, collective, notes);
        if (!rules.empty()) {
            Json& intra = subtree["comm_type=intra"];
            intra = intra_tree({*models::find_collective(collective), target}, rules, Json(intra));
        }
    }
    note_unknown_collectives(config, network, {}, collectives, notes);
    if (options.left_out != nullptr) {
        *options.left_out = notes;
    }
    std::vector<std::string> comments = origin_lines(config, network);
    comments.insert(comments.begin(), fmt::format("selection file for an unpatched MPICH {}: "
                                                  "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=FILE",
                                                  target.name));
    comments.insert(comments.end(), notes.begin(), notes.end());
    std::transform(comments.begin(), comments.end(), comments.begin(), printable);
    std::string text = fmt::format("/* {} */\n{}\n", fmt::join(comments, "\n   "), tree.dump(1));
    return text.size() % page_bytes == 0 ? text + "\n" : text;
}

}  // namespace tuner
