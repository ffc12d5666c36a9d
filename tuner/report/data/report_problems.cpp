// SPDX-License-Identifier: MIT
// What is imprecise, missing, failed or not done yet, with what to do about it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "command_lines.hpp"
#include "report_parts.hpp"
#include "search.hpp"
#include "units.hpp"

namespace tuner::report {

void add_doubtful(ReportData& data, const RunData& run) {
    std::map<CellKey, Doubtful> by_cell;
    for (const CaseRecord& record : run.cases) {
        if (record.stage != Stage::search || record.status != Status::measured) {
            continue;
        }
        const CellKey key{record.network, record.layout, record.collective, record.operation};
        Doubtful& doubtful = by_cell[key];
        doubtful.cell = key;
        ++doubtful.of;
        if (record.precision > data.plan.precision) {
            ++doubtful.cases;
            doubtful.worst_precision = std::max(doubtful.worst_precision, record.precision);
            if (record.ended == "time") {
                doubtful.setting = fmt::format("case_seconds (now {})", data.plan.case_seconds);
            } else if (doubtful.setting.empty()) {
                doubtful.setting = fmt::format("min_repetitions (now {})", data.plan.min_repetitions);
            }
        }
    }
    for (auto& [key, doubtful] : by_cell) {
        if (doubtful.cases > 0) {
            data.doubtful.push_back(std::move(doubtful));
        }
    }
    std::sort(data.doubtful.begin(), data.doubtful.end(),
              [](const Doubtful& a, const Doubtful& b) { return a.worst_precision > b.worst_precision; });
}

namespace {

std::string name_of(const CellKey& key) {
    return fmt::format("{} on {} {}", collective_label(key), key.network, to_string(key.layout));
}

bool is_measured(const ReportData& data, const Cells& cells, const std::string& network,
                 const Layout& layout) {
    const bool has_cell = std::any_of(cells.begin(), cells.end(), [&](const auto& cell) {
        return cell.first.network == network && cell.first.layout == layout && !cell.second.times.empty();
    });
    return has_cell || std::any_of(data.exchanges.begin(), data.exchanges.end(), [&](const auto& curve) {
               return curve.first.network == network && curve.first.layout == layout;
           });
}

std::string resume_line(const ReportData& data) {
    return run_command("tune", data.folder);
}

void add_missing_collectives(ReportData& data, const Cells& cells, const std::string& network,
                             const Layout& layout) {
    for (const PlannedCollective& planned : data.plan.collectives) {
        const CellKey key{network, layout, planned.name, planned.operation};
        const auto found = cells.find(key);
        if (found == cells.end() || found->second.times.empty()) {
            data.problems.push_back({"Not measured: " + name_of(key) + ".", resume_line(data)});
            continue;
        }
        for (const OpenChangeover& open : open_changeovers(data.plan, planned, found->second)) {
            data.coarse.push_back(fmt::format(
                "{}: the changeover point from {} to {} is between {} and {} bytes", name_of(key),
                open.low_best, open.high_best, bytes_text(open.low_bytes), bytes_text(open.high_bytes)));
        }
    }
}

}  // namespace

void add_missing_cells(ReportData& data, const Cells& cells) {
    for (const Network& network : data.cluster.networks) {
        for (const Layout& layout : data.cluster.layouts) {
            if (is_measured(data, cells, network.name, layout)) {
                add_missing_collectives(data, cells, network.name, layout);
                continue;
            }
            const bool has_started = !place_of(data, network.name, layout).header.is_null();
            data.problems.push_back(
                {fmt::format("Nothing was measured on {} {}: {}.", network.name, to_string(layout),
                             has_started ? "the benchmark started, but no case succeeded"
                                         : "the benchmark did not start there, or has not been tried yet"),
                 resume_line(data)});
        }
    }
}

// Cases that ended or hung their job, and never succeeded later: a line for each algorithm
void add_failed_cases(ReportData& data, const RunData& run, const Cells& cells) {
    struct Failures {
        std::set<std::string> places;
        std::size_t sizes = 0;
        std::string reason;  // the last one
    };
    std::map<std::string, Failures> failures;
    for (const CaseRecord& record : run.cases) {
        const CellKey key{record.network, record.layout, record.collective, record.operation};
        if (record.status != Status::crashed || record.stage != Stage::search) {
            continue;
        }
        const Cell& cell = cells.at(key);
        const auto size = cell.missing.find(record.bytes);
        if (size != cell.missing.end() && size->second.contains(record.algorithm)) {
            Failures& of_algorithm = failures[record.algorithm + " of " + collective_label(key)];
            of_algorithm.places.insert(key.network + " " + to_string(key.layout));
            ++of_algorithm.sizes;
            of_algorithm.reason = record.reason;
        }
    }
    for (const auto& [name, of_algorithm] : failures) {
        data.problems.push_back({fmt::format("{} failed {} time{} on {}; last reason: {}", name,
                                             of_algorithm.sizes, of_algorithm.sizes == 1 ? "" : "s",
                                             fmt::join(of_algorithm.places, ", "), of_algorithm.reason),
                                 ""});
    }
}

void add_state(ReportData& data) {
    if (data.plan.collectives.empty()) {
        // nothing is decided or verified
    } else if (!data.has_config) {
        data.problems.push_back({"No rules have been decided yet: the figures show measurements only.",
                                 run_command("decide", data.folder)});
    } else if (!data.config.verified) {
        data.problems.push_back(
            {"The rules are not verified yet: the gains are those of the sizes that were used for deciding, "
             "and "
             "may be too optimistic.",
             run_command("verify", data.folder)});
    }
    if (!data.cluster.note().empty()) {
        data.problems.push_back({data.cluster.note(), ""});
    }
}

std::vector<std::string> known_less_well(const ReportData& data) {
    std::vector<std::string> known;
    if (const std::size_t count = count_not_measured(data.config.notes); count > 0) {
        known.push_back(
            fmt::format("{} rule{} could not be verified: {}", count, count == 1 ? "" : "s", not_measured));
    }
    const auto by_model = std::count_if(data.config.rules.begin(), data.config.rules.end(),
                                        [](const Rule& rule) { return rule.basis == "model"; });
    if (by_model > 0) {
        known.push_back(
            fmt::format("{} of {} rules are for sizes beyond the measured ones, by the cost model", by_model,
                        data.config.rules.size()));
    }
    const auto untested =
        std::count_if(data.config.rules.begin(), data.config.rules.end(),
                      [](const Rule& rule) { return is_predicted(rule) && rule.tested_layouts == 0; });
    if (untested > 0) {
        known.push_back(
            fmt::format("{} of {} rules are for layouts that were not measured, and were tested at none",
                        untested, data.config.rules.size()));
    }
    if (!data.doubtful.empty()) {
        std::size_t cases = 0;
        std::size_t of = 0;
        for (const Doubtful& d : data.doubtful) {
            cases += d.cases;
            of += d.of;
        }
        const Doubtful& worst = data.doubtful.front();
        known.push_back(fmt::format(
            "{} of {} times are less precise than the plan requires; the worst: {}, within {:.0f}%; raise {}",
            cases, of, name_of(worst.cell), 100 * worst.worst_precision, worst.setting));
    }
    if (!data.coarse.empty()) {
        known.push_back(
            fmt::format("{} changeover point{} less precise than the plan requires; raise --budget",
                        data.coarse.size(), data.coarse.size() == 1 ? " is" : "s are"));
    }
    return known;
}

}  // namespace tuner::report
