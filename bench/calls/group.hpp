// SPDX-License-Identifier: MIT
// A group of cases that are measured together: the algorithms of one pattern at one message size.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arrival.hpp"
#include "communicators.hpp"
#include "elements.hpp"
#include "order.hpp"
#include "pairs.hpp"
#include "pattern.hpp"

namespace bench {

// Calls of a recorded program, of a collective, number of ranks and size class
struct RecordedCalls {
    std::string name;                         // in words
    std::vector<std::vector<double>> delays;  // of each call, seconds of each rank
    bool operator==(const RecordedCalls&) const = default;
};

// The ranks arrive at a call in a pattern of delays
struct GroupArrival {
    models::ArrivalMix how;
    double unit_seconds =
        0;  // in which its width counts; 0: the time of the first algorithm that is measured
    std::vector<int> node_of_rank;
    RecordedCalls recorded = {};  // of the pattern `recorded`

    // Of the k-th repetition
    std::vector<double> delays(std::size_t k, std::uint64_t draw, double unit) const {
        const models::Arrival& pattern = models::arrival_at(how, k);
        return pattern.pattern->is_recorded ? recorded.delays[draw % recorded.delays.size()]
                                            : models::arrival_delays(pattern, unit, node_of_rank, draw);
    }
    bool operator==(const GroupArrival&) const = default;
};

struct GroupSpec {
    const Pattern* pattern;
    std::size_t bytes;  // message size, as the pattern defines it
    std::vector<std::string> algorithms;
    const Elements* elements;
    int root = 0;
    bool rotate_root = false;
    bool in_place = false;
    // of an exchange
    std::vector<Pair> pairs = {};              // all at once; of patterns that have pairs, at least one
    std::string link = {};                     // of the pairs: within or between nodes, or mixed
    std::vector<double> parameters = {};       // as its pattern lists them
    int ranks = 0;                             // of a communicator
    Order order = Order::random;               // as pairs: of exactly two algorithms
    int calls_in_a_row = 1;                    // of a repetition, with nothing between; of collectives only
    std::optional<GroupArrival> arrival = {};  // of collectives only
    models::Communicators communicators = {};  // that call at the same time; of collectives only
};

}  // namespace bench
