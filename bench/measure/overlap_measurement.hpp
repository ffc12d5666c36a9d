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
inline const std::string search_interval_name = "search";

struct OverlapPlan {
    std::vector<Scheme> schemes = {Scheme::time, Scheme::work};
    std::vector<std::size_t> intervals = {0};  // bytes between two tests; 0: no test
    bool search_interval = false;              // also intervals of the size and its halves, while that pays
};

// By the names of schemes, and by bytes or "search"; throws std::invalid_argument
OverlapPlan overlap_plan(const std::vector<std::string>& schemes, const std::vector<std::string>& intervals);

// A case of its own: its times are overheads
struct Overlap {
    Scheme scheme;
    std::size_t interval;
    int tests;
    std::vector<double> parameters;  // of the pattern
    CaseResult result;               // on rank 0
    double overhead_seconds;         // median; not a number: it could not be measured
    double overlap;                  // 0 to 1
    bool is_best = false;            // of this scheme's intervals
};

struct AlgorithmOverlap {
    CaseResult blocking;            // without computation; on rank 0
    double blocking_seconds;        // median; not a number: it could not be measured
    std::vector<Overlap> overlaps;  // none in that case
};

// Throws std::invalid_argument for a pattern that cannot overlap
void check_overlap(const Pattern& pattern);

// Collective. One for each algorithm of the group.
std::vector<AlgorithmOverlap> measure_overlap(Session& session, const GroupSpec& group,
                                              const Settings& settings, const OverlapPlan& plan);

}  // namespace bench
