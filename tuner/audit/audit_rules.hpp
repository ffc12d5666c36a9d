// SPDX-License-Identifier: MIT
// The last step of a verification: do rules that hold violate a guideline that the default keeps? Such as a
// bump, a size that is slower than a larger one. Between the sizes at which a rule is proven, it is left out
// of the rule; elsewhere it is reported.
#pragma once

#include "measure_audit.hpp"
#include "verify.hpp"

namespace tuner {

constexpr std::size_t most_comparisons_of_place = 40;  // of the rules that gain most

// The jobs of a layout, which read these rules or (nullptr) none. Those of another place are ended.
using PairsAt = std::function<MeasurePairs(const std::string& network, const Layout& layout,
                                           const std::vector<Rule>* rules)>;

// At the ends of a rule, in the middle of its widest gap between proven sizes, and just below it: against the
// same result from other calls, and against twice the size
std::vector<AuditCase> cases_of_rule(const Rule& rule, const std::vector<Proof>& proofs, const Cell& cell);

// One job with the rules for all; where it says that the call is slower, three more with them and three
// without. Splits rules of `result`, and adds to its notes.
void audit_rules(const Cells& cells, const PairsAt& pairs_at, Verification& result);

}  // namespace tuner
