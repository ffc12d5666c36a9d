// SPDX-License-Identifier: MIT
// C4.5 (Quinlan 1993), as Pjesivac-Grbovic et al. (Euro-Par 2007) use it for collectives: splits by gain
// ratio, leaves of at least two, pruned by the pessimistic error at 25% confidence.
#pragma once

#include <string>
#include <vector>

#include "exhaustive.hpp"
#include "features.hpp"

namespace evaluation {

struct Example {
    Features features;
    std::string best;
};

class DecisionTree {
  public:
    DecisionTree() = default;  // knows nothing: the library's own choice
    explicit DecisionTree(std::vector<Example> examples);
    const std::string& best(const Features& features) const;
    std::size_t leaves() const;

  private:
    struct Node {
        std::string best;
        std::size_t feature = 0;
        double threshold = 0;
        std::size_t low = 0;  // indices of nodes; 0: it is a leaf
        std::size_t high = 0;
    };
    // Adds the node of these examples; returns its pessimistic number of errors
    double grow(std::size_t node, std::vector<Example> examples);
    std::vector<Node> nodes_;
};

// Everything on a grid, then a tree for each network and collective
class TreeOfGrid : public Exhaustive {
  public:
    using Exhaustive::Exhaustive;
    Choice choice() const override;
};

}  // namespace evaluation
