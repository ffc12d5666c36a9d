// SPDX-License-Identifier: MIT
// What an audit found, for people.
#pragma once

#include <string>

#include "audit.hpp"

namespace tuner {

// What should not be slower: the collective, or such as "bcast persistent"
std::string left_side_of(const AuditCase& audited);

// The sizes at which a guideline is violated, with or without the rules
struct Violations {
    const AuditResult* worst = nullptr;  // of those sizes
    std::vector<std::size_t> sizes = {};
    bool is_new = false;       // at one of them at least
    bool is_outpaced = false;  // likewise
};
// "new", "right side is faster", or nothing
std::string change_text(const Violations& violations);
// Of the same cell and guideline together, the worst first. The audit must outlive it.
std::vector<Violations> violations_of(const Audit& audit);

struct AuditCounts {
    std::size_t compared = 0;
    std::size_t violated = 0;
};
AuditCounts count(const Audit& audit, bool is_loaded);
std::string counts_text(const Audit& audit);  // a sentence for the default, and one for the rules

std::string to_text(const Audit& audit);

}  // namespace tuner
