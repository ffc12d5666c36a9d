// SPDX-License-Identifier: MIT
// The exact lines that put the rules of a run to use.
#include <fmt/format.h>

#include <algorithm>

#include "emit.hpp"
#include "mpi_library.hpp"
#include "page.hpp"
#include "svg.hpp"

namespace tuner::report {

namespace {

// As `--layout` understands it
std::string layout_option(const Layout& layout) {
    return fmt::format("{}x{}{}", layout.nodes, layout.ppn,
                       layout.mapping == Mapping::block ? "" : ":round-robin");
}

std::string emit_line(const ReportData& data, const std::string& network,
                      const std::vector<std::string>& more) {
    std::vector<std::string> words = {"changeover", "emit", "--run", data.folder};
    if (networks_of(data.config).size() > 1) {
        words.insert(words.end(), {"--network", network});
    }
    words.insert(words.end(), more.begin(), more.end());
    return to_shell({words, {}});
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
    lines += settings.empty() ? "\n# no threshold can express these rules: take the selection file"
                              : "\n# which is:" + settings;
    return {fmt::format("Thresholds of a patched MPICH, jobs of {} on {}", to_string(layout), network),
            lines};
}

HowTo tuning_file(const ReportData& data, const std::string& network) {
    const Command command{
        {"changeover", "emit", "--run", data.folder, "--format", "mpich", "-o", "tuning.json"}, {}};
    return {fmt::format("Patched MPICH, all layouts on {}", network),
            to_shell(command) + fmt::format("\nexport MPIR_CVAR_COLL_TUNING_FILE=$PWD/tuning.json\n"
                                            "export MPIR_CVAR_COLL_TUNING_NETWORK={}",
                                            to_shell({{network}, {}}))};
}

HowTo rules_file(const ReportData& data, const std::string& network) {
    const MpiLibrary& library = library_of(data.config);
    const std::string file = fmt::format("tuned-{}{}", slug(network), library.rules_suffix);
    std::string lines = emit_line(data, network, {"--format", library.rules_format, "-o", file});
    for (const auto& [name, value] : library.environment("$PWD/" + file)) {
        lines += fmt::format("\nexport {}={}", name, value);
    }
    return {fmt::format("{}, all layouts on {}", library.rules_title, network), lines};
}

}  // namespace

std::vector<HowTo> how_to_use(const ReportData& data) {
    std::vector<HowTo> all;
    for (const std::string& network : networks_of(data.config)) {
        std::vector<Layout> layouts = layouts_of(data.config, network);
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
