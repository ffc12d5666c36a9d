// SPDX-License-Identifier: MIT
// The exact lines that put the rules of a run to use.
#include <fmt/format.h>

#include <algorithm>

#include "command_lines.hpp"
#include "emit.hpp"
#include "mpi_library.hpp"
#include "page.hpp"
#include "svg.hpp"

namespace tuner::report {

namespace {

std::string emit_line(const ReportData& data, const std::string& network,
                      const std::vector<std::string>& more) {
    std::vector<std::string> words = {"emit", "--run", absolute_path(data.folder)};
    if (networks_of(data.config).size() > 1) {
        words.insert(words.end(), {"--network", network});
    }
    words.insert(words.end(), more.begin(), more.end());
    return changeover_command(words);
}

// A file in the current folder, as a value that a shell fills in
std::string in_current_folder(const std::string& file) {
    return "\"$PWD/" + file + "\"";
}

HowTo thresholds(const ReportData& data, const std::string& network, const Layout& layout) {
    const std::string file = fmt::format("tuned-{}-{}.sh", slug(network), slug(layout_option(layout)));
    std::string lines =
        emit_line(data, network, {"--format", "env", "--layout", layout_option(layout), "-o", file});
    lines += fmt::format("\n. ./{}        # before mpiexec, in the job's script", file);
    std::string settings;
    for (const Setting& setting : threshold_settings(data.config, network, layout)) {
        if (!setting.variable.empty()) {
            settings += fmt::format("\n#   export {}={}", setting.variable, setting.value);
        }
    }
    lines += settings.empty()
                 ? "\n# thresholds cannot express these rules: use the tuning file or the selection file"
                 : "\n# it contains:" + settings;
    return {fmt::format("Thresholds of a patched MPICH, jobs of {} on {}", to_string(layout), network),
            lines};
}

HowTo tuning_file(const ReportData& data, const std::string& network) {
    std::string lines = fmt::format("{}\nexport MPIR_CVAR_COLL_TUNING_FILE={}",
                                    changeover_command({"emit", "--run", absolute_path(data.folder),
                                                        "--format", "mpich", "-o", "tuning.json"}),
                                    in_current_folder("tuning.json"));
    if (needs_network_name(data.config)) {
        lines += "\n" + export_command({{"MPIR_CVAR_COLL_TUNING_NETWORK", network}});
    }
    return {fmt::format("Patched MPICH, all layouts on {}", network), lines};
}

HowTo rules_file(const ReportData& data, const std::string& network) {
    const MpiLibrary& library = library_of(data.config);
    const std::string file = fmt::format("tuned-{}{}", slug(network), library.rules_suffix);
    std::string lines = emit_line(data, network, {"--format", rules_format_of(data.config), "-o", file});
    Environment environment = library.environment(file, network);
    std::vector<std::string> files = {file};
    if (const std::string format = second_format_of(data.config); !format.empty()) {
        files.push_back(second_file_of(file));
        lines += "\n" + emit_line(data, network, {"--format", format, "-o", files.back()});
        const Environment more = *environment_of_format(format, files.back());
        environment.insert(environment.end(), more.begin(), more.end());
    }
    for (const auto& [name, value] : environment) {
        const bool is_file = std::find(files.begin(), files.end(), value) != files.end();
        lines +=
            fmt::format("\nexport {}={}", name, is_file ? in_current_folder(value) : to_shell({{value}, {}}));
    }
    return {fmt::format("{}, all layouts on {}", library.rules_title, network), lines};
}

// Those that rules name, and measured ones that are in their ranges
std::vector<Layout> layouts_with_thresholds(const ReportData& data, const std::string& network) {
    std::vector<Layout> layouts = layouts_of(data.config, network);
    for (const ReportCell& cell : data.cells) {
        const Layout& layout = cell.key.layout;
        const auto is_same = [&](const Layout& known) { return is_same_place(known, layout); };
        if (cell.key.network == network && has_rules(data.config, network, layout) &&
            std::none_of(layouts.begin(), layouts.end(), is_same)) {
            layouts.push_back(layout);
        }
    }
    return layouts;
}

}  // namespace

std::vector<HowTo> how_to_use(const ReportData& data) {
    std::vector<HowTo> all;
    for (const std::string& network : networks_of(data.config)) {
        if (!has_rules(data.config, network)) {
            continue;
        }
        std::vector<Layout> layouts = layouts_with_thresholds(data, network);
        std::stable_sort(layouts.begin(), layouts.end(),
                         [](const Layout& a, const Layout& b) { return a.ranks() > b.ranks(); });
        if (reads_tuning_files(data.config.library)) {
            all.push_back(tuning_file(data, network));
        }
        for (const Layout& layout : layouts) {
            if (library_of(data.config).has_thresholds) {
                all.push_back(thresholds(data, network, layout));
            }
        }
        all.push_back(rules_file(data, network));
    }
    return all;
}

}  // namespace tuner::report
