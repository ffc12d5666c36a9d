// SPDX-License-Identifier: MIT
// The variables that were proven beside the rules, for the environment of jobs with any MPI library.
#include <fmt/format.h>

#include "command.hpp"
#include "emit.hpp"
#include "quoting.hpp"

namespace tuner {

std::vector<Setting> knob_settings(const Config& config, const std::string& network) {
    std::vector<Setting> settings;
    for (const Knob& knob : config.knobs) {
        if (knob.network == network) {
            settings.push_back(
                {{fmt::format("{:+.1f}% over all sizes ({:+.1f} to {:+.1f}%), measured with the rules",
                              100 * knob.gain, 100 * knob.interval.low, 100 * knob.interval.high)},
                 knob.variable,
                 knob.value});
        }
    }
    return settings;
}

std::string exports(const std::vector<Setting>& settings) {
    std::string text;
    for (const Setting& row : settings) {
        text += row.variable.empty() ? "\n" : "";
        text += comment_lines(row.comments);
        if (!row.variable.empty()) {
            text += fmt::format("export {}={}\n", row.variable, shell_quoted(row.value));
        }
    }
    return text;
}

std::string emit_knobs(const Config& config, const EmitOptions& options) {
    const std::string network = chosen_network(config, options.network);
    const std::vector<Setting> settings = knob_settings(config, network);
    return "# Variables of the MPI library for the environment of jobs. Use: . FILE\n" +
           comment_lines(origin_lines(config, network)) +
           (settings.empty() ? "# There are none: no value was faster than the library's own.\n"
                             : exports(settings));
}

}  // namespace tuner
