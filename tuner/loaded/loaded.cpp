// SPDX-License-Identifier: MIT
#include "loaded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "decide.hpp"
#include "error.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "rules_at.hpp"
#include "rules_loaded.hpp"
#include "runner.hpp"
#include "stale.hpp"
#include "statistics.hpp"
#include "units.hpp"
#include "verified_sizes.hpp"
#include "verify.hpp"

namespace tuner {

namespace {

constexpr int rounds = 3;  // jobs of each kind, in turns: what drifts hits both
constexpr std::size_t sizes_of_a_rule = 3;
constexpr int exit_slower = 3;
constexpr Stage stages[] = {Stage::not_loaded, Stage::loaded};

// The sizes to measure on a network and layout
struct LoadedLayout {
    std::string network;
    Layout layout;
    std::vector<LoadedSamples> sizes;
};

// Those that were measured, each once
std::vector<Layout> measured_layouts(const Cells& cells, const std::string& network) {
    std::vector<Layout> layouts;
    for (const auto& [key, cell] : cells) {
        if (key.network == network && (layouts.empty() || layouts.back() != key.layout)) {
            layouts.push_back(key.layout);
        }
    }
    return layouts;
}

std::vector<LoadedLayout> layouts_to_measure(const Config& config, const Cells& cells) {
    std::vector<LoadedLayout> layouts;
    for (const std::string& network : networks_of(config)) {
        for (const Layout& layout : measured_layouts(cells, network)) {
            LoadedLayout measured = {network, layout, {}};
            for (const Rule& rule : rules_at(config, network, layout)) {
                const auto cell = cells.find(cell_of(rule));
                if (cell == cells.end()) {
                    continue;
                }
                for (const std::size_t bytes : sizes_to_verify(rule, cell->second, sizes_of_a_rule)) {
                    measured.sizes.push_back({rule, bytes, {}, {}});
                }
            }
            if (!measured.sizes.empty()) {
                layouts.push_back(std::move(measured));
            }
        }
    }
    return layouts;
}

// The samples of the group that was asked last
void add_samples(const RunData& run, std::size_t first_case, std::vector<double>& samples) {
    for (std::size_t i = first_case; i < run.cases.size(); ++i) {
        const std::vector<double>& more = run.cases[i].samples_seconds;
        samples.insert(samples.end(), more.begin(), more.end());
    }
}

void measure_layout(OpenRun& open, const Config& config, const Cells& cells, LoadedLayout& layout,
                    Progress& progress) {
    RunData& run = open.data;
    const Network networks[] = {open.cluster.network(layout.network),
                                with_rules(open, config, layout.network, layout.layout)};
    for (int job = 0; job < 2 * rounds; ++job) {
        const int kind = (job + 1) / 2 % 2;  // default, loaded, loaded, default, default, loaded
        Runner runner(open.cluster, networks[kind], layout.layout, open.journal, run, {});
        for (LoadedSamples& size : layout.sizes) {
            progress.show({run.cases.size(), -1,
                           fmt::format("{} {} {} {}", to_string(stages[kind]), size.rule.collective,
                                       bytes_text(size.bytes), to_string(layout.layout))});
            const std::size_t before = run.cases.size();
            const AskResult asked =
                runner.ask(group_of_job(cell_of(size.rule), size.bytes, open.plan, cells, stages[kind],
                                        std::max(8, open.plan.verify_repetitions / rounds)));
            if (asked != AskResult::done) {
                throw failure(asked == AskResult::stopped ? "stopped" : runner.reason());
            }
            add_samples(run, before, kind == 0 ? size.by_default : size.loaded);
        }
        runner.end("done");
    }
}

}  // namespace

bool LoadedSize::is_slower() const {
    return p < error_rate && ratio.ratio < 1;
}

bool LoadedSize::is_faster() const {
    return p < error_rate && ratio.ratio > 1;
}

std::vector<LoadedSize> compare_loaded(const std::vector<LoadedSamples>& samples) {
    std::vector<LoadedSize> sizes;
    std::vector<double> p;
    for (LoadedSamples size : samples) {
        if (size.by_default.size() < 6 || size.loaded.size() < 6) {
            continue;
        }
        std::sort(size.by_default.begin(), size.by_default.end());
        std::sort(size.loaded.begin(), size.loaded.end());
        sizes.push_back({size.rule, size.bytes, models::median(size.by_default), models::median(size.loaded),
                         models::ratio_of_medians(size.by_default, size.loaded)});
        p.push_back(models::rank_sum_p(size.by_default, size.loaded));
    }
    p = models::holm_adjusted(p);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        sizes[i].p = p[i];
    }
    return sizes;
}

std::string to_text(const std::vector<LoadedSize>& sizes) {
    std::string text =
        fmt::format("{:<12} {:<8} {:<20} {:>9}  {:<32} {:>10} {:>10}  {}\n", "network", "layout",
                    "collective", "bytes", "rule", "default", "loaded", "default / loaded");
    double sum_of_logs = 0;
    for (const LoadedSize& size : sizes) {
        const char* verdict = size.is_slower() ? "slower" : size.is_faster() ? "faster" : "";
        text += fmt::format("{:<12} {:<8} {:<20} {:>9}  {:<32} {:>10} {:>10}  {:.3g} ({:.3g}-{:.3g}) {}\n",
                            size.rule.network, to_string(size.rule.where), size.rule.collective,
                            bytes_text(size.bytes), size.rule.algorithm, seconds_text(size.default_seconds),
                            seconds_text(size.loaded_seconds), size.ratio.ratio, size.ratio.interval.low,
                            size.ratio.interval.high, verdict);
        sum_of_logs += std::log(size.ratio.ratio);
    }
    if (!sizes.empty()) {
        text += fmt::format("geometric mean of {} sizes: {:.3g}\n", sizes.size(),
                            std::exp(sum_of_logs / static_cast<double>(sizes.size())));
    }
    return text;
}

int verify_loaded(OpenRun& open, Progress& progress) {
    require_decided(open.files);
    const Config config = read_config(open.files.config());
    if (is_simulated(config)) {
        throw usage_error(
            "no job of a simulated machine reads a file; tune the real machine, then verify there");
    }
    const Cells cells = cells_of(open.data, Stage::search);
    std::vector<LoadedSamples> all;
    for (LoadedLayout& layout : layouts_to_measure(config, cells)) {
        measure_layout(open, config, cells, layout, progress);
        std::move(layout.sizes.begin(), layout.sizes.end(), std::back_inserter(all));
    }
    progress.clear();
    const std::vector<LoadedSize> sizes = compare_loaded(all);
    print_data("{}", to_text(sizes));
    return std::any_of(sizes.begin(), sizes.end(), [](const LoadedSize& s) { return s.is_slower(); })
               ? exit_slower
               : 0;
}

}  // namespace tuner
