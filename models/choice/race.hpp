// SPDX-License-Identifier: MIT
// Several algorithms are measured in turn, to find the fastest one: which of them need no more repetitions?
// Racing (Maron and Moore 1994; Birattari et al. 2002): what is significantly slower than the leader leaves;
// it is over when choosing the leader can be expected to lose next to nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "stopping.hpp"

namespace models {

struct RaceRules {
    double loss = 0.01;    // expected, of choosing the leader: then it is over
    double error = 0.001;  // the probability, at each look, of dropping one that is not slower
};

struct Racer {
    std::span<const double> seconds;  // in the order of measuring: the k-th ones of all are near in time
    bool is_same = false;             // the algorithm that the reference ran: nothing is to be told apart
};

// For each one: true, it needs no more repetitions. `reference` is the library's own choice: it runs on until
// it is known, beyond the loss, that the leader is faster (99%), or that the gain is at most twice the loss
// (95%). Nothing leaves before all that were not dropped (`has_left`) have the fewest repetitions.
std::vector<bool> race(std::span<const Racer> racers, const std::vector<bool>& has_left,
                       std::optional<std::size_t> reference, const RaceRules& rules = {});

// What is expected to be lost by preferring one of two: `lead` is the logarithm of the other's time divided
// by its own, `sd` the standard deviation of that (normal)
double expected_loss(double lead, double sd);

}  // namespace models
