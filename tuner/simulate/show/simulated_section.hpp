// SPDX-License-Identifier: MIT
// A section of a run's report: what a simulation of the measured calls says beside the cost model and the
// measurement
#pragma once

#include <string>

#include "page.hpp"

namespace tuner {

// Of all networks of the run. Throws an Error if changeover-sim was not built.
report::OtherSection simulated_section(const std::string& run);

}  // namespace tuner
