// SPDX-License-Identifier: MIT
// Pairs for verification, or for a check: what to ask the benchmark for.
#pragma once

#include "cells.hpp"
#include "runner.hpp"

namespace tuner {

// Two algorithms, repetition by repetition next to each other
struct PairRequest {
    CellKey cell;
    std::size_t bytes = 0;
    std::vector<std::string> algorithms;
    int job = 0;             // of those that measure the same; another number is another, fresh job
    int calls_in_a_row = 1;  // of each repetition
};

// The plan's number of repetitions shared by the jobs of a proof; fewer where a call takes long, by what was
// measured in the cell. `is_fresh_job`: it is the first question to its job.
Group group_of(const PairRequest& request, Stage stage, const PlannedCollective& collective, const Plan& plan,
               const Cell& cell, bool is_fresh_job);

// warm-up, a first batch, and one that is under way when the time of a case is over
inline constexpr double calls_beyond_limit = 20;
// Of one call of the slowest algorithm, from the nearest smaller size
double slowest_call(const Cell& cell, std::size_t bytes);

}  // namespace tuner
