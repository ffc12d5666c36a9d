// SPDX-License-Identifier: MIT
// The outcome of a case, one algorithm at one message size: its repetitions, or why it was not measured.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arrival.hpp"
#include "reproducible.hpp"
#include "retransmits.hpp"
#include "stopping.hpp"

namespace bench {

struct Repetition {
    double seconds;                     // of one call
    std::vector<double> start_of_rank;  // since the common start, if kept
    std::vector<double> finish_of_rank;
    std::vector<double> values;  // as the pattern lists them
    // last begin - first begin, each less the delay of its rank; of a window only with a pattern of arrivals,
    // and then from the planned start
    std::optional<double> start_skew_seconds = {};
    double waiting_seconds = 0;  // of all ranks together, from their arrivals to their finishes; of one call
    std::size_t number = 0;      // of those of its case, in the order in which they were made
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
    double seconds = 0;        // spent on it
    bool starts_late = false;  // the reason: nearly no start was in time
    Retransmits retransmits;   // on all nodes while its group was measured
    double arrival_unit = 0;   // seconds, in which the width of its pattern of arrivals counts
    models::ResultBits bits;   // of a reduction of floating-point numbers, if results are checked
};

const char* to_string(Status status);

// The times of the repetitions, in their order
std::vector<double> seconds_of(const CaseResult& result);
double median_seconds(const CaseResult& result);  // of at least one repetition
// The median of each rank's finishes since the common start; empty if they were not kept
std::vector<double> median_finish_of_ranks(const CaseResult& result);

// The median of last begin - first begin; nothing if all ranks start at one moment
std::optional<double> median_start_skew(const CaseResult& result);
double median_waiting(const CaseResult& result);  // of at least one repetition
// Of patterns that take turns: of each that has repetitions. Nothing for a single one
std::map<std::string, double> median_by_arrival(const CaseResult& result, const models::ArrivalMix& mix);
// The ranks start one after the other for so long that algorithms cannot be compared by the time
inline constexpr double largest_skew = 0.2;  // of the time of a repetition
bool is_skewed(const CaseResult& result, int calls_in_a_row);
// ... that little is left of a pattern of arrivals with this width in seconds
bool is_blurred(const CaseResult& result, double width);

// How the level changes from the first third of the repetitions to the last
struct Drift {
    double change;  // ratio of the medians of both thirds, less 1
    bool is_clear;  // by more than 2%, and by the test of Mann and Whitney not by chance (p < 0.01)
};
// Nothing if there are too few repetitions to tell
std::optional<Drift> drift_of(const CaseResult& result);

}  // namespace bench
