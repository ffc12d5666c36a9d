// SPDX-License-Identifier: MIT
// What if: a parameter of a fitted model set to another value, as people write it.
#pragma once

#include <string>

#include "network.hpp"

namespace tuner {

// NAME=VALUE, such as between.latency=90us. Throws an Error (usage) that says what would be right.
void set_parameter(models::Parameters& parameters, const std::string& setting);

}  // namespace tuner
