// SPDX-License-Identifier: MIT
// Do rules still hold? Their verified sizes are measured again in new jobs and compared with what was
// verified.
#pragma once

#include "verify.hpp"

namespace tuner {

struct CheckedRule {
    std::string stale_reason;  // empty: the rule holds
    // The loss of the rule's ratio that such a check finds in four of five cases, 0.1 for 10%
    double visible_loss = 0;
};

// All rules, each on one layout: those of layouts that rules name, and of those where ranges were verified
std::vector<Rule> rules_to_check(const Config& config, const std::vector<Proof>& proofs);

// Stale is a rule that gains less than when it was verified, beyond what jobs differ by, or whose algorithm
// now wins clearly outside, where it lost when the run was measured. The
// rule is of one layout. `proofs` and `variances`: of the run. A rule that looks stale in two jobs is looked
// at again in up to four more before it is called so.
CheckedRule check_rule(const Config& config, const Rule& rule, const Cells& cells,
                       const std::vector<Proof>& proofs, const JobVariances& variances,
                       const MeasurePairs& measure);

}  // namespace tuner
