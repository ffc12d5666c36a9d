// SPDX-License-Identifier: MIT
#include "selection_layer.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <set>

#include "schedule.hpp"
#include "selection_question.hpp"

namespace tuner {

extern const char* const mpich_algorithms;

namespace {

const SelectionLayer layers[] = {
    {"mpir", "algorithm=", "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", true},
    {"ch4", "composition=", "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE", false},
    {"posix", "algorithm=", "MPIR_CVAR_CH4_POSIX_COLL_SELECTION_TUNING_JSON_FILE", false},
};

struct Leaf {
    const char* name;
    const char* since;
    unsigned guards;
};

// Of ch4_init.c and posix_init.c: what the parser of 4.0.2 knows, and what is in the libraries of 4.2.1
// and 5.0.2 besides. The multi-leader compositions of 4.1 and later check by themselves whether they can run.
// The composition delta of allreduce has no name in any file.
constexpr Leaf ch4_leaves[] = {
    {"MPIDI_Barrier_intra_composition_alpha", "4.0", needs_shared_nodes},
    {"MPIDI_Barrier_intra_composition_beta", "4.0", 0},
    {"MPIDI_Bcast_intra_composition_alpha", "4.0", needs_shared_nodes},
    {"MPIDI_Bcast_intra_composition_beta", "4.0", needs_shared_nodes},
    {"MPIDI_Bcast_intra_composition_gamma", "4.0", 0},
    {"MPIDI_Bcast_intra_composition_delta", "5.0", 0},
    {"MPIDI_Reduce_intra_composition_alpha", "4.0", needs_shared_nodes | needs_commutative},
    {"MPIDI_Reduce_intra_composition_beta", "4.0", needs_shared_nodes | needs_commutative},
    {"MPIDI_Reduce_intra_composition_gamma", "4.0", 0},
    {"MPIDI_Allreduce_intra_composition_alpha", "4.0", needs_shared_nodes | needs_commutative},
    {"MPIDI_Allreduce_intra_composition_beta", "4.0", 0},
    {"MPIDI_Allreduce_intra_composition_gamma", "4.0", needs_one_node},
    {"MPIDI_Allgather_intra_composition_alpha", "4.0", 0},
    {"MPIDI_Allgather_intra_composition_beta", "4.1", 0},
    {"MPIDI_Allgatherv_intra_composition_alpha", "4.0", 0},
    {"MPIDI_Alltoall_intra_composition_alpha", "4.0", 0},
    {"MPIDI_Alltoall_intra_composition_beta", "4.1", 0},
    {"MPIDI_Alltoallv_intra_composition_alpha", "4.0", 0},
    {"MPIDI_Alltoallw_intra_composition_alpha", "4.0", 0},
    {"MPIDI_Gather_intra_composition_alpha", "4.0", 0},
    {"MPIDI_Gatherv_intra_composition_alpha", "4.0", 0},
    {"MPIDI_Scatter_intra_composition_alpha", "4.0", 0},
    {"MPIDI_Scatterv_intra_composition_alpha", "4.0", 0},
    {"MPIDI_Reduce_scatter_intra_composition_alpha", "4.0", 0},
    {"MPIDI_Reduce_scatter_block_intra_composition_alpha", "4.0", 0},
    {"MPIDI_Scan_intra_composition_alpha", "4.0", needs_shared_nodes},
    {"MPIDI_Scan_intra_composition_beta", "4.0", 0},
    {"MPIDI_Exscan_intra_composition_alpha", "4.0", 0},
};

constexpr Leaf posix_leaves[] = {
    {"MPIDI_POSIX_mpi_bcast_release_gather", "4.0", needs_one_thread},
    {"MPIDI_POSIX_mpi_bcast_ipc_read", "5.0", 0},
    {"MPIDI_POSIX_mpi_barrier_release_gather", "4.0", needs_one_thread},
    {"MPIDI_POSIX_mpi_allreduce_release_gather", "4.0", needs_one_thread | needs_commutative},
    {"MPIDI_POSIX_mpi_reduce_release_gather", "4.0", needs_one_thread | needs_commutative},
};

// What mpir_coll.c of 4.0.2 checks where a control variable forces an algorithm, and does not where a file
// names it
constexpr Leaf mpir_guards[] = {
    {"MPIR_Barrier_intra_smp", "", needs_shared_nodes},
    {"MPIR_Bcast_intra_smp", "", needs_shared_nodes},
    {"MPIR_Reduce_intra_smp", "", needs_shared_nodes | needs_commutative},
    {"MPIR_Reduce_intra_reduce_scatter_gather", "", needs_built_in | needs_elements},
    {"MPIR_Allreduce_intra_smp", "", needs_shared_nodes | needs_commutative},
    {"MPIR_Allreduce_intra_reduce_scatter_allgather", "", needs_built_in | needs_elements},
    {"MPIR_Allgather_intra_recursive_doubling", "", needs_power_of_two},
    {"MPIR_Allgatherv_intra_recursive_doubling", "", needs_power_of_two},
    {"MPIR_Alltoall_intra_brucks", "", needs_not_in_place},
    {"MPIR_Alltoall_intra_pairwise", "", needs_not_in_place},
    {"MPIR_Alltoall_intra_scattered", "", needs_not_in_place},
    {"MPIR_Alltoall_intra_pairwise_sendrecv_replace", "", needs_in_place},
    {"MPIR_Alltoallv_intra_scattered", "", needs_not_in_place},
    {"MPIR_Alltoallv_intra_pairwise_sendrecv_replace", "", needs_in_place},
    {"MPIR_Alltoallw_intra_scattered", "", needs_not_in_place},
    {"MPIR_Alltoallw_intra_pairwise_sendrecv_replace", "", needs_in_place},
    {"MPIR_Reduce_scatter_intra_recursive_halving", "", needs_commutative},
    {"MPIR_Reduce_scatter_intra_pairwise", "", needs_commutative},
    {"MPIR_Reduce_scatter_intra_noncommutative", "", needs_power_of_two | needs_equal_blocks},
    {"MPIR_Reduce_scatter_block_intra_recursive_halving", "", needs_commutative},
    {"MPIR_Reduce_scatter_block_intra_pairwise", "", needs_commutative},
    {"MPIR_Reduce_scatter_block_intra_noncommutative", "", needs_power_of_two},
    {"MPIR_Scan_intra_smp", "", needs_shared_nodes},
    {"MPIR_Ibcast_intra_sched_smp", "", needs_shared_nodes},
    {"MPIR_Ibcast_intra_sched_scatter_recursive_doubling_allgather", "", needs_power_of_two},
    {"MPIR_Ireduce_intra_sched_smp", "", needs_shared_nodes | needs_commutative},
    {"MPIR_Ireduce_intra_sched_reduce_scatter_gather", "", needs_built_in | needs_elements},
    {"MPIR_Ireduce_intra_tsp_tree", "", needs_commutative},
    {"MPIR_Ireduce_intra_tsp_ring", "", needs_commutative},
    {"MPIR_Iallreduce_intra_sched_smp", "", needs_shared_nodes | needs_commutative},
    {"MPIR_Iallreduce_intra_sched_reduce_scatter_allgather", "", needs_built_in | needs_elements},
    {"MPIR_Iallreduce_intra_tsp_tree", "", needs_commutative},
    {"MPIR_Iallreduce_intra_tsp_ring", "", needs_commutative},
    {"MPIR_Iallreduce_intra_tsp_recexch_reduce_scatter_recexch_allgatherv", "", needs_commutative},
    {"MPIR_Iallgather_intra_sched_recursive_doubling", "", needs_power_of_two},
    {"MPIR_Iallgatherv_intra_sched_recursive_doubling", "", needs_power_of_two},
    {"MPIR_Ialltoall_intra_sched_permuted_sendrecv", "", needs_not_in_place},
    {"MPIR_Ialltoall_intra_sched_inplace", "", needs_in_place},
    {"MPIR_Ireduce_scatter_intra_sched_noncommutative", "", needs_power_of_two | needs_equal_blocks},
    {"MPIR_Ireduce_scatter_intra_tsp_recexch", "", needs_commutative},
    {"MPIR_Ireduce_scatter_block_intra_sched_noncommutative", "", needs_power_of_two},
    {"MPIR_Ireduce_scatter_block_intra_tsp_recexch", "", needs_commutative},
    {"MPIR_Iscan_intra_sched_smp", "", needs_shared_nodes},
};

const Leaf* find_leaf(std::span<const Leaf> leaves, std::string_view name) {
    const auto row =
        std::find_if(leaves.begin(), leaves.end(), [&](const Leaf& leaf) { return name == leaf.name; });
    return row == leaves.end() ? nullptr : &*row;
}

// By the release that they are first in: "all", "4.0" alone, "since 4.1"
bool has_mpir_name(const std::string& name, const StockTarget& target) {
    static const std::map<std::string, std::set<std::string>> names =
        Json::parse(mpich_algorithms).get<std::map<std::string, std::set<std::string>>>();
    return std::any_of(names.begin(), names.end(), [&](const auto& row) {
        const auto& [release, list] = row;
        const bool is_since = release.starts_with("since ") && target.name >= release.substr(6);
        return (release == "all" || release == target.name || is_since) && list.contains(name);
    });
}

// Empty if there is none
std::string first_leaf(const Json& node, int level = 0) {
    if (!node.is_object() || level > most_levels) {
        return {};
    }
    for (const auto& [key, subtree] : node.items()) {
        const std::string word = without_spaces(key);
        if (word.starts_with("algorithm=") || word.starts_with("composition=")) {
            return word.substr(word.find('=') + 1);
        }
        if (std::string below = first_leaf(subtree, level + 1); !below.empty()) {
            return below;
        }
    }
    return {};
}

// MPIR_Bcast_intra_tree, of a later release
unsigned later_guards(const std::string& name, const StockTarget& target) {
    const std::size_t at = name.find("_intra_");
    if (!name.starts_with("MPIR_") || at == std::string::npos) {
        return 0;
    }
    std::string collective = name.substr(5, at - 5);
    collective[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(collective[0])));
    const LaterAlgorithm* later = find_later_algorithm(
        target, collective, models::AlgorithmName(name.substr(at + std::strlen("_intra_"))));
    const auto needs = [&](unsigned precondition) {
        return later != nullptr && (later->preconditions & precondition) != 0;
    };
    return (needs(models::commutative_operation) ? needs_commutative : 0U) |
           (needs(models::element_for_each_rank) ? needs_elements : 0U);
}

}  // namespace

const SelectionLayer& mpir_layer() {
    return layers[0];
}

const SelectionLayer& ch4_layer() {
    return layers[1];
}

const SelectionLayer& posix_layer() {
    return layers[2];
}

const SelectionLayer* layer_of_name(std::string_view name) {
    const bool is_mpir = name.starts_with("MPIR_");
    const bool is_posix = name.starts_with("MPIDI_POSIX_");
    const bool is_ch4 = name.starts_with("MPIDI_") && name.find("_composition_") != std::string_view::npos;
    return is_mpir ? &mpir_layer() : is_posix ? &posix_layer() : is_ch4 ? &ch4_layer() : nullptr;
}

const SelectionLayer& layer_of(const Json& tree) {
    const SelectionLayer* layer = layer_of_name(first_leaf(tree));
    return layer == nullptr ? mpir_layer() : *layer;
}

bool has_leaf(const SelectionLayer& layer, const std::string& name, const StockTarget& target) {
    if (&layer == &mpir_layer()) {
        return has_mpir_name(name, target);
    }
    const bool is_ch4 = &layer == &ch4_layer();
    const Leaf* leaf = is_ch4 ? find_leaf(ch4_leaves, name) : find_leaf(posix_leaves, name);
    return leaf != nullptr && std::string_view(leaf->since) <= target.name;
}

unsigned guards_of(const std::string& name, const StockTarget& target) {
    for (const std::span<const Leaf> leaves :
         {std::span<const Leaf>(ch4_leaves), std::span<const Leaf>(posix_leaves),
          std::span<const Leaf>(mpir_guards)}) {
        if (const Leaf* leaf = find_leaf(leaves, name)) {
            return leaf->guards;
        }
    }
    return later_guards(name, target);
}

}  // namespace tuner
