// SPDX-License-Identifier: MIT
// The keys that name a case in the JSON of combinations and distributions.
#pragma once

#include "measured_cases.hpp"

namespace tuner {

// network, nodes, ppn, mapping, case, way, bytes: appended in this order
void add_case(Json& object, const CaseKey& key);

}  // namespace tuner
