// SPDX-License-Identifier: MIT
// What a rule is in the sections of a tuning file for a ch4 device: the composition in `ch4`, what its parts
// use inside of nodes in `posix`, and the algorithms that send messages in `mpir`.
#pragma once

#include <string>
#include <vector>

#include "config.hpp"

namespace tuner {

// Does the library's device compose collectives of parts?
bool composes(const Config& config);

// What is wrong with a rule whose algorithm has layers; empty: nothing
std::string problem_with_layers(const Config& config, const Rule& rule);

struct SectionRule {
    const char* section;  // mpir, ch4 or posix
    Json rule;
};

// `written`: the rule as it is in `mpir` of other devices, without algorithm and parameters
std::vector<SectionRule> rules_by_layer(const Config& config, const Rule& rule, const Json& written);

// Which layer decides what, a line each; empty: the device does not compose the collective there
std::vector<std::string> layers_of(const Config& config, const Rule& rule, const Layout& layout);

}  // namespace tuner
