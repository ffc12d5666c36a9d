// SPDX-License-Identifier: MIT
// MPICH reads a selection file for each of its layers: the algorithms; on ch4 devices, the compositions of
// parts inside and between nodes that come before them, and the algorithms inside of a node. What each of
// them may name, and which calls that is for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checked_json.hpp"
#include "stock_target.hpp"

namespace tuner {

// What a call must be for an algorithm; MPICH checks none of it in the choice of a file
enum Guard : unsigned {
    needs_shared_nodes = 1,  // ranks share nodes, one or several
    needs_one_node = 2,
    needs_commutative = 4,
    needs_built_in = 8,
    needs_elements = 16,  // at least as many as the largest power of two not above the ranks
    needs_power_of_two = 32,
    needs_in_place = 64,
    needs_not_in_place = 128,
    needs_equal_blocks = 256,
    needs_one_thread = 512,
};

struct SelectionLayer {
    const char* name;       // as in a tuning file
    const char* leaf;       // "algorithm=" or "composition="
    const char* variable;   // that names the file
    bool must_be_complete;  // else a call without a branch gets an algorithm of the next layer
};

const SelectionLayer& mpir_layer();
const SelectionLayer& ch4_layer();
const SelectionLayer& posix_layer();

// That the first name of the file belongs to; mpir if it has none
const SelectionLayer& layer_of(const Json& tree);
// MPIDI_Bcast_intra_composition_alpha; nullptr if it is none
const SelectionLayer* layer_of_name(std::string_view name);

// What its leaves may name, in that release
bool has_leaf(const SelectionLayer& layer, const std::string& name, const StockTarget& target);
// All guards of a name, those of later releases included
unsigned guards_of(const std::string& name, const StockTarget& target);

}  // namespace tuner
