// SPDX-License-Identifier: MIT
// The selection file of an unpatched MPICH 4: MPICH's own tree, in which the tuned collectives ask first
// whether the communicator is one that was measured. MPICH 4.0 checks nothing in such a file, so that a
// mistake ends the job (README.md, 'Selection files of an unpatched MPICH', has what is avoided here and
// how).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>

#include "emit.hpp"
#include "error.hpp"
#include "schedule.hpp"

namespace tuner {

extern const char* const mpich_tree;

namespace {

using Rules = std::vector<const Rule*>;

constexpr std::size_t largest_number = std::numeric_limits<int>::max();  // MPICH reads numbers with atoi

// MPI_Init makes calls of a few bytes on communicators whose node communicators are not complete; smp, which
// uses those, must not be chosen for them (patch 0012 of the patched MPICH).
constexpr std::size_t smallest_smp_bytes = 17;

// MPICH maps the file and reads it as a text that ends with zero, which is there only if the last page has
// room.
constexpr std::size_t page_bytes = 4096;

// What a collective's signature lets the tree ask (csel.c of MPICH 4.0.2)
struct StockCollective {
    const char* name;
    const char* prefix;  // of the algorithms' names
    const char* size;    // the operator for its size; nullptr: it has none
    bool is_total;       // that size is the benchmark's times the ranks
    // what a rule asks first, and what stands for the rest
    const char* guard;
    const char* guard_fails;
};

constexpr std::array collectives = {
    StockCollective{"barrier", "MPIR_Barrier_intra_", nullptr, false, nullptr, nullptr},
    StockCollective{"bcast", "MPIR_Bcast_intra_", "avg_msg_size", false, nullptr, nullptr},
    StockCollective{"reduce", "MPIR_Reduce_intra_", "avg_msg_size", false, "is_op_built_in=yes",
                    "is_op_built_in=no"},
    StockCollective{"allreduce", "MPIR_Allreduce_intra_", "avg_msg_size", false, "is_op_built_in=yes",
                    "is_op_built_in=no"},
    StockCollective{"allgather", "MPIR_Allgather_intra_", "total_msg_size", true, nullptr, nullptr},
    StockCollective{"allgatherv", "MPIR_Allgatherv_intra_", "total_msg_size", true, nullptr, nullptr},
    StockCollective{"alltoall", "MPIR_Alltoall_intra_", "avg_msg_size", false, "is_sendbuf_inplace=no",
                    "is_sendbuf_inplace=yes"},
    StockCollective{"reduce_scatter", "MPIR_Reduce_scatter_intra_", "total_msg_size", true,
                    "is_commutative=yes", "is_commutative=no"},
    StockCollective{"reduce_scatter_block", "MPIR_Reduce_scatter_block_intra_", "total_msg_size", true,
                    "is_commutative=yes", "is_commutative=no"},
};

const StockCollective* find_collective(const std::string& name) {
    const auto row = std::find_if(collectives.begin(), collectives.end(),
                                  [&](const StockCollective& c) { return c.name == name; });
    return row == collectives.end() ? nullptr : &*row;
}

const models::Algorithm* model_of(const Rule& rule) {
    return models::find_algorithm(rule.collective == "allgatherv" ? "allgather" : rule.collective,
                                  rule.algorithm);
}

// Why a rule cannot be in the file; empty: it can
std::string obstacle(const Rule& rule) {
    const StockCollective* collective = find_collective(rule.collective);
    if (collective == nullptr) {
        return "a file cannot choose for this collective";
    }
    if (collective->size == nullptr && rule.from_bytes > 0) {
        return "the collective has no size";
    }
    const models::Algorithm* algorithm = model_of(rule);
    if (algorithm == nullptr) {
        return "there is no such algorithm";
    }
    if (!rule.operation.empty() && rule.operation != built_in_operation) {
        return "a file cannot tell this kind of operation";
    }
    // The number of elements is asked in the file
    const unsigned needs = algorithm->preconditions;
    const bool power_of_two = std::has_single_bit(static_cast<unsigned>(rule.layout.ranks()));
    if (((needs & models::power_of_two_ranks) != 0 && !power_of_two) ||
        ((needs & models::shared_nodes) != 0 && rule.layout.ppn == 1)) {
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

Json leaf(const StockCollective& collective, const Rule& rule, const Json& by_default) {
    Json chosen = {{"algorithm=" + std::string(collective.prefix) + rule.algorithm, Json::object()}};
    if ((model_of(rule)->preconditions & models::element_for_each_rank) != 0) {
        return {{"count<pow2", by_default}, {"count=any", std::move(chosen)}};
    }
    if (rule.collective == "reduce_scatter" && rule.algorithm == "noncommutative") {
        return {{"is_block_regular=yes", std::move(chosen)}, {"is_block_regular=no", by_default}};
    }
    return chosen;
}

// Questions about the size, smallest first. What has no rule is MPICH's choice.
Json size_chain(const StockCollective& collective, const Rules& rules, const Json& by_default) {
    if (collective.size == nullptr) {
        return leaf(collective, *rules.front(), by_default);
    }
    const std::size_t factor =
        collective.is_total ? static_cast<std::size_t>(rules.front()->layout.ranks()) : 1;
    const std::size_t largest_bytes = largest_number / factor;
    const std::string any = fmt::format("{}=any", collective.size);
    const auto up_to = [&](std::size_t number) { return fmt::format("{}<={}", collective.size, number); };
    Json chain = Json::object();
    std::size_t next = 0;  // first size, as the benchmark means it, that is not in the chain
    for (const Rule* rule : rules) {
        const std::size_t smallest = rule->algorithm == "smp" ? smallest_smp_bytes : 0;
        const std::size_t from = std::max({rule->from_bytes, smallest, next});
        if (from > std::min(rule->to_bytes, largest_bytes)) {
            continue;
        }
        if (from > next) {
            chain[up_to(from * factor - 1)] = by_default;
        }
        const Json chosen = leaf(collective, *rule, by_default);
        if (rule->to_bytes == no_end) {
            chain[any] = chosen;
            return chain;
        }
        next = std::min(rule->to_bytes, largest_bytes) + 1;
        chain[up_to((next - 1) * factor)] = chosen;
    }
    chain[any] = by_default;
    return chain;
}

Json tuned(const StockCollective& collective, const Rules& rules, const Json& tree) {
    const Json by_default = pruned(tree, rules.front()->layout);
    Json chain = size_chain(collective, rules, by_default);
    if (collective.guard == nullptr) {
        return chain;
    }
    return {{collective.guard, std::move(chain)}, {collective.guard_fails, by_default}};
}

// Only communicators of the user: those that MPICH makes inside of smp algorithms are of kind node and
// node_roots. One rank a node is 'flat'.
Json for_hierarchy(const StockCollective& collective, const std::vector<Rules>& mappings, const Json& tree) {
    const Layout& layout = mappings.front().front()->layout;
    Json rules_tree = Json::object();
    if (layout.ppn == 1 || layout.nodes == 1) {
        rules_tree = tuned(collective, mappings.front(), tree);
    } else {
        for (const Rules& rules : mappings) {
            const bool is_block = rules.front()->layout.mapping == Mapping::block;
            rules_tree[is_block ? "is_node_consecutive=yes" : "is_node_consecutive=no"] =
                tuned(collective, rules, tree);
        }
        rules_tree["comm_size=any"] = tree;
    }
    const char* kind = layout.ppn == 1 ? "comm_hierarchy=flat" : "comm_hierarchy=parent";
    return {{kind, std::move(rules_tree)}, {"comm_hierarchy=any", tree}};
}

// One number of ranks, by processes per node. The question is local_size <= N * nodes.
Json for_ppn(const StockCollective& collective, const std::map<int, std::vector<Rules>>& by_ppn,
             const Json& tree) {
    Json chain = Json::object();
    int next = 1;  // first ppn that is not in the chain
    for (const auto& [ppn, mappings] : by_ppn) {
        if (ppn > next) {
            chain[fmt::format("comm_avg_ppn<={}", ppn - 1)] = tree;
        }
        chain[fmt::format("comm_avg_ppn<={}", ppn)] = for_hierarchy(collective, mappings, tree);
        next = ppn + 1;
    }
    chain["comm_size=any"] = tree;
    return chain;
}

Json intra_tree(const StockCollective& collective, const std::vector<Rules>& layouts, const Json& tree) {
    std::map<int, std::map<int, std::vector<Rules>>> by_ranks;  // then by ppn; there, the mappings
    for (const Rules& rules : layouts) {
        const Layout& layout = rules.front()->layout;
        by_ranks[layout.ranks()][layout.ppn].push_back(rules);
    }
    Json chain = Json::object();
    int next = 0;  // first number of ranks that is not in the chain
    for (const auto& [ranks, by_ppn] : by_ranks) {
        if (ranks > next) {
            chain[fmt::format("comm_size<={}", ranks - 1)] = tree;
        }
        chain[fmt::format("comm_size<={}", ranks)] = for_ppn(collective, by_ppn, tree);
        next = ranks + 1;
    }
    chain["comm_size=any"] = tree;
    return chain;
}

// The rules of each layout, by size; those that cannot be in the file are noted.
std::vector<Rules> rules_of(const Config& config, const std::string& network, const std::string& collective,
                            std::vector<std::string>& notes) {
    std::vector<Rules> layouts;
    for (const Layout& layout : layouts_of(config, network)) {
        Rules rules;
        for (const Rule& rule : config.rules) {
            if (rule.network != network || rule.collective != collective ||
                !is_same_place(rule.layout, layout)) {
                continue;
            }
            const std::string problem = obstacle(rule);
            if (problem.empty()) {
                rules.push_back(&rule);
            } else {
                notes.push_back(fmt::format("left out: {} on {}, {}, {}: {}", rule.collective,
                                            to_string(layout), size_range(rule), rule.algorithm, problem));
            }
        }
        std::sort(rules.begin(), rules.end(),
                  [](const Rule* a, const Rule* b) { return a->from_bytes < b->from_bytes; });
        if (!rules.empty()) {
            layouts.push_back(std::move(rules));
        }
    }
    return layouts;
}

}  // namespace

std::string emit_mpich_stock(const Config& config, const EmitOptions& options) {
    const std::string network = chosen_network(config, options.network);
    Json tree = Json::parse(mpich_tree, nullptr, true, true);
    std::vector<std::string> comments = origin_lines(config, network);
    comments.insert(
        comments.begin(),
        "selection file for an unpatched MPICH 4: MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=FILE");
    for (auto& [key, subtree] : tree.items()) {
        const std::string collective = key.substr(key.find('=') + 1);
        const std::vector<Rules> layouts = rules_of(config, network, collective, comments);
        if (!layouts.empty()) {
            Json& intra = subtree["comm_type=intra"];
            intra = intra_tree(*find_collective(collective), layouts, Json(intra));
        }
    }
    std::string text = fmt::format("/* {} */\n{}\n", fmt::join(comments, "\n   "), tree.dump(1));
    return text.size() % page_bytes == 0 ? text + "\n" : text;
}

}  // namespace tuner
