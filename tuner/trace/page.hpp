// SPDX-License-Identifier: MIT
// A trace as one HTML file that needs nothing else.
#pragma once

#include <string>
#include <vector>

#include "trace.hpp"

namespace tuner::trace {

struct PageSection {
    std::string title;
    std::string text;  // as printed
};

// `more`: what was asked for besides, such as a comparison
std::string html_page(const LoadedTrace& loaded, const std::vector<const Kind*>& kinds,
                      const std::vector<PageSection>& more);

}  // namespace tuner::trace
