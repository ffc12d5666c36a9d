// SPDX-License-Identifier: MIT
// A request as a JSON object, as serve mode reads it. The keys are documented in bench/README.md.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "request.hpp"

namespace bench {

// Throws std::invalid_argument. `settings` are those of the command line; the request may change them.
Request request_from(const nlohmann::ordered_json& json, Settings& settings);

}  // namespace bench
