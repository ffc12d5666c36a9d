// SPDX-License-Identifier: MIT
// Collectives: who is faster at which sizes, by how much, and how the changeover points move.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "compare_parts.hpp"
#include "units.hpp"

namespace tuner {

namespace {

std::vector<double> sorted_samples(const std::vector<const CaseRecord*>& records) {
    std::vector<double> sorted;
    for (const CaseRecord* record : records) {
        sorted.insert(sorted.end(), record->samples_seconds.begin(), record->samples_seconds.end());
    }
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

// The algorithm that each choice asks for at a size; empty: there is no such choice
std::array<std::string, choice_names.size()> algorithms_of(const MeasuredNetwork& side, const CellKey& key,
                                                           std::size_t bytes,
                                                           const std::map<std::string, CellTime>& times) {
    const auto best = std::min_element(times.begin(), times.end(), [](const auto& x, const auto& y) {
        return x.second.time.median_seconds < y.second.time.median_seconds;
    });
    std::string tuned;
    if (side.config) {
        const Rule* rule = find_rule(*side.config, side.about.network, key.layout, key.collective, bytes);
        const bool holds = rule && cell_at(*rule, key.layout).operation == key.operation;
        tuned = holds ? rule->algorithm : default_algorithm;
    }
    return {default_algorithm, best->first, tuned};
}

struct Chosen {
    std::optional<ChosenCase> chosen;
    std::vector<double> sorted;
};

Chosen chosen_case(const std::map<std::string, CellTime>& times, const RecordsByAlgorithm& records,
                   const std::string& algorithm) {
    const auto time = times.find(algorithm);
    if (time == times.end()) {
        return {};
    }
    Chosen chosen;
    chosen.sorted = sorted_samples(records.at(algorithm));
    const std::string& used = time->second.used;
    chosen.chosen = ChosenCase{used.empty() ? algorithm : used, time->second.time.interval,
                               models::tail_of(chosen.sorted)};
    return chosen;
}

ComparedSize compared_size(const MeasuredNetwork& a, const MeasuredNetwork& b, const CellKey& key,
                           std::size_t bytes) {
    ComparedSize size;
    size.bytes = bytes;
    const auto& times_a = a.cells.at(key).times.at(bytes);
    const auto& times_b = b.cells.at(key).times.at(bytes);
    const auto algorithms_a = algorithms_of(a, key, bytes, times_a);
    const auto algorithms_b = algorithms_of(b, key, bytes, times_b);
    for (std::size_t i = 0; i < choice_names.size(); ++i) {
        const Chosen in_a = chosen_case(times_a, a.records.at(key).at(bytes), algorithms_a[i]);
        const Chosen in_b = chosen_case(times_b, b.records.at(key).at(bytes), algorithms_b[i]);
        ComparedChoice& choice = size.choices[i];
        choice.a = in_a.chosen;
        choice.b = in_b.chosen;
        if (choice.a && choice.b) {
            choice.ratio = models::ratio_of_medians(choice.b->tail.median, choice.b->interval,
                                                    choice.a->tail.median, choice.a->interval);
            choice.p = models::rank_sum_p(in_a.sorted, in_b.sorted);
        }
    }
    return size;
}

void judge_choice(ComparedCell& cell, std::size_t number, double margin) {
    std::vector<double> p;
    for (const ComparedSize& size : cell.sizes) {
        p.push_back(size.choices[number].p);
    }
    p = models::holm_adjusted(p);
    std::vector<WonRange>& won = cell.won[number];
    Winner before = Winner::neither;
    int sizes = 0;
    double sum_of_logs = 0;
    for (std::size_t i = 0; i < cell.sizes.size(); ++i) {
        ComparedChoice& choice = cell.sizes[i].choices[number];
        choice.p = p[i];
        choice.winner = choice.ratio ? winner_of(choice.ratio->interval, p[i], margin) : Winner::neither;
        if (choice.winner != Winner::neither) {
            if (choice.winner != before) {
                won.push_back({choice.winner, cell.sizes[i].bytes, 0, 1});
                sizes = 0;
                sum_of_logs = 0;
            }
            sum_of_logs += std::log(choice.ratio->ratio);
            won.back().to_bytes = cell.sizes[i].bytes;
            won.back().ratio = std::exp(sum_of_logs / ++sizes);
        }
        before = choice.winner;
    }
}

struct OneChangeover {
    std::string from;
    std::string to;
    std::string from_name;  // with what the default used
    std::string to_name;
    ChangeoverPoint place;
};

std::vector<OneChangeover> changeovers_of(const std::vector<ChosenRange>& ranges) {
    std::vector<OneChangeover> changeovers;
    for (std::size_t i = 1; i < ranges.size(); ++i) {
        changeovers.push_back({ranges[i - 1].algorithm,
                               ranges[i].algorithm,
                               to_string(ranges[i - 1]),
                               to_string(ranges[i]),
                               {ranges[i].changeover_bytes, ranges[i].from_interval}});
    }
    return changeovers;
}

// From and to the same algorithms, in the order of sizes. The default counts as one algorithm.
std::vector<ComparedChangeover> compared_changeovers(const std::vector<ChosenRange>& a,
                                                     const std::vector<ChosenRange>& b) {
    std::vector<ComparedChangeover> compared;
    std::vector<OneChangeover> of_b = changeovers_of(b);
    for (const OneChangeover& one : changeovers_of(a)) {
        const auto same = std::find_if(of_b.begin(), of_b.end(), [&](const OneChangeover& other) {
            return other.from == one.from && other.to == one.to;
        });
        ComparedChangeover row{one.from_name, one.to_name, one.place, std::nullopt};
        if (same != of_b.end()) {
            row.b = same->place;
            of_b.erase(same);
        }
        compared.push_back(row);
    }
    for (const OneChangeover& one : of_b) {
        compared.push_back({one.from_name, one.to_name, std::nullopt, one.place});
    }
    const auto bytes = [](const ComparedChangeover& c) { return c.a ? c.a->bytes : c.b->bytes; };
    std::stable_sort(compared.begin(), compared.end(),
                     [&](const auto& x, const auto& y) { return bytes(x) < bytes(y); });
    return compared;
}

// What `here` has and `there` has not: sizes, and algorithms of all sizes
std::vector<std::string> only_here(const Cell& here, const Cell& there) {
    std::vector<std::string> sizes;
    std::set<std::string> algorithms;
    std::set<std::string> others;
    for (const auto& [bytes, times] : here.times) {
        if (!there.times.contains(bytes)) {
            const auto missing = there.missing.find(bytes);
            const bool has_reason = missing != there.missing.end() && !missing->second.empty();
            sizes.push_back(bytes_text(bytes) +
                            (has_reason ? " (" + missing->second.begin()->second + ")" : ""));
        }
        for (const auto& [algorithm, time] : times) {
            algorithms.insert(algorithm);
        }
    }
    for (const auto& [bytes, times] : there.times) {
        for (const auto& [algorithm, time] : times) {
            others.insert(algorithm);
        }
    }
    std::vector<std::string> only;
    if (!sizes.empty()) {
        only.push_back(fmt::format("sizes {}", fmt::join(sizes, ", ")));
    }
    std::vector<std::string> names;
    std::set_difference(algorithms.begin(), algorithms.end(), others.begin(), others.end(),
                        std::back_inserter(names));
    if (!names.empty()) {
        only.push_back(fmt::format("algorithms {}", fmt::join(names, ", ")));
    }
    return only;
}

}  // namespace

std::string name_of(const CellKey& key) {
    return fmt::format("{}{} {}", key.collective, key.operation.empty() ? "" : " (" + key.operation + ")",
                       to_string(key.layout));
}

ComparedCell compared_cell(const MeasuredNetwork& a, const MeasuredNetwork& b, const CellKey& key,
                           const Comparison& comparison) {
    ComparedCell cell;
    cell.key = key;
    const Cell& in_a = a.cells.at(key);
    const Cell& in_b = b.cells.at(key);
    for (const auto& [bytes, times] : in_a.times) {
        if (in_b.times.contains(bytes)) {
            cell.sizes.push_back(compared_size(a, b, key, bytes));
        }
    }
    for (std::size_t i = 0; i < choice_names.size(); ++i) {
        judge_choice(cell, i, comparison.margin);
    }
    cell.chosen_a = ranges_of(in_a, comparison.loss_bound);
    cell.chosen_b = ranges_of(in_b, comparison.loss_bound);
    cell.changeovers = compared_changeovers(cell.chosen_a, cell.chosen_b);
    cell.only_a = only_here(in_a, in_b);
    cell.only_b = only_here(in_b, in_a);
    return cell;
}

bool ComparedChangeover::has_moved() const {
    return a && b && (a->interval.low > b->interval.high || b->interval.low > a->interval.high);
}

}  // namespace tuner
