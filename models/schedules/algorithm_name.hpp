// SPDX-License-Identifier: MIT
// The name of an algorithm with those of its parameters that are chosen: tsp_tree:k=4:chunk_size=16Ki.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace models {

struct AlgorithmName {
    std::string algorithm;
    std::vector<std::pair<std::string, std::string>> parameters;  // in their order, values as written

    // Throws std::invalid_argument for a part that is not name=value, or that is listed twice
    explicit AlgorithmName(const std::string& text);
};

}  // namespace models
