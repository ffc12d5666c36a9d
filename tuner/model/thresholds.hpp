// SPDX-License-Identifier: MIT
// How the patched MPICH selects an algorithm by thresholds: a ladder of algorithms, each used up to a
// threshold that is a control variable (mpich_thresholds.hpp). mpich-patches/README.md describes the same in
// words.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "layout.hpp"
#include "mpich_thresholds.hpp"

namespace tuner {

// `algorithm` is used up to the threshold.
struct Step {
    const models::MpichThreshold* threshold;
    const char* algorithm;
};

// The thresholds of a ladder compare the same quantity, in the same way.
struct Ladder {
    models::ComparedWith compared_with;  // message or total
    bool is_inclusive;                   // the threshold itself belongs to the algorithm below it
    int ranks;
    std::vector<Step> steps;
    const char* last;  // beyond all thresholds

    const char* algorithm(std::size_t step) const {
        return step < steps.size() ? steps[step].algorithm : last;
    }
    std::vector<int> defaults() const;
    // The last message size that a threshold includes; 0: not even one byte
    std::size_t last_bytes(int threshold) const;
    int threshold(std::size_t last_bytes) const;  // the smallest one that includes this message size
    const char* algorithm_for(std::size_t bytes, const std::vector<int>& thresholds) const;
};

// The ladder on a layout, if `min_ranks` is the number of ranks below which the collective has a shorter one.
// Nothing if the collective has no thresholds.
std::optional<Ladder> ladder_of(const std::string& collective, const Layout& layout, int min_ranks);
const models::MpichThreshold* min_ranks_of(
    const std::string& collective);                    // nullptr: there is no such number
int default_min_ranks(const std::string& collective);  // 0: there is no such number

// What the library uses if no variable is set; nothing if it does not select by size
std::optional<std::string> default_choice(const std::string& collective, const Layout& layout,
                                          std::size_t bytes);

}  // namespace tuner
