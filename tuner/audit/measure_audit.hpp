// SPDX-License-Identifier: MIT
// Measures guidelines: in each job of a layout all its comparisons, one after the other, each as pairs of the
// call and its mock-up.
#pragma once

#include "audit.hpp"
#include "trial.hpp"

namespace tuner {

// What to compare on a layout: its collectives, at so many sizes each. `collectives`: only these; empty: all
// that were measured there
std::vector<AuditCase> cases_to_audit(const Cells& cells, const std::string& network, const Layout& layout,
                                      const std::vector<std::string>& collectives);

PairRequest request_of(const AuditCase& audited, int job);

// Jobs of the same pairs, by number
struct AuditJobs {
    std::size_t first = 0;
    std::size_t count = jobs_of_audit;
};

// In so many fresh jobs. What fails once is not asked for again, and noted. False: it was stopped.
bool measure_audit(std::vector<AuditCase>& cases, const MeasurePairs& measure,
                   std::vector<std::string>& notes, const AuditJobs& jobs = {});

}  // namespace tuner
