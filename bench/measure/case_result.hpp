// SPDX-License-Identifier: MIT
// The outcome of a case, one algorithm at one message size: its repetitions, or why it was not measured.
#pragma once

#include <string>
#include <vector>

#include "retransmits.hpp"
#include "stopping.hpp"

namespace bench {

struct Repetition {
    double seconds;
    std::vector<double> start_of_rank;  // since the common start, if kept
    std::vector<double> finish_of_rank;
    std::vector<double> values;  // as the pattern lists them
};

enum class Status { measured, refused, wrong_result, wrong_algorithm };

// The outcome of one case. On rank 0; elsewhere empty.
struct CaseResult {
    std::string algorithm;
    Status status = Status::measured;
    std::string reason;          // of any other status
    std::string used_algorithm;  // by the library's own word; empty if it cannot say
    std::vector<Repetition> repetitions;
    long invalid = 0;  // repetitions that a rank started late
    models::Ended ended = models::Ended::not_yet;
    double precision = 0;
    double seconds = 0;       // spent on it
    Retransmits retransmits;  // on all nodes while its group was measured
};

const char* to_string(Status status);

// The times of the repetitions, in their order
std::vector<double> seconds_of(const CaseResult& result);
double median_seconds(const CaseResult& result);  // of at least one repetition
// The median of each rank's finishes since the common start; empty if they were not kept
std::vector<double> median_finish_of_ranks(const CaseResult& result);

}  // namespace bench
