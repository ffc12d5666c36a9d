// SPDX-License-Identifier: MIT
// What a tuned library does at each size of a cell, where it changes over, and what almost became a rule.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "decide.hpp"
#include "mpi_library.hpp"
#include "report_parts.hpp"
#include "rules_at.hpp"
#include "thresholds.hpp"

namespace tuner::report {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

std::vector<Rule> rules_of_cell(const Config& config, const CellKey& key) {
    std::vector<Rule> rules = rules_at(config, key.network, key.layout, key.collective);
    std::erase_if(rules, [&](const Rule& rule) { return cell_of(rule) != key; });
    return rules;
}

const Rule* rule_at(const std::vector<Rule>& rules, std::size_t bytes) {
    const auto found = std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) {
        return bytes >= rule.from_bytes && bytes <= rule.to_bytes;
    });
    return found == rules.end() ? nullptr : &*found;
}

// What the library chose by itself; where it cannot tell, by its documented thresholds
std::string used_by_default(const CellKey& key, std::size_t bytes,
                            const std::map<std::string, CellTime>& times, bool is_mpich) {
    const auto found = times.find(default_algorithm);
    if (found != times.end() && !found->second.used.empty() && found->second.used != default_algorithm) {
        return found->second.used;
    }
    return is_mpich ? default_choice(key.collective, key.layout, bytes).value_or("") : "";
}

double gain_of(const std::map<std::string, CellTime>& times, const std::string& algorithm) {
    const auto by_default = times.find(default_algorithm);
    const auto tuned = times.find(algorithm);
    return by_default == times.end() || tuned == times.end()
               ? unknown
               : by_default->second.time.median_seconds / tuned->second.time.median_seconds;
}

// Of the algorithms that the default uses from size to size; a change lies between two measured sizes
std::vector<Stretch> stretches_of_default(const std::vector<std::pair<double, std::string>>& used) {
    std::vector<Stretch> stretches;
    for (const auto& [bytes, algorithm] : used) {
        if (stretches.empty()) {
            stretches.push_back({bytes, bytes, algorithm, false, {bytes, bytes}});
        } else if (stretches.back().algorithm == algorithm) {
            stretches.back().to_bytes = bytes;
        } else {
            const double last = stretches.back().to_bytes;
            const double middle = std::sqrt(last * bytes);
            stretches.back().to_bytes = middle;
            stretches.push_back({middle, bytes, algorithm, false, {last, bytes}});
        }
    }
    return stretches;
}

// The rules, and the library's own choice between them; `largest` may be beyond what was measured, where only
// rules are known
std::vector<Stretch> stretches_of_tuned(const std::vector<Rule>& rules,
                                        const std::vector<Stretch>& by_default, double largest) {
    if (by_default.empty()) {
        return {};
    }
    const double first = by_default.front().from_bytes;
    const double last = std::max(by_default.back().to_bytes, largest);
    std::vector<Stretch> stretches;
    double next = first;
    const auto fill_up_to = [&](double end) {
        for (const Stretch& stretch : by_default) {
            const double from = std::max(stretch.from_bytes, next);
            const double to = std::min(stretch.to_bytes, end);
            if (from < to) {
                const bool is_start = from == stretch.from_bytes;
                stretches.push_back({from, to, stretch.algorithm, false,
                                     is_start ? stretch.from_interval : models::Interval{from, from}});
            }
        }
    };
    for (const Rule& rule : rules) {
        const double from = std::clamp(static_cast<double>(rule.from_bytes), first, last);
        if (from == last) {
            continue;
        }
        const double to =
            rule.to_bytes == no_end ? last : std::clamp(static_cast<double>(rule.to_bytes), first, last);
        fill_up_to(from);
        stretches.push_back({from, to, rule.algorithm, true, rule.from_interval});
        next = to;
    }
    fill_up_to(last);
    return stretches;
}

NearMiss near_miss_of(const CellKey& key, const Cell& cell, const Plan& plan, bool is_verified) {
    NearMiss miss;
    for (const auto& [bytes, times] : cell.times) {
        for (const auto& [algorithm, time] : times) {
            if (const double gain = gain_of(times, algorithm); gain > miss.gain) {
                miss.algorithm = algorithm;
                miss.bytes = bytes;
                miss.gain = gain;
            }
        }
    }
    if (!key.operation.empty() && key.operation != "sum") {
        miss.why = "rules apply to built-in operations only; this operation is measured for information";
    } else if (!rules_of(key, cell, plan.loss_bound).empty()) {
        miss.why = is_verified ? "was faster in the search, but not when it was verified"
                               : "is faster; no rule has been decided yet";
    } else if (miss.gain <= 1 + plan.loss_bound) {
        miss.why = fmt::format("no algorithm is more than {:.0f}% faster than the default at any size",
                               100 * plan.loss_bound);
    } else {
        miss.why = "no significant difference to the default";
    }
    return miss;
}

ReportCell cell_from(const CellKey& key, const Cell& measured, const ReportData& data) {
    ReportCell cell;
    cell.key = key;
    cell.measured = measured;
    const std::vector<Rule> rules = rules_of_cell(data.config, key);
    std::vector<std::pair<double, std::string>> used;
    for (const auto& [bytes, times] : measured.times) {
        if (bytes == 0) {
            continue;  // barrier: no place on a logarithmic axis; its times are in the tables
        }
        const std::string by_default =
            used_by_default(key, bytes, times, find_library(data.cluster.library).has_thresholds);
        used.emplace_back(static_cast<double>(bytes), by_default);
        const Rule* rule = rule_at(rules, bytes);
        cell.sizes.push_back({bytes, rule == nullptr ? by_default : rule->algorithm, rule != nullptr,
                              gain_of(times, rule == nullptr ? default_algorithm : rule->algorithm), false});
    }
    for (const Proof* proof : data.gains.proofs) {
        if (proof->cell == key && !measured.times.contains(proof->bytes)) {
            cell.sizes.push_back({proof->bytes, proof->algorithm, true, proof->ratio.ratio, true});
        }
    }
    std::stable_sort(cell.sizes.begin(), cell.sizes.end(),
                     [](const SizeChoice& a, const SizeChoice& b) { return a.bytes < b.bytes; });
    cell.by_default = stretches_of_default(used);
    cell.tuned = stretches_of_tuned(rules, cell.by_default,
                                    cell.sizes.empty() ? 0 : static_cast<double>(cell.sizes.back().bytes));
    if (rules.empty() && !measured.times.empty()) {
        cell.near_miss = near_miss_of(key, measured, data.plan, data.config.verified);
    }
    return cell;
}

}  // namespace

void add_cells(ReportData& data, const Cells& cells) {
    for (const auto& [key, measured] : cells) {
        data.cells.push_back(cell_from(key, measured, data));
    }
    const auto position = [&](const CellKey& key) {
        const auto network = std::find_if(data.cluster.networks.begin(), data.cluster.networks.end(),
                                          [&](const Network& n) { return n.name == key.network; });
        return network - data.cluster.networks.begin();
    };
    std::stable_sort(data.cells.begin(), data.cells.end(), [&](const ReportCell& a, const ReportCell& b) {
        return std::tuple(a.key.collective, a.key.operation, position(a.key), a.key.layout) <
               std::tuple(b.key.collective, b.key.operation, position(b.key), b.key.layout);
    });
}

}  // namespace tuner::report
