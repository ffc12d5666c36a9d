// SPDX-License-Identifier: MIT
// What-if questions: sets a parameter of a fitted model to another value, given as text.
#pragma once

#include <string>

#include "network.hpp"

namespace tuner {

// NAME=VALUE, such as between.latency=90us. Throws a usage error with a suggestion.
void set_parameter(models::Parameters& parameters, const std::string& setting);

}  // namespace tuner
