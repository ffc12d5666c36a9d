// SPDX-License-Identifier: MIT
// What trees and forests see of a call: logarithms of its size, nodes, ranks on a node and ranks.
#pragma once

#include <array>
#include <cmath>

#include "cells.hpp"

namespace evaluation {

using Features = std::array<double, 4>;

inline Features features_of(const tuner::CellKey& cell, std::size_t bytes) {
    const auto log = [](auto value) { return std::log2(static_cast<double>(value)); };
    return {log(bytes), log(cell.layout.nodes), log(cell.layout.ppn), log(cell.layout.ranks())};
}

// Learnt together: layouts differ, networks and collectives do not
using Task = std::pair<std::string, std::string>;
inline Task task_of(const tuner::CellKey& cell) {
    return {cell.network, cell.collective};
}

}  // namespace evaluation
