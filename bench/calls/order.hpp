// SPDX-License-Identifier: MIT
// In which order the repetitions of a group are made. In random order, a drift of the machine affects all
// algorithms alike. As pairs, the k-th repetitions of two algorithms are neighbours in time, so that
// their ratio has little of the drift at all; half of the pairs begin with either algorithm, so that it does
// not matter which one follows the other.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "stopping.hpp"

namespace bench {

enum class Order { random, pairs };
const char* to_string(Order order);
Order order_named(const std::string& name);  // throws std::invalid_argument

// The case of each repetition: of the i-th case repetitions[i], in random order
std::vector<std::size_t> in_random_order(const std::vector<std::size_t>& repetitions,
                                         std::mt19937_64& random);

// The same for the cases 0 and 1 as neighbours: blocks of two pairs, 01 10 or 10 01 by chance. An odd number
// is rounded up.
std::vector<std::size_t> in_pairs(std::size_t pairs, std::mt19937_64& random);

// The members of a pair end together: when both are precise, or when one reaches a limit
models::Ended end_in_pair(models::Ended own, models::Ended partner);

}  // namespace bench
