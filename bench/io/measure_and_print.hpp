// SPDX-License-Identifier: MIT
// Measures the groups of a request one after the other; rank 0 prints each as soon as it is measured.
#pragma once

#include <string>
#include <vector>

#include "output.hpp"
#include "request.hpp"

namespace bench {

// Collective. `id` names the request in serve mode; elsewhere it is empty.
void measure_and_print(Session& session, const Request& request, const std::vector<GroupSpec>& groups,
                       const Settings& settings, Printer& printer, const std::string& id = {});

}  // namespace bench
