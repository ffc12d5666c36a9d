// SPDX-License-Identifier: MIT
#include "reproducible.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace models {

const char* to_string(Reproducible wanted) {
    return names_of_reproducible[static_cast<std::size_t>(wanted)];
}

Reproducible parse_reproducible(const std::string& text) {
    const auto* const found =
        std::find(std::begin(names_of_reproducible), std::end(names_of_reproducible), text);
    if (found == std::end(names_of_reproducible)) {
        throw std::invalid_argument("'" + text +
                                    "' is not known; choose any, ranks-agree or same-as-default");
    }
    return static_cast<Reproducible>(found - std::begin(names_of_reproducible));
}

bool keeps(Reproducible wanted, const ResultBits& of_algorithm, const ResultBits& of_default) {
    if (wanted == Reproducible::any) {
        return true;
    }
    if (of_algorithm.bits.empty() || !of_algorithm.ranks_agree) {
        return false;
    }
    return wanted == Reproducible::ranks_agree || of_algorithm.bits == of_default.bits;
}

}  // namespace models
