// SPDX-License-Identifier: MIT
#include "combine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "case_json.hpp"
#include "error.hpp"
#include "run_lock.hpp"
#include "units.hpp"

namespace tuner {

namespace {

using Cases = std::map<CaseKey, MeasuredCase>;

models::RunMedian median_of(const MeasuredCase& measured) {
    return {models::median(measured.sorted_seconds), measured.median_interval};
}

// Each value over the runs that have it
std::map<std::string, double> median_values(const std::vector<const MeasuredCase*>& of_runs) {
    std::map<std::string, std::vector<double>> all;
    for (const MeasuredCase* measured : of_runs) {
        for (const auto& [name, value] : measured->about.values) {
            all[name].push_back(value);
        }
    }
    std::map<std::string, double> medians;
    for (auto& [name, values] : all) {
        std::sort(values.begin(), values.end());
        medians[name] = models::median(values);
    }
    return medians;
}

CombinedCase combined_case(const CaseKey& key, const std::vector<const MeasuredCase*>& of_runs) {
    CombinedCase result;
    result.key = key;
    result.record = of_runs.front()->about;
    result.record.values = median_values(of_runs);
    result.record.seconds_spent = 0;
    result.record.invalid = 0;
    for (const MeasuredCase* measured : of_runs) {
        result.medians.push_back(median_of(*measured));
        result.record.samples_seconds.push_back(result.medians.back().median);
        result.record.seconds_spent += measured->about.seconds_spent;
        result.record.invalid += measured->about.invalid;
    }
    result.combined = models::combine(result.medians);
    const double precision = models::relative_half_width(result.combined.interval, result.combined.median);
    result.record.precision = std::isfinite(precision) ? precision : 0;
    result.record.ended = "repetitions";
    return result;
}

// What an interrupted combine has written there; the manifest last, without which nobody knows what it was
void remove_incomplete(const std::string& folder) {
    const RunFiles files(folder);
    if (!std::filesystem::exists(files.manifest())) {
        return;
    }
    const RunLock lock(folder);
    if (is_incomplete_combination(load_run(folder))) {
        std::filesystem::remove(files.samples());
        std::filesystem::remove(files.manifest());
    }
}

std::string interval_text(const models::Interval& interval) {
    return std::isfinite(interval.high)
               ? fmt::format("{} to {}", seconds_text(interval.low), seconds_text(interval.high))
               : "needs 6 runs";
}

}  // namespace

Combination combine_runs(const std::vector<std::string>& folders) {
    if (folders.size() < 2) {
        throw usage_error("combine needs at least two runs; add another one");
    }
    Combination combination;
    combination.runs = folders;
    std::vector<Cases> runs;
    for (const std::string& folder : folders) {
        const SavedRun run(folder);
        if (is_combination(run.data().manifest)) {
            throw usage_error(folder + " is a combination of runs; combine the runs that it was made of");
        }
        if (runs.empty()) {
            combination.manifest = run.data().manifest;
        }
        runs.push_back(measured_cases(run.data()));
    }
    std::map<CaseKey, std::vector<const MeasuredCase*>> by_case;
    for (const Cases& run : runs) {
        for (const auto& [key, measured] : run) {
            by_case[key].push_back(&measured);
        }
    }
    for (const auto& [key, of_runs] : by_case) {
        if (of_runs.size() == runs.size()) {
            combination.cases.push_back(combined_case(key, of_runs));
        } else {
            ++combination.left_out;
        }
    }
    if (combination.cases.empty()) {
        throw usage_error("the runs have no case in common; combine runs of the same plan and cluster");
    }
    return combination;
}

Json to_json(const Combination& combination) {
    Json cases = Json::array();
    for (const CombinedCase& c : combination.cases) {
        Json medians = Json::array();
        for (const models::RunMedian& run : c.medians) {
            medians.push_back(1e6 * run.median);
        }
        Json json = {{"stage", to_string(c.key.stage)}};
        add_case(json, c.key);
        json.update({{"median_us", 1e6 * c.combined.median},
                     {"interval_us",
                      {number_or_null(1e6 * c.combined.interval.low),
                       number_or_null(1e6 * c.combined.interval.high)}},
                     {"spread_between_runs", c.combined.spread},
                     {"largest_by_smallest", c.combined.largest_by_smallest},
                     {"runs_that_miss", c.combined.misses},
                     {"medians_us", medians},
                     {"values", c.record.values}});
        cases.push_back(std::move(json));
    }
    return {{"format", "changeover-combination"},
            {"version", 1},
            {"runs", combination.runs},
            {"left_out", combination.left_out},
            {"cases", cases}};
}

std::string to_text(const Combination& combination) {
    std::string text = fmt::format(
        "{} runs; the median of each run counts once. Spread: standard deviation between runs. Missed: runs "
        "whose own 95%\ninterval does not contain the combined median.\n",
        combination.runs.size());
    std::string place;
    for (const CombinedCase& c : combination.cases) {
        const std::string here =
            fmt::format("{} on {} {}", c.key.what, c.key.network, to_string(c.key.layout));
        if (here != place) {
            place = here;
            text += fmt::format("\n{}\n  {:<26} {:>8} {:>10}  {:<24} {:>7} {:>7} {:>8}\n", place, "", "bytes",
                                "median", "95% interval", "spread", "max/min", "missed");
        }
        text += fmt::format(
            "  {:<26} {:>8} {:>10}  {:<24} {:>6.1f}% {:>7.2f} {:>8}\n", c.key.way, bytes_text(c.key.bytes),
            seconds_text(c.combined.median), interval_text(c.combined.interval), 100 * c.combined.spread,
            c.combined.largest_by_smallest, fmt::format("{} of {}", c.combined.misses, c.combined.runs));
    }
    if (combination.left_out > 0) {
        text += fmt::format("\n{} cases are left out: they are not in all runs\n", combination.left_out);
    }
    return text;
}

void write_run(const Combination& combination, const std::string& folder,
               const std::vector<std::string>& command_line) {
    Manifest manifest = combination.manifest;
    manifest.command_line = command_line;
    mark_as_combination(manifest, combination.runs, combination.cases.size());
    remove_incomplete(folder);
    Journal journal = Journal::create(folder, manifest);
    for (auto first = combination.cases.begin(); first != combination.cases.end();) {
        // what belongs together in one write
        const auto end = std::find_if(first, combination.cases.end(), [&](const CombinedCase& other) {
            return other.record.collective != first->record.collective ||
                   other.record.exchange != first->record.exchange ||
                   other.record.network != first->record.network ||
                   other.record.layout != first->record.layout;
        });
        std::vector<CaseRecord> group;
        std::transform(first, end, std::back_inserter(group), [](const CombinedCase& c) { return c.record; });
        journal.append(group);
        first = end;
    }
}

}  // namespace tuner
