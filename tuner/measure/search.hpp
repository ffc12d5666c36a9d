// SPDX-License-Identifier: MIT
// What to measure next: first a coarse grid of sizes with all algorithms, then sizes between neighbours whose
// best algorithms differ, without what is clearly dominated there. A pure function of what was measured so
// far, so that a campaign can be killed and resumed at any question.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cells.hpp"
#include "device_layers.hpp"
#include "plan.hpp"

namespace tuner {

struct Question {
    std::size_t bytes = 0;
    std::vector<std::string> algorithms;  // empty: all that the library has
    bool operator==(const Question&) const = default;
};

// Nothing when all is known that the plan wants. `prior` (or nullptr): what was measured of it before; what
// was far behind there is asked for only where it turns out otherwise. If each question is answered
// (measured, or missing with a reason), that comes after a bounded number of questions, whatever the noise.
// `where`: of a device that composes collectives, their layers are searched in turn.
std::optional<Question> next_request(const Plan& plan, const PlannedCollective& collective, const Cell& cell,
                                     const Cell* prior = nullptr, const models::NodesOfRanks& where = {});

// Its first part: as long as a size of the grid is not known
std::optional<Question> next_of_grid(const Plan& plan, const PlannedCollective& collective, const Cell& cell,
                                     const Cell* prior = nullptr);

// The sizes that are measured in any case: ascending, both ends included
std::vector<std::size_t> grid_of(const Plan& plan, const PlannedCollective& collective);

// Between two measured sizes the best algorithm changes, and the plan wants to know better where
struct OpenChangeover {
    std::size_t low_bytes = 0;
    std::size_t high_bytes = 0;
    std::string low_best;
    std::string high_best;
};
std::vector<OpenChangeover> open_changeovers(const Plan& plan, const PlannedCollective& collective,
                                             const Cell& cell);

// Roughly how many more questions there will be
double questions_left(const Plan& plan, const PlannedCollective& collective, const Cell& cell);

}  // namespace tuner
