// SPDX-License-Identifier: MIT
// Rules whose algorithms allocate no more memory than the user allows (models/choice/extra_memory.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config.hpp"
#include "extent.hpp"

namespace tuner {

// On the rank that needs most; nothing: it is not known
std::optional<std::size_t> most_memory(const Rule& rule, const Layout& layout, std::size_t bytes);

// Algorithms that need more than `limit` (0: none), or nobody knows how much, become missing at such sizes;
// adds a note for each of a collective.
void keep_memory(Cells& cells, std::size_t limit, std::vector<std::string>& notes);

// Between measured sizes and on layouts that were not measured: rules end where they would need more. On the
// largest layout that a rule may hold for, `extent` being that of the cluster.
void trim_to_memory(std::vector<Rule>& rules, std::size_t limit, const Extent& extent,
                    std::vector<std::string>& notes);

}  // namespace tuner
