// SPDX-License-Identifier: MIT
// How much of a nonblocking collective can be hidden behind computation: first its time without any, then
// what it costs while the ranks compute for as long, with more or fewer calls of MPI_Test in between.
#pragma once

#include <string>
#include <vector>

#include "session.hpp"

namespace bench {

enum class Scheme { time, work };
const char* to_string(Scheme scheme);
Scheme scheme_named(const std::string& name);  // throws std::invalid_argument

struct OverlapPlan {
    std::vector<Scheme> schemes = {Scheme::time, Scheme::work};
    std::vector<std::size_t> intervals = {0};  // bytes between two tests; 0: no test
    bool search_interval = false;              // also intervals of the size and its halves, while that pays
};

struct Overlap {
    std::string algorithm;
    std::size_t bytes;
    Scheme scheme;
    std::size_t interval;
    int tests;
    double blocking_seconds;  // medians
    double overhead_seconds;
    double overlap;        // 0 to 1
    bool is_best = false;  // of this scheme's intervals
};

// Collective; the results are on rank 0. An algorithm that could not be measured has none; `problems` says
// why.
std::vector<Overlap> measure_overlap(Session& session, const GroupSpec& group, const Settings& settings,
                                     const OverlapPlan& plan, std::vector<std::string>& problems);

}  // namespace bench
