// SPDX-License-Identifier: MIT
// Cases that ended their job, or did not come to an end.
#pragma once

#include <vector>

#include "journal.hpp"

namespace tuner {

// Those that were never measured. `tries`: this often; 0: any number of times
std::vector<CaseRecord> still_crashed(const RunData& run, std::ptrdiff_t tries);

}  // namespace tuner
