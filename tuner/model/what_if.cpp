// SPDX-License-Identifier: MIT
#include "what_if.hpp"

#include <stdexcept>

#include "checked_json.hpp"
#include "error.hpp"
#include "units.hpp"

namespace tuner {

void set_parameter(models::Parameters& parameters, const std::string& setting) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) {
        throw usage_error("--set " + setting + ": '=' is missing; try: --set between.latency=90us");
    }
    const std::string name = setting.substr(0, equals);
    try {
        parameters.at(name) = parse_seconds(setting.substr(equals + 1));
    } catch (const std::out_of_range&) {
        throw usage_error("--set " + setting + ": there is no parameter '" + name + "'; " +
                          suggestion(name, parameters.names()));
    }
}

}  // namespace tuner
