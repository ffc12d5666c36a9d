// SPDX-License-Identifier: MIT
// What the calls of a program take on machines that are simulated, as one HTML file: totals and where the
// time goes, and what changes with the ranks on a node
#pragma once

#include <string>

#include "figures.hpp"
#include "what_if.hpp"

namespace tuner {

std::string html_page(const WhatIf& what_if);

// A bar for each platform and layout, by default and tuned; its parts are collectives
report::Figure draw_totals(const WhatIf& what_if);

}  // namespace tuner
