// SPDX-License-Identifier: MIT
// Performance guidelines: a call should not be slower than the same result from other calls, its mock-up. The
// benchmark makes the mock-ups (bench/patterns/mock_ups.hpp), the audit of a run compares them with the
// calls.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace models {

enum class GuidelineKind { pattern, monotony, split, in_place, nonblocking, persistent };
std::string_view to_string(GuidelineKind kind);

struct Guideline {
    std::string_view left_side;   // the collective; empty: each one that has a message
    std::string_view mock_up;     // what the benchmark calls the right side
    std::string_view right_side;  // for people
    GuidelineKind kind;
    std::string_view source;
    // The other way round: it is the mock-up that should not be slower than the collective
    bool is_reversed = false;
};

// Names of algorithms that are mock-ups start so
inline constexpr std::string_view mock_up_prefix = "mockup:";
bool is_mock_up(std::string_view algorithm);

// Those of a collective; of a nonblocking one, against the blocking one. Empty: it is not known.
std::vector<Guideline> guidelines_of(std::string_view collective);

}  // namespace models
