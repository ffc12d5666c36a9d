// SPDX-License-Identifier: MIT
// Collectives that a ch4 device of MPICH composes of parts inside of nodes and between them (ch4_coll_impl.h
// of 4.0.2), and the names of such candidates: beta/binomial+release_gather:tree_type=knomial_1:k=4 is the
// composition beta, whose part between nodes is binomial and whose parts inside of nodes use shared memory.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace models {

inline constexpr const char* release_gather = "release_gather";  // by shared memory
inline constexpr const char* by_messages = "mpir";               // by the algorithms for messages

struct DeviceLayers {
    std::string composition;  // alpha, beta or gamma
    std::string between;      // the algorithm between nodes; empty: as the library selects it
    std::string in_node;      // release_gather or mpir
    std::vector<std::pair<std::string, std::string>> parameters = {};  // of release_gather

    bool operator==(const DeviceLayers&) const = default;
};

// An algorithm of MPIR has no parts, and no '+' in its name
bool has_layers(std::string_view algorithm);
// Throws std::invalid_argument with what is wrong
DeviceLayers parse_device_layers(const std::string& name);
std::string to_string(const DeviceLayers& layers);
// It has more than a composition and a way inside of nodes
bool is_variation(const std::string& algorithm);

// Is `used`, as the library says what ran, what the name asks for? It may say more, or not know a layer
bool is_what_ran(const std::string& name, const std::string& used);

struct Composition {
    const char* collective;
    const char* name;
    std::vector<const char*> in_node;  // the collectives inside of nodes
    bool between_nodes;                // the same collective between them
    bool only_one_node = false;
    bool only_commutative = false;
};

// Those that have parts inside of nodes: only for communicators with several ranks on a node
std::span<const Composition> compositions();
const Composition* find_composition(std::string_view collective, std::string_view name);
// What leaves the whole call to the algorithms for messages; empty: the device does not compose the
// collective
std::string flat_composition(std::string_view collective);

// Where ranks are, as far as layers depend on it
struct NodesOfRanks {
    int nodes = 1;
    int most_ranks = 1;  // on a node
};

// Why a composition, with this way inside of nodes, cannot be asked for there; nothing if it can
std::optional<std::string> problem_with(const Composition& composition, const std::string& in_node,
                                        const NodesOfRanks& where, bool is_commutative);

// The layers are searched in turn, not as a product. First each composition with each way inside of nodes ...
std::vector<std::string> first_layers(std::string_view collective, const NodesOfRanks& where);
// ... then what varies the best of the names that were asked for: parameters of release_gather, then the
// algorithm between nodes, which may be any of `messages`. Empty: there is nothing more
std::vector<std::string> next_layers(const std::string& best, std::span<const std::string> asked,
                                     std::span<const std::string> messages, const NodesOfRanks& where);

}  // namespace models
