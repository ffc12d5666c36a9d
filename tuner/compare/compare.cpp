// SPDX-License-Identifier: MIT
#include "compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "command.hpp"
#include "compare_parts.hpp"
#include "error.hpp"
#include "verify.hpp"

namespace tuner {

namespace {

// A side whose journal has no header of a job says nothing of the library: that is one difference, not ten
bool knows_its_job(const MeasuredNetwork& side) {
    const auto first = side.conditions.lower_bound("job.");
    return first != side.conditions.end() && first->first.starts_with("job.");
}

void compare_conditions(const MeasuredNetwork& a, const MeasuredNetwork& b, Comparison& comparison) {
    std::set<std::string> names;
    for (const MeasuredNetwork* side : {&a, &b}) {
        for (const auto& [name, value] : side->conditions) {
            names.insert(name);
        }
    }
    if (knows_its_job(a) != knows_its_job(b)) {
        std::erase_if(names, [](const std::string& name) {
            return name.starts_with("job.") || name.starts_with("library.");
        });
        const auto text = [](const MeasuredNetwork& side) {
            return knows_its_job(side) ? "known" : "not recorded";
        };
        comparison.differing.push_back({"library and device", text(a), text(b)});
    }
    for (const std::string& name : names) {
        const auto value = [&](const MeasuredNetwork& side) {
            const auto found = side.conditions.find(name);
            return found == side.conditions.end() ? std::string() : found->second;
        };
        if (value(a) == value(b)) {
            comparison.same.push_back(name);
        } else {
            comparison.differing.push_back({name, value(a), value(b)});
        }
    }
}

Comparison compare_sides(const MeasuredNetwork& a, const MeasuredNetwork& b, double margin) {
    Comparison comparison;
    comparison.a = a.about;
    comparison.b = b.about;
    comparison.margin = margin;
    comparison.loss_bound = std::max(a.loss_bound, b.loss_bound);
    compare_conditions(a, b, comparison);
    std::set<Layout> layouts;
    for (const auto& [key, cell] : a.cells) {
        if (b.cells.contains(key)) {
            comparison.cells.push_back(compared_cell(a, b, key, comparison));
            layouts.insert(key.layout);
        } else {
            comparison.only_a.push_back(name_of(key));
        }
    }
    for (const auto& [key, cell] : b.cells) {
        if (!a.cells.contains(key)) {
            comparison.only_b.push_back(name_of(key));
        }
    }
    compare_exchanges(a, b, comparison, layouts);
    for (const Layout& layout : layouts) {
        const auto of = [&](const MeasuredNetwork& side) {
            const auto found = side.counters.find(layout);
            return found == side.counters.end() ? KernelCounters{} : found->second;
        };
        comparison.layouts.push_back({layout, of(a), of(b)});
    }
    compare_messages(a, b, comparison);
    return comparison;
}

// The networks of two runs that belong together, by their names; the only ones whatever their names
std::vector<std::pair<std::string, std::string>> pairs_of(const CompareOptions& options, const ComparedRun& a,
                                                          const ComparedRun& b,
                                                          std::vector<std::string>& only) {
    if (options.networks.size() > 2) {
        throw usage_error("--network: expected one name for both runs, or two names, one for each run");
    }
    if (!options.networks.empty()) {
        return {{known_network(a, options.networks.front()), known_network(b, options.networks.back())}};
    }
    if (a.networks.size() == 1 && b.networks.size() == 1) {
        return {{a.networks.front(), b.networks.front()}};
    }
    std::vector<std::pair<std::string, std::string>> pairs;
    const auto has = [](const ComparedRun& run, const std::string& name) {
        return std::find(run.networks.begin(), run.networks.end(), name) != run.networks.end();
    };
    for (const std::string& name : a.networks) {
        if (has(b, name)) {
            pairs.emplace_back(name, name);
        } else {
            only.push_back(fmt::format("network {} is only in A, {}", name, a.folder));
        }
    }
    for (const std::string& name : b.networks) {
        if (!has(a, name)) {
            only.push_back(fmt::format("network {} is only in B, {}", name, b.folder));
        }
    }
    if (pairs.empty()) {
        throw usage_error(
            fmt::format("the runs have no network of the same name ({}; {}); select two: --network {},{}",
                        fmt::join(a.networks, ", "), fmt::join(b.networks, ", "), a.networks.front(),
                        b.networks.front()));
    }
    return pairs;
}

// Without its arguments, the names that there are
void require_names(const CompareOptions& options) {
    if (!options.b.empty()) {
        return;
    }
    const std::string run = options.run.empty() ? options.a : options.run;
    if (run.empty()) {
        throw usage_error(
            "name two run directories: changeover compare RUN_A RUN_B; or two networks of one "
            "run: changeover compare --run RUN NET_A NET_B");
    }
    const std::vector<std::string> networks = load_compared_run(run).networks;
    if (networks.size() < 2) {
        throw usage_error(fmt::format(
            "the run {0} has one network, {1}; name another run: changeover compare {2} OTHER_RUN", run,
            networks.front(), shell_quoted(run)));
    }
    throw usage_error(fmt::format(
        "name two networks of the run {}: {}; such as: changeover compare --run {} {} {}", run,
        fmt::join(networks, ", "), shell_quoted(run), shell_quoted(networks[0]), shell_quoted(networks[1])));
}

Comparisons compare_all(const CompareOptions& options) {
    require_names(options);
    if (!(options.margin >= 0 && options.margin < 10)) {
        throw usage_error("--margin: expected a fraction from 0 to 10, such as 0.05");
    }
    Comparisons comparisons;
    if (!options.run.empty()) {
        if (!options.networks.empty()) {
            throw usage_error("--network is for two runs; with --run, the two names are networks already");
        }
        if (options.a == options.b) {
            throw usage_error("both networks are " + options.a + "; give two different ones");
        }
        const ComparedRun run = load_compared_run(options.run);
        comparisons.pairs.push_back(compare_sides(network_of(run, known_network(run, options.a)),
                                                  network_of(run, known_network(run, options.b)),
                                                  options.margin));
        return comparisons;
    }
    for (const std::string& folder : {options.a, options.b}) {
        if (!std::filesystem::is_directory(folder)) {
            throw usage_error(folder +
                              " is not a run: there is no such directory; to compare two networks of one "
                              "run, add --run DIR");
        }
    }
    std::error_code problem;
    const bool is_same = std::filesystem::equivalent(options.a, options.b, problem);
    if (is_same && (options.networks.size() < 2 || options.networks[0] == options.networks[1])) {
        throw usage_error(fmt::format(
            "both are the run {}; to compare two of its networks: changeover compare --run {} NET_A NET_B",
            options.a, shell_quoted(options.a)));
    }
    const ComparedRun a = load_compared_run(options.a);
    const ComparedRun b = load_compared_run(options.b);
    for (const auto& [network_a, network_b] : pairs_of(options, a, b, comparisons.only)) {
        comparisons.pairs.push_back(
            compare_sides(network_of(a, network_a), network_of(b, network_b), options.margin));
    }
    return comparisons;
}

}  // namespace

// A win needs both: the whole interval beyond the margin, and a test that holds for all sizes of the table
Winner winner_of(const models::Interval& interval, double p, double margin) {
    if (p >= error_rate) {
        return Winner::neither;
    }
    return interval.low > 1 + margin          ? Winner::a
           : interval.high < 1 / (1 + margin) ? Winner::b
                                              : Winner::neither;
}

const char* to_string(Winner winner) {
    return winner == Winner::a ? "A" : winner == Winner::b ? "B" : "";
}

Comparisons compare(const CompareOptions& options) {
    try {
        return compare_all(options);
    } catch (const Json::exception& error) {
        throw usage_error(fmt::format("manifest.json or samples.jsonl of {} is damaged: {}; restore it",
                                      options.run.empty() ? options.a + " or " + options.b : options.run,
                                      error.what()));
    }
}

}  // namespace tuner
