// SPDX-License-Identifier: MIT
// A group of cases that are measured together: the algorithms of one pattern at one message size.
#pragma once

#include <string>
#include <vector>

#include "elements.hpp"
#include "order.hpp"
#include "pairs.hpp"
#include "pattern.hpp"

namespace bench {

struct GroupSpec {
    const Pattern* pattern;
    std::size_t bytes;  // message size, as the pattern defines it
    std::vector<std::string> algorithms;
    const Elements* elements;
    int root = 0;
    bool rotate_root = false;
    bool in_place = false;
    // of an exchange
    std::vector<Pair> pairs = {};         // all at once; of patterns that have pairs, at least one
    std::string link = {};                // of the pairs: within or between nodes, or mixed
    std::vector<double> parameters = {};  // as its pattern lists them
    int ranks = 0;
    Order order = Order::random;  // as pairs: of exactly two algorithms
    int calls_in_a_row = 1;       // of a repetition, with nothing between; of collectives only
};

}  // namespace bench
