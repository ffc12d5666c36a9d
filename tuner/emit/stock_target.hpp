// SPDX-License-Identifier: MIT
// In what the selection files of the releases of MPICH differ.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algorithm_name.hpp"
#include "checked_json.hpp"

namespace tuner {

struct StockTarget {
    const char* name;  // "4.2", for all 4.2.x
    // Since 4.1 the barrier is MPIR_Barrier_intra_k_dissemination with a radix; the name before is not known
    // any more, and MPI_Init ends the job if a file has it.
    bool has_k_dissemination;
    // Since 4.2: the key "any", and comm_avg_ppn<N
    bool has_bare_any;
    // Since 5.0, node, node_roots and flat are one: ranks of one node cannot be told from one rank on each
    // node, and nothing can be asked of processes per node there.
    bool tells_flat;
    // Since 4.3 tree_type=kary, not =0
    bool names_trees;
};

// An algorithm that 4.0 does not have. A leaf of it has all parameters: what is missing is not defined.
struct LaterAlgorithm {
    const char* collective;
    const char* name;
    const char* since;
    unsigned preconditions;                                       // models::Precondition
    std::vector<std::pair<std::string, std::string>> parameters;  // with the defaults of 4.2.1 and 5.0.2
};

std::span<const StockTarget> stock_targets();
const StockTarget& find_stock_target(const std::string& name);
// Of a version line, "MPICH Version: 4.2.1;..."; the oldest if there is no such release
const StockTarget& stock_target_of(const std::string& library);

// MPICH's own tree, which is that of 4.0.2 but for the names
Json tree_of(const StockTarget& target);
// Nothing if the release does not have it, or not with these parameters
const LaterAlgorithm* find_later_algorithm(const StockTarget& target, const std::string& collective,
                                           const models::AlgorithmName& name);
// As in a selection file: tree_type=0
std::string leaf_key(const StockTarget& target, const std::string& parameter, const std::string& value);
// {"algorithm=MPIR_Bcast_intra_binomial": {}}; the algorithm may have parameters, such as tree:k=4
Json algorithm_leaf(const StockTarget& target, const std::string& collective, const std::string& algorithm);

}  // namespace tuner
