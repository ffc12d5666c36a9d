// SPDX-License-Identifier: MIT
// A case and a repetition while they are measured. Only for the sources of Measurement and Judge.
#pragma once

#include <memory>
#include <string>

#include "call_data.hpp"
#include "measure.hpp"

namespace bench {

inline constexpr std::size_t batch_of_a_case =
    8;  // most repetitions of a case between two looks at the results
// In a race the first batch decides most cases; and each one of long calls is dear
inline constexpr std::size_t small_batch = 3;
inline constexpr double long_window = 0.075;

// The delay of each rank in a repetition; empty if all start together
struct PlannedRepetition;
std::vector<double> delays_of(const GroupSpec& group, const PlannedRepetition& repetition);

// What decides is on rank 0 and told to the others.
struct RunningCase {
    std::string algorithm;
    std::unique_ptr<CallData> data;
    CaseResult result;
    std::unique_ptr<models::Stopping> stopping;  // on rank 0
    double window = 0;
    std::size_t next_batch = batch_of_a_case;  // its repetitions
    int planned = 0;                           // repetitions so far
    bool active = true;
    bool has_left_race = false;  // on rank 0

    void give_up(Status status, const std::string& reason) {
        result.status = status;
        result.reason = reason;
        result.repetitions.clear();
        active = false;
    }
};

struct PlannedRepetition {
    std::size_t case_index;
    bool in_pair = false;  // with the one beside it: pairs follow one another
    int root = 0;
    double start = 0;  // global; of its window
    double window = 0;
    std::size_t number = 0;   // of those of its case
    std::uint64_t draw = 0;   // for delays by chance
    double arrival_unit = 0;  // of the delays, in seconds
    bool is_late = false;
    bool is_overrun = false;  // the repetition before it ended after its start
};

}  // namespace bench
