// SPDX-License-Identifier: MIT
// How the patched MPICH chooses for a blocking collective: a ladder of algorithms, each up to a threshold
// that is a control variable. mpich-patches/README.md has the same in words.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cluster.hpp"

namespace tuner {

enum class Unit {
    message,  // the threshold compares the benchmark's message size
    total     // ... times the ranks
};

// `algorithm` is used up to the threshold.
struct Step {
    const char* variable;  // without MPIR_CVAR_
    int default_value;
    const char* algorithm;
    const char* also_moves;  // other collectives that read the variable
};

struct Ladder {
    Unit unit;
    bool inclusive;  // the threshold itself belongs to the algorithm below it
    int ranks;
    std::vector<Step> steps;
    const char* last;  // beyond all thresholds

    const char* algorithm(std::size_t step) const {
        return step < steps.size() ? steps[step].algorithm : last;
    }
    std::vector<int> defaults() const;
    // the last size, as the benchmark means it, that a threshold includes; 0: not even one byte
    std::size_t last_bytes(int threshold) const;
    int threshold(std::size_t last_bytes) const;  // the smallest one that includes this size
    const char* algorithm_for(std::size_t bytes, const std::vector<int>& thresholds) const;
};

// The number of ranks below which a collective has a shorter ladder
struct MinRanks {
    const char* variable;
    int default_value;
    const char* also_moves;
};

// What the choice of a collective depends on, besides sizes; nothing if it has no thresholds
std::optional<Ladder> ladder_of(const std::string& collective, const Layout& layout, int min_ranks);
std::optional<MinRanks> min_ranks_of(const std::string& collective);
int default_min_ranks(const std::string& collective);  // 0: there is no such number

// What the library uses with nothing set; nothing if it does not choose by size
std::optional<std::string> default_choice(const std::string& collective, const Layout& layout,
                                          std::size_t bytes);

std::vector<std::string> collectives_with_thresholds();

inline std::string variable_name(const char* variable) {
    return std::string("MPIR_CVAR_") + variable;
}

}  // namespace tuner
