// SPDX-License-Identifier: MIT
// Pairs for verification, or for a check: what to ask the benchmark for.
#pragma once

#include "arrival.hpp"
#include "cells.hpp"
#include "runner.hpp"

namespace tuner {

// Two algorithms, repetition by repetition next to each other
struct PairRequest {
    CellKey cell;
    std::size_t bytes = 0;
    std::vector<std::string> algorithms;
    int job = 0;                      // of those that measure the same; another number is another, fresh job
    int calls_in_a_row = 1;           // of each repetition
    models::ArrivalMix arrival = {};  // of the ranks; empty: together
    bool shares_job = false;          // with other algorithms and collectives on the same layout
    bool is_first = false;            // of these algorithms in the job
    std::string setting = {};         // of the job, see CaseRecord
};

// May one job answer both, one after the other?
bool can_share_job(const PairRequest& before, const PairRequest& request);

// Roughly, of one job; `expected_seconds` of the group, for time-outs, is what it may take
double likely_seconds(const PairRequest& request, const Plan& plan, const Cell& cell);

// The plan's number of repetitions shared by the jobs of a proof; fewer where a call takes long, by what was
// measured in the cell. `is_fresh_job`: it is the first question to its job.
Group group_of(const PairRequest& request, Stage stage, const PlannedCollective& collective, const Plan& plan,
               const Cell& cell, bool is_fresh_job);

// In times of a call: how long the last rank is waited for, on average
double wait_for_last(const models::ArrivalMix& arrivals);

// Warm-up, a first batch, and one that is under way when the time of a case is over. Of long calls there is
// one for warm-up, and the first batch is the last.
double seconds_beyond_limit(double call_seconds);
// Of one call of the slowest algorithm, from the nearest smaller size
double slowest_call(const Cell& cell, std::size_t bytes);

}  // namespace tuner
