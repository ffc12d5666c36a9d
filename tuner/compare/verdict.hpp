// SPDX-License-Identifier: MIT
// The answer of a comparison: which of the two is faster, at how many sizes, where the other one is, and what
// may explain it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "compare.hpp"

namespace tuner {

// Over all sizes that both have
struct Tally {
    std::size_t sizes = 0;
    std::size_t faster_a = 0;  // significantly
    std::size_t faster_b = 0;
    double ratio = 1;  // b / a, geometric mean
};

struct ComparisonVerdict {
    Winner faster = Winner::neither;
    std::string of;                                     // default or tuned, of collectives; messages
    Tally tally;                                        // by which it is told
    std::vector<std::pair<std::string, Tally>> others;  // by other choices of algorithms
    std::vector<std::string> exceptions;                // where the other one is faster, or each is
    std::vector<std::string> why;                       // what may explain it
};

ComparisonVerdict verdict_of(const Comparison& comparison);

// One sentence. On a page that has no A and B, `a` and `b` are what the two are called.
std::string headline_of(const Comparison& comparison, const ComparisonVerdict& verdict);
std::string headline_of(const ComparisonVerdict& verdict, const std::string& a, const std::string& b);
std::string to_text(const Comparison& comparison, const ComparisonVerdict& verdict);
Json to_json(const Comparison& comparison, const ComparisonVerdict& verdict);

std::string sizes_of(const WonRange& won);  // from 8 to 64Ki bytes; at 8 bytes

// For people: the network; with its run, if the two are of different runs
std::string side_label(const ComparedSide& side, const ComparedSide& other);

}  // namespace tuner
