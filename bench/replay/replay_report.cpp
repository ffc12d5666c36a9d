// SPDX-License-Identifier: MIT
#include "replay_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>

#include "sizes.hpp"
#include "statistics.hpp"

namespace bench {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_rows = 20;  // of the text

// A recorded time, and those of the repetitions
struct Compared {
    double recorded = 0;
    std::vector<double> replayed = {};

    std::vector<double> sorted() const {
        std::vector<double> times = replayed;
        std::sort(times.begin(), times.end());
        return times;
    }
    double median() const { return models::median(sorted()); }
    double least() const { return sorted().front(); }
    double most() const { return sorted().back(); }
    bool has_ratio() const { return recorded > 0; }
    double ratio() const { return median() / recorded; }
};

// Calls that differ in their root only; times of a mean member of the communicator
struct Row {
    std::string collective;
    std::size_t communicator;
    std::size_t bytes;
    std::size_t number = 0;
    Compared time = {};
};

Compared total_of(const ReplayReport& report) {
    Compared total{report.program.recorded_seconds, {}};
    for (const ReplayRepetition& repetition : report.repetitions) {
        total.replayed.push_back(repetition.seconds);
    }
    return total;
}

// Of a mean rank
Compared collectives_of(const ReplayReport& report) {
    Compared sum;
    for (const ReplayCall& call : report.program.calls) {
        sum.recorded += call.recorded_seconds / report.program.ranks;
    }
    for (const ReplayRepetition& repetition : report.repetitions) {
        sum.replayed.push_back(
            std::accumulate(repetition.seconds_of_call.begin(), repetition.seconds_of_call.end(), 0.0) /
            report.program.ranks);
    }
    return sum;
}

// The most time first
std::vector<Row> rows_of(const ReplayReport& report) {
    std::map<std::tuple<std::string, std::size_t, std::size_t>, Row> by_key;
    for (std::size_t c = 0; c < report.program.calls.size(); ++c) {
        const ReplayCall& call = report.program.calls[c];
        Row& row = by_key
                       .try_emplace({call.collective, call.communicator, call.bytes},
                                    Row{call.collective, call.communicator, call.bytes})
                       .first->second;
        const auto members = static_cast<double>(report.program.communicators[call.communicator].size());
        row.number += call.number;
        row.time.recorded += call.recorded_seconds / members;
        row.time.replayed.resize(report.repetitions.size());
        for (std::size_t r = 0; r < report.repetitions.size(); ++r) {
            row.time.replayed[r] += report.repetitions[r].seconds_of_call[c] / members;
        }
    }
    std::vector<Row> rows;
    std::transform(by_key.begin(), by_key.end(), std::back_inserter(rows),
                   [](const auto& entry) { return entry.second; });
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row& a, const Row& b) { return a.time.recorded > b.time.recorded; });
    return rows;
}

std::string line(const std::string& name, const std::string& communicator, const std::string& number,
                 const Compared& time) {
    return fmt::format("{:<32} {:<16} {:>8} {:>12.3f} {:>12.3f} {:>12.3f} {:>12.3f} {:>7}\n", name,
                       communicator, number, 1e3 * time.recorded, 1e3 * time.median(), 1e3 * time.least(),
                       1e3 * time.most(), time.has_ratio() ? fmt::format("{:.2f}", time.ratio()) : "-");
}

std::string communicator_text(const ReplayProgram& program, std::size_t communicator) {
    const std::size_t members = program.communicators[communicator].size();
    return fmt::format("{} ({} ranks)", communicator, members);
}

std::string comments(const ReplayReport& report) {
    std::string text =
        fmt::format("# {}: {} ranks; repetitions: {}; compute: {}\n# {}\n", report.file, report.program.ranks,
                    report.repetitions.size(), report.compute, report.library);
    for (const auto& [what, list] : {std::pair{"approximated", &report.program.approximated},
                                     {"omitted", &report.program.omitted},
                                     {"note", &report.notes}}) {
        for (const std::string& item : *list) {
            text += fmt::format("# {}: {}\n", what, item);
        }
    }
    return text;
}

Json json_of(const Compared& time) {
    return {{"recorded_seconds", time.recorded},
            {"replayed_seconds", time.median()},
            {"least_seconds", time.least()},
            {"most_seconds", time.most()},
            {"ratio", time.has_ratio() ? Json(time.ratio()) : Json()},
            {"repetitions_seconds", time.replayed}};
}

}  // namespace

std::string replay_text(const ReplayReport& report) {
    std::string text = comments(report);
    text += fmt::format("{:<32} {:<16} {:>8} {:>12} {:>12} {:>12} {:>12} {:>7}\n", "time of", "communicator",
                        "calls", "recorded ms", "replayed ms", "least ms", "most ms", "ratio");
    text += line("the program", "", "", total_of(report));
    text += line("its collectives, mean of ranks", "", "", collectives_of(report));
    const std::vector<Row> rows = rows_of(report);
    for (std::size_t i = 0; i < std::min(rows.size(), most_rows); ++i) {
        const Row& row = rows[i];
        text += line(fmt::format("{} {}", row.collective, models::size_text(row.bytes)),
                     communicator_text(report.program, row.communicator), fmt::format("{}", row.number),
                     row.time);
    }
    if (rows.size() > most_rows) {
        text += fmt::format("# {} more; all of them: --format json\n", rows.size() - most_rows);
    }
    return text;
}

std::string replay_json(const ReplayReport& report) {
    Json calls = Json::array();
    for (const Row& row : rows_of(report)) {
        calls.push_back({{"collective", row.collective},
                         {"bytes", row.bytes},
                         {"communicator", row.communicator},
                         {"ranks", report.program.communicators[row.communicator].size()},
                         {"number", row.number}});
        calls.back().update(json_of(row.time));
    }
    const Json json = {{"type", "replay"},
                       {"version", 1},
                       {"file", report.file},
                       {"ranks", report.program.ranks},
                       {"library", report.library},
                       {"compute", report.compute},
                       {"total", json_of(total_of(report))},
                       {"in_collectives", json_of(collectives_of(report))},
                       {"calls", calls},
                       {"approximated", report.program.approximated},
                       {"omitted", report.program.omitted},
                       {"notes", report.notes}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace bench
