// SPDX-License-Identifier: MIT
// A module file in Tcl, which Lmod and Environment Modules both read: the thresholds of one layout, or the
// path of a selection or tuning file.
#include <fmt/format.h>

#include "emit.hpp"
#include "error.hpp"
#include "quoting.hpp"

namespace tuner {

namespace {

constexpr const char* stock_variable = "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE";
constexpr const char* tuning_variable = "MPIR_CVAR_COLL_TUNING_FILE";
constexpr const char* tuned_title = "Collective algorithms tuned by changeover";
constexpr const char* network_variable = "MPIR_CVAR_COLL_TUNING_NETWORK";

std::string heading(const Config& config, const std::string& network, const std::string& what) {
    return "#%Module1.0\n" + comment_lines(origin_lines(config, network)) +
           fmt::format("module-whatis \"{}\"\n", what);
}

std::string setenvs(const std::vector<Setting>& settings) {
    std::string text;
    for (const Setting& setting : settings) {
        text += comment_lines(setting.comments);
        if (!setting.variable.empty()) {
            const bool is_number = setting.value.find_first_not_of("0123456789") == std::string::npos;
            text += fmt::format("setenv {} {}\n", setting.variable,
                                is_number ? setting.value : tcl_quoted(setting.value));
        }
    }
    return text;
}

// A missing file would crash every MPI program (MPICH 4.0), so it is looked at first.
std::string point_to_file(const char* variable, const std::string& file) {
    if (!file.starts_with('/')) {
        throw usage_error(fmt::format("'{}' cannot be put into a module; write an absolute path", file));
    }
    return fmt::format(
        "set selection_file {0}\n"
        "if {{[file readable $selection_file]}} {{\n"
        "    setenv {1} $selection_file\n"
        "}} else {{\n"
        "    puts stderr \"$selection_file cannot be read: MPI uses its own choices\"\n"
        "}}\n",
        tcl_quoted(file), variable);
}

std::string module_text(const Config& config, const EmitOptions& options) {
    if (!options.tuning_file.empty() && options.network.empty() && !needs_network_name(config)) {
        return heading(config, fmt::format("{}", fmt::join(networks_of(config), ", ")), tuned_title) +
               point_to_file(tuning_variable, options.tuning_file);
    }
    const std::string network = chosen_network(config, options.network);
    if (!options.rules_file.empty()) {
        return heading(config, network, tuned_title) + point_to_file(stock_variable, options.rules_file);
    }
    if (!options.tuning_file.empty()) {
        return heading(config, network, tuned_title) +
               fmt::format("setenv {} {}\n", network_variable, tcl_quoted(network)) +
               point_to_file(tuning_variable, options.tuning_file);
    }
    constexpr const char* nothing_title = "Nothing to tune: the library's own choices stand";
    if (!has_rules(config, network)) {
        return heading(config, network, nothing_title);
    }
    const Layout layout = chosen_layout(config, network, options.layout);
    if (!has_rules(config, network, layout)) {
        return heading(config, network, nothing_title) +
               comment_lines({missing_rules_text(config, network, layout)});
    }
    std::string text =
        heading(config, network,
                fmt::format("Collective algorithms tuned by changeover for {} nodes x {} processes",
                            layout.nodes, layout.ppn));
    return text + setenvs(threshold_settings(config, network, layout));
}

// What jobs on one network should set is not for those on others
std::string knobs_text(const Config& config, const EmitOptions& options) {
    if (config.knobs.empty()) {
        return "";
    }
    if (options.network.empty() && networks_of(config).size() > 1) {
        return comment_line(
            "variables were proven for single networks: emit a module for each, --network NAME");
    }
    return setenvs(knob_settings(config, chosen_network(config, options.network)));
}

}  // namespace

std::string emit_module(const Config& config, const EmitOptions& options) {
    return module_text(config, options) + knobs_text(config, options);
}

}  // namespace tuner
