// SPDX-License-Identifier: MIT
// What-if questions: another network than the one that a model was fitted to, given as text.
#pragma once

#include <string>

#include "network.hpp"

namespace tuner {

// NAME=VALUE, such as between.latency=90us. Throws a usage error with a suggestion.
void set_parameter(models::Parameters& parameters, const std::string& setting);

// PROPERTY=FACTOR, such as between.bandwidth=4: all parameters that belong to the property. Throws likewise.
void scale_parameters(models::Parameters& parameters, const std::string& setting);

}  // namespace tuner
