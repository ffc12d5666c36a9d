// SPDX-License-Identifier: MIT
// `changeover predict`: costs by the model, also for another latency, bandwidth, number of nodes or ranks.
#pragma once

#include <string>
#include <vector>

#include "cluster.hpp"

namespace tuner {

struct WhatIf {
    std::string folder = "changeover-run";
    std::string network;  // empty: the only one
    std::string collective = "bcast";
    std::string layout;  // empty: those that were measured
    std::vector<std::string> bytes = {"1Ki", "16Ki", "256Ki"};
    std::vector<std::string> settings;  // NAME=VALUE
};

void print_what_if(const WhatIf& what_if);

}  // namespace tuner
