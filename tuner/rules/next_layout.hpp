// SPDX-License-Identifier: MIT
// Which layout to measure next: the one from which the rules for all jobs of the cluster are expected to gain
// most, in the time that there is for it.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "plan.hpp"
#include "prediction.hpp"
#include "range_rules.hpp"

namespace tuner {

struct LayoutChoice {
    Extent extent;               // of the cluster
    std::vector<JobCount> jobs;  // empty: each doubling of nodes, and of ranks on a node, counts the same
    double loss_bound = 0.02;    // of all jobs together: then it is enough
    std::function<bool(const Layout&)> can_start;              // all of them, if there is none
    double seconds = std::numeric_limits<double>::infinity();  // that there are for it
};

struct NextLayout {
    // What the rules would lose against the best algorithms, as a mean over all jobs, if nothing more is
    // measured; nothing: nobody can tell, since it is not known what the library chooses by itself
    std::optional<double> expected_loss;
    std::optional<Layout> layout;  // nothing: the loss is within the bound, or there is no other layout
    double seconds = 0;            // that it takes to measure it, about
};

// `shapes` comes from shapes_of and has every network of the cells
NextLayout next_layout(const Cells& cells, const Shapes& shapes, const Plan& plan,
                       const LayoutChoice& choice);

}  // namespace tuner
