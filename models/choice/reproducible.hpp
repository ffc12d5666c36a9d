// SPDX-License-Identifier: MIT
// What a user wants of the results of reductions. Sums of floating-point numbers depend on their order, and
// another algorithm sums in another order.
#pragma once

#include <string>

namespace models {

enum class Reproducible {
    any,             // any order
    ranks_agree,     // all ranks have the same bits, of whatever order
    same_as_default  // the bits that the library has without any rule
};

inline constexpr const char* names_of_reproducible[] = {"any", "ranks-agree", "same-as-default"};

const char* to_string(Reproducible wanted);
// Throws std::invalid_argument
Reproducible parse_reproducible(const std::string& text);

// What one algorithm gives for the same numbers, against the default. Empty bits: not known.
struct ResultBits {
    std::string bits;  // a checksum of all results of all ranks
    bool ranks_agree = true;
    bool operator==(const ResultBits&) const = default;
};
// Nothing that is unknown is kept, unless all is
bool keeps(Reproducible wanted, const ResultBits& of_algorithm, const ResultBits& of_default);

}  // namespace models
