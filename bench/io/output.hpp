// SPDX-License-Identifier: MIT
// Results for people (a table) and for programs (JSON lines, CSV). Measuring code never prints; it hands
// results here. A line is written in one go, so that a killed job leaves complete lines only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "overlap_measurement.hpp"
#include "process_sets.hpp"
#include "session.hpp"

namespace bench {

class Printer {
  public:
    virtual ~Printer() = default;
    virtual void header(const Header& header) = 0;
    // `id` names the request in serve mode; elsewhere empty
    virtual void group(const GroupSpec& group, const std::vector<CaseResult>& results,
                       const std::string& id) = 0;
    virtual void overlap(const GroupSpec& group, const std::vector<AlgorithmOverlap>& results,
                         const std::string& id) = 0;
    virtual void error(const std::string& message, const std::string& id) = 0;
    virtual void done(const std::string& id) = 0;  // with a request
    virtual void end(const Retransmits& before, const Retransmits& after) = 0;
};

// with_ranks: also what each rank did, if it was kept; sets: distributions of the finishes of their ranks
std::unique_ptr<Printer> table_printer(bool with_ranks, std::vector<ProcessSet> sets = {});
std::unique_ptr<Printer> json_printer(bool with_ranks, std::vector<ProcessSet> sets = {});
std::unique_ptr<Printer> csv_printer(bool with_ranks);

}  // namespace bench
