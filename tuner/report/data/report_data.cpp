// SPDX-License-Identifier: MIT
#include "report_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>
#include <tuple>

#include "decide.hpp"
#include "error.hpp"
#include "mpi_library.hpp"
#include "search.hpp"
#include "summary.hpp"
#include "thresholds.hpp"
#include "units.hpp"

namespace tuner::report {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_distributions_of_tails = 4;

std::vector<const Rule*> rules_of_cell(const Config& config, const CellKey& key) {
    std::vector<const Rule*> rules;
    for (const Rule& rule : config.rules) {
        if (cell_of(rule) == key) {
            rules.push_back(&rule);
        }
    }
    return rules;
}

const Rule* rule_at(const std::vector<const Rule*>& rules, std::size_t bytes) {
    const auto found = std::find_if(rules.begin(), rules.end(), [&](const Rule* rule) {
        return bytes >= rule->from_bytes && bytes <= rule->to_bytes;
    });
    return found == rules.end() ? nullptr : *found;
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
std::vector<Stretch> stretches_of_tuned(const std::vector<const Rule*>& rules,
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
    for (const Rule* rule : rules) {
        const double from = std::clamp(static_cast<double>(rule->from_bytes), first, last);
        if (from == last) {
            continue;
        }
        const double to =
            rule->to_bytes == no_end ? last : std::clamp(static_cast<double>(rule->to_bytes), first, last);
        fill_up_to(from);
        stretches.push_back({from, to, rule->algorithm, true, rule->from_interval});
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
        miss.why = "rules are for built-in operations; this was measured for people";
    } else if (!rules_of(key, cell, plan.loss_bound).empty()) {
        miss.why = is_verified ? "was faster when measured, but did not win again when verified"
                               : "is faster; no rule was decided yet";
    } else if (miss.gain <= 1 + plan.loss_bound) {
        miss.why = fmt::format("the default is the best within {:.0f}% at all sizes", 100 * plan.loss_bound);
    } else {
        miss.why = "faster only within noise: the intervals of the medians overlap";
    }
    return miss;
}

ReportCell cell_from(const CellKey& key, const Cell& measured, const ReportData& data) {
    ReportCell cell;
    cell.key = key;
    cell.measured = measured;
    const std::vector<const Rule*> rules = rules_of_cell(data.config, key);
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

void add_models(ReportData& data, const RunData& run, const Cells& cells) {
    for (const Network& network : data.cluster.networks) {
        NetworkModel model;
        model.network = network.name;
        const models::Parameters shape = shape_of(run, data.network_parameters, network.name);
        if (std::optional<Prediction> prediction = Prediction::of(cells, network.name, shape)) {
            for (ReportCell& cell : data.cells) {
                if (cell.key.network != network.name) {
                    continue;
                }
                for (const auto& [bytes, times] : cell.measured.times) {
                    for (const Prediction::Predicted& p :
                         prediction->predict(cell.key.collective, cell.key.layout, bytes)) {
                        cell.predicted[p.algorithm][bytes] = p.seconds;
                    }
                }
            }
            model.times = prediction->explained();
            model.fit = prediction->fit();
        } else {
            model.problem = "nothing was measured on " + network.name + " that a model knows";
        }
        data.models.push_back(std::move(model));
    }
}

void add_comparisons(ReportData& data, const std::string& against) {
    std::vector<CompareOptions> wanted;
    if (!against.empty()) {
        wanted.push_back({"", data.folder, against});
    } else {
        for (std::size_t i = 1; i < data.cluster.networks.size(); ++i) {
            wanted.push_back({data.folder, data.cluster.networks[0].name, data.cluster.networks[i].name});
        }
    }
    for (const CompareOptions& options : wanted) {
        try {
            Comparisons found = compare(options);
            std::move(found.pairs.begin(), found.pairs.end(), std::back_inserter(data.comparisons));
            std::move(found.only.begin(), found.only.end(), std::back_inserter(data.comparison_problems));
        } catch (const Error& error) {
            data.comparison_problems.emplace_back(error.what());
        }
    }
}

void add_verified_gains(ReportData& data) {
    Gains& gains = data.gains;
    gains.proofs = proofs_that_count(data.config, data.proofs);
    std::sort(gains.proofs.begin(), gains.proofs.end(),
              [](const Proof* a, const Proof* b) { return a->ratio.ratio > b->ratio.ratio; });
    double sum_of_logs = 0;
    for (const Proof* proof : gains.proofs) {
        sum_of_logs += std::log(proof->ratio.ratio);
    }
    if (!gains.proofs.empty()) {
        gains.geometric_mean = std::exp(sum_of_logs / static_cast<double>(gains.proofs.size()));
    }
}

void add_measured_gains(ReportData& data) {
    Gains& gains = data.gains;
    double sum_of_logs = 0;
    for (const ReportCell& cell : data.cells) {
        for (const SizeChoice& size : cell.sizes) {
            gains.sizes += !size.is_verified;
            if (size.by_rule && !size.is_verified && !std::isnan(size.gain)) {
                ++gains.changed_sizes;
                sum_of_logs += std::log(size.gain);
            }
        }
    }
    if (gains.changed_sizes > 0) {
        gains.mean_of_changed = std::exp(sum_of_logs / static_cast<double>(gains.changed_sizes));
    }
}

Distribution::Series series_of(const RunData& run, const std::string& stage, const CellKey& cell,
                               std::size_t bytes, const std::string& algorithm) {
    Distribution::Series series{algorithm, {}, {}, 0, {}};
    for (const CaseRecord& record : run.cases) {
        if (record.stage == stage && record.bytes == bytes && record.algorithm == algorithm &&
            record.status == "measured" && record.collective == cell.collective &&
            record.operation == cell.operation && record.network == cell.network &&
            record.layout == cell.layout) {
            series.sorted_seconds.insert(series.sorted_seconds.end(), record.samples_seconds.begin(),
                                         record.samples_seconds.end());
            series.finish_of_rank = record.rank_finish_seconds;
        }
    }
    if (!series.sorted_seconds.empty()) {
        std::sort(series.sorted_seconds.begin(), series.sorted_seconds.end());
        series.tail = models::tail_of(series.sorted_seconds);
        series.outliers = models::outliers(series.sorted_seconds).size();
    }
    return series;
}

void add_distribution(ReportData& data, const RunData& run, const std::string& stage, const CellKey& cell,
                      std::size_t bytes, const std::vector<std::string>& algorithms, const std::string& why) {
    const bool is_there =
        std::any_of(data.distributions.begin(), data.distributions.end(), [&](const Distribution& d) {
            return d.cell == cell && d.bytes == bytes && d.series.back().algorithm == algorithms.back();
        });
    Distribution distribution{cell, bytes, why, {}};
    for (const std::string& algorithm : algorithms) {
        Distribution::Series series = series_of(run, stage, cell, bytes, algorithm);
        if (!series.sorted_seconds.empty()) {
            distribution.series.push_back(std::move(series));
        }
    }
    if (!distribution.series.empty() && !is_there) {
        data.distributions.push_back(std::move(distribution));
    }
}

// The best and the least proof, and the cases with the worst tails
void add_distributions(ReportData& data, const RunData& run) {
    if (!data.gains.proofs.empty()) {
        const Proof& best = *data.gains.proofs.front();
        const Proof& least = *data.gains.proofs.back();
        add_distribution(data, run, "verify", best.cell, best.bytes, {default_algorithm, best.algorithm},
                         "the largest verified gain");
        add_distribution(data, run, "verify", least.cell, least.bytes, {default_algorithm, least.algorithm},
                         "the smallest verified gain");
    }
    struct Candidate {
        const CaseRecord* record;
        models::Tail tail;
    };
    std::vector<Candidate> candidates;
    std::vector<double> sorted;
    for (const CaseRecord& record : run.cases) {
        if (record.status == "measured" && record.samples_seconds.size() >= 10) {
            sorted = record.samples_seconds;
            std::sort(sorted.begin(), sorted.end());
            const models::Tail tail = models::tail_of(sorted);
            if (tail.time_outs > 0 || tail.shares_beyond.front() > 0) {
                candidates.push_back({&record, tail});
            }
        }
    }
    const std::size_t count = std::min(most_distributions_of_tails, candidates.size());
    std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(count),
                      candidates.end(), [](const Candidate& a, const Candidate& b) {
                          return std::tuple(a.tail.time_outs, a.tail.max / a.tail.median) >
                                 std::tuple(b.tail.time_outs, b.tail.max / b.tail.median);
                      });
    for (std::size_t i = 0; i < count; ++i) {
        const CaseRecord& r = *candidates[i].record;
        add_distribution(data, run, r.stage, {r.network, r.layout, r.collective, r.operation}, r.bytes,
                         {r.algorithm},
                         candidates[i].tail.time_outs > 0
                             ? "suspected retransmit time-outs"
                             : fmt::format("the slowest repetition took {:.0f} times the median",
                                           candidates[i].tail.max / candidates[i].tail.median));
    }
}

Place& place_of(ReportData& data, const std::string& network, const Layout& layout) {
    const auto found = std::find_if(data.places.begin(), data.places.end(), [&](const Place& place) {
        return place.network == network && place.layout == layout;
    });
    if (found != data.places.end()) {
        return *found;
    }
    Place place;
    place.network = network;
    place.layout = layout;
    data.places.push_back(std::move(place));
    return data.places.back();
}

void add_places(ReportData& data, const RunData& run) {
    for (const Network& network : data.cluster.networks) {
        for (const Layout& layout : data.cluster.layouts) {
            place_of(data, network.name, layout).command_line =
                to_shell(launch_command(data.cluster, network, layout, {data.cluster.benchmark, "--serve"}));
        }
    }
    std::map<std::string, std::pair<std::string, Layout>> jobs;  // by token
    for (const Json& event : run.events) {
        const std::string name = event.at("event");
        const std::string token = event.value("token", "");
        if (name == "job_started") {
            jobs[token] = {event.at("network"), layout_from(event)};
        } else if (jobs.contains(token) && (name == "job_header" || name == "job_ended")) {
            Place& place = place_of(data, jobs[token].first, jobs[token].second);
            if (name == "job_header") {
                ++place.jobs;
                place.header = place.header.is_null() ? event.at("header") : place.header;
                const Json& error = event.at("header").value("sync_error_us", Json());
                place.sync_error_us =
                    std::max(place.sync_error_us, error.is_number() ? error.get<double>() : 0);
            } else if (event.contains("tcp_time_outs")) {
                place.tcp_time_outs = place.tcp_time_outs.value_or(0) + event.at("tcp_time_outs").get<long>();
            }
        }
    }
    for (const CaseRecord& record : run.cases) {
        Place& place = place_of(data, record.network, record.layout);
        place.samples += record.samples_seconds.size();
        place.invalid += record.invalid;
    }
}

void add_doubtful(ReportData& data, const RunData& run) {
    std::map<CellKey, Doubtful> by_cell;
    for (const CaseRecord& record : run.cases) {
        if (record.stage != "search" || record.status != "measured") {
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

std::string name_of(const CellKey& key) {
    return fmt::format("{} on {} {}", collective_label(key), key.network, to_string(key.layout));
}

void add_missing_cells(ReportData& data, const Cells& cells) {
    for (const Network& network : data.cluster.networks) {
        for (const Layout& layout : data.cluster.layouts) {
            const bool has_cell = std::any_of(cells.begin(), cells.end(), [&](const auto& cell) {
                return cell.first.network == network.name && cell.first.layout == layout &&
                       !cell.second.times.empty();
            });
            const bool has_any =
                has_cell || std::any_of(data.exchanges.begin(), data.exchanges.end(), [&](const auto& curve) {
                    return curve.first.network == network.name && curve.first.layout == layout;
                });
            if (!has_any) {
                const bool has_started = !place_of(data, network.name, layout).header.is_null();
                data.problems.push_back(
                    {fmt::format("Nothing was measured on {} {}: {}.", network.name, to_string(layout),
                                 has_started ? "the benchmark started, but no case succeeded"
                                             : "the benchmark did not start there, or has not been tried"),
                     "changeover tune --run " + data.folder});
                continue;
            }
            for (const PlannedCollective& planned : data.plan.collectives) {
                const CellKey key{network.name, layout, planned.name, planned.operation};
                const auto found = cells.find(key);
                if (found == cells.end() || found->second.times.empty()) {
                    data.problems.push_back(
                        {"Not measured: " + name_of(key) + ".", "changeover tune --run " + data.folder});
                    continue;
                }
                for (const OpenChangeover& open : open_changeovers(data.plan, planned, found->second)) {
                    data.coarse.push_back(
                        fmt::format("{}: the changeover from {} to {} is between {} and {} bytes",
                                    name_of(key), open.low_best, open.high_best, bytes_text(open.low_bytes),
                                    bytes_text(open.high_bytes)));
                }
            }
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
        if (record.status != "poisoned" || record.stage != "search") {
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
        data.problems.push_back({fmt::format("{} failed {} time{} on {}; the last reason: {}", name,
                                             of_algorithm.sizes, of_algorithm.sizes == 1 ? "" : "s",
                                             fmt::join(of_algorithm.places, ", "), of_algorithm.reason),
                                 ""});
    }
}

void add_state(ReportData& data) {
    if (data.plan.collectives.empty()) {
        // nothing is decided or verified
    } else if (!data.has_config) {
        data.problems.push_back({"No rules were decided yet: the figures show what was measured only.",
                                 "changeover decide --run " + data.folder});
    } else if (!data.config.verified) {
        data.problems.push_back(
            {"The rules are not verified yet: gains are those of the sizes that were used "
             "for deciding, and may be too good.",
             "changeover verify --run " + data.folder});
    }
    if (!data.cluster.note().empty()) {
        data.problems.push_back({data.cluster.note(), ""});
    }
}

}  // namespace

std::string collective_label(const CellKey& key) {
    return key.operation.empty() || key.operation == "sum" ? key.collective
                                                           : key.collective + " (" + key.operation + ")";
}

bool is_same_collective(const CellKey& a, const CellKey& b) {
    return a.collective == b.collective && a.operation == b.operation;
}

ReportData gather(const std::string& folder, const std::string& against) {
    RunData run = load_run(folder);
    forget_stale(run);
    ReportData data;
    data.folder = folder;
    data.manifest = run.manifest;
    data.cluster = cluster_from(CheckedJson(run.manifest.cluster, folder + "/manifest.json"));
    data.plan = plan_from(CheckedJson(run.manifest.plan, folder + "/manifest.json"));
    data.has_config = std::filesystem::exists(folder + "/config.json");
    if (data.has_config) {
        data.config = read_config(folder + "/config.json");
    }
    if (std::filesystem::exists(folder + "/verification.json")) {
        data.proofs = proofs_from(CheckedJson::parse_file(folder + "/verification.json"));
    }
    data.network_parameters = load_network_parameters(folder);
    data.exchanges = exchange_curves(run);
    for (const CaseRecord& record : run.cases) {
        data.benchmark_seconds += record.seconds_spent;
        data.samples += record.samples_seconds.size();
        ++data.cases;
    }
    const Cells cells = cells_of(run, "search");
    add_verified_gains(data);
    add_cells(data, cells);
    add_models(data, run, cells);
    add_measured_gains(data);
    add_comparisons(data, against);
    add_distributions(data, run);
    add_places(data, run);
    add_doubtful(data, run);
    add_state(data);
    add_missing_cells(data, cells);
    add_failed_cases(data, run, cells);
    return data;
}

}  // namespace tuner::report
