// SPDX-License-Identifier: MIT
#include "compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "conditions.hpp"
#include "error.hpp"
#include "units.hpp"

namespace tuner {

namespace {

constexpr const char* stage = "search";
constexpr double error_rate = 0.05;

using Algorithms = std::map<std::string, std::vector<const CaseRecord*>>;
using Sizes = std::map<std::size_t, Algorithms>;

// A network of a run, with cells that are named without it
struct Side {
    ComparedSide about;
    Conditions conditions;
    std::map<CellKey, Cell> cells;
    std::map<CellKey, Sizes> records;
    std::map<Layout, KernelCounters> counters;
    NetworkParameters parameters;
    ExchangeCurves exchanges;
    std::optional<Config> config;
    double loss_bound = 0;
};

struct LoadedRun {
    std::string folder;
    RunData data;
    Cells cells;
    std::optional<Config> config;
    NetworkParameters parameters;
    std::vector<std::string> networks;
};

LoadedRun load(const std::string& folder) {
    LoadedRun run;
    run.folder = folder;
    run.data = load_run(folder);
    forget_stale(run.data);
    run.cells = cells_of(run.data, stage);
    const std::string config = folder + "/config.json";
    if (std::filesystem::exists(config)) {
        run.config = read_config(config);
    }
    run.parameters = load_network_parameters(folder);
    std::set<std::string> networks;
    for (const CaseRecord& record : run.data.cases) {
        if (record.stage == stage || record.stage == exchange_stage) {
            networks.insert(record.network);
        }
    }
    run.networks.assign(networks.begin(), networks.end());
    if (networks.empty()) {
        throw wrong_use(
            fmt::format("the run {} has no measured case; try: changeover run --run {}", folder, folder));
    }
    return run;
}

Side side_of(const LoadedRun& run, const std::string& network) {
    Side side;
    side.about = {run.folder, network, run.data.manifest.created, "none"};
    side.conditions = conditions_of(run.data, network);
    side.counters = counters_of(run.data, network);
    side.parameters = run.parameters;
    side.config = run.config;
    side.loss_bound =
        run.data.manifest.plan.is_object() ? run.data.manifest.plan.value("loss_bound", 0.0) : 0;
    if (run.config) {
        const auto rules = std::count_if(run.config->rules.begin(), run.config->rules.end(),
                                         [&](const Rule& rule) { return rule.network == network; });
        side.about.config = fmt::format("{} rule{}, {}verified", rules, rules == 1 ? "" : "s",
                                        run.config->verified ? "" : "not ");
    }
    for (const auto& [key, cell] : run.cells) {
        if (key.network == network) {
            side.cells.emplace(CellKey{"", key.layout, key.collective, key.operation}, cell);
        }
    }
    for (const auto& [key, curve] : exchange_curves(run.data)) {
        if (key.network == network) {
            side.exchanges.emplace(ExchangeKey{"", key.layout, key.exchange, key.way}, curve);
        }
    }
    for (const CaseRecord& record : run.data.cases) {
        if (record.stage == stage && record.network == network && record.status == "measured" &&
            !record.samples_seconds.empty()) {
            side.records[{"", record.layout, record.collective, record.operation}][record.bytes]
                        [record.algorithm]
                            .push_back(&record);
        }
    }
    return side;
}

std::vector<double> sorted_samples(const std::vector<const CaseRecord*>& records) {
    std::vector<double> sorted;
    for (const CaseRecord* record : records) {
        sorted.insert(sorted.end(), record->samples_seconds.begin(), record->samples_seconds.end());
    }
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

// The algorithm that each choice asks for at a size; empty: there is no such choice
std::array<std::string, choice_names.size()> algorithms_of(const Side& side, const CellKey& key,
                                                           std::size_t bytes,
                                                           const std::map<std::string, CellTime>& times) {
    const auto best = std::min_element(times.begin(), times.end(), [](const auto& x, const auto& y) {
        return x.second.time.median_seconds < y.second.time.median_seconds;
    });
    std::string tuned;
    if (side.config) {
        const Rule* rule = find_rule(*side.config, side.about.network, key.layout, key.collective, bytes);
        const bool holds = rule && cell_of(*rule).operation == key.operation;
        tuned = holds ? rule->algorithm : default_algorithm;
    }
    return {default_algorithm, best->first, tuned};
}

struct Chosen {
    std::optional<ChosenCase> chosen;
    std::vector<double> sorted;
};

Chosen chosen_case(const std::map<std::string, CellTime>& times, const Algorithms& records,
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

ComparedSize compared_size(const Side& a, const Side& b, const CellKey& key, std::size_t bytes) {
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

// A win needs both: the whole interval beyond the margin, and a test that holds for all sizes of the table
Winner winner_of(const models::Interval& interval, double p, double margin) {
    if (p >= error_rate) {
        return Winner::nobody;
    }
    return interval.low > 1 + margin          ? Winner::a
           : interval.high < 1 / (1 + margin) ? Winner::b
                                              : Winner::nobody;
}

void judge_choice(ComparedCell& cell, std::size_t number, double margin) {
    std::vector<double> p;
    for (const ComparedSize& size : cell.sizes) {
        p.push_back(size.choices[number].p);
    }
    p = models::holm_adjusted(p);
    std::vector<WonRange>& won = cell.won[number];
    Winner before = Winner::nobody;
    int sizes = 0;
    double sum_of_logs = 0;
    for (std::size_t i = 0; i < cell.sizes.size(); ++i) {
        ComparedChoice& choice = cell.sizes[i].choices[number];
        choice.p = p[i];
        choice.winner = choice.ratio ? winner_of(choice.ratio->interval, p[i], margin) : Winner::nobody;
        if (choice.winner != Winner::nobody) {
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
    ChangeoverPlace place;
};

std::vector<OneChangeover> changeovers_of(const std::vector<ChosenRange>& ranges) {
    std::vector<OneChangeover> changeovers;
    for (std::size_t i = 1; i < ranges.size(); ++i) {
        changeovers.push_back({ranges[i - 1].algorithm,
                               ranges[i].algorithm,
                               to_string(ranges[i - 1]),
                               to_string(ranges[i]),
                               {ranges[i].from_bytes, ranges[i].from_interval}});
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

std::string name_of(const CellKey& key) {
    return fmt::format("{}{} {}", key.collective, key.operation.empty() ? "" : " (" + key.operation + ")",
                       to_string(key.layout));
}

ComparedCell compared_cell(const Side& a, const Side& b, const CellKey& key, const Comparison& comparison) {
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

// A side whose journal has no header of a job says nothing of the library: that is one difference, not ten
bool knows_its_job(const Side& side) {
    const auto first = side.conditions.lower_bound("job.");
    return first != side.conditions.end() && first->first.starts_with("job.");
}

void compare_conditions(const Side& a, const Side& b, Comparison& comparison) {
    std::set<std::string> names;
    for (const Side* side : {&a, &b}) {
        for (const auto& [name, value] : side->conditions) {
            names.insert(name);
        }
    }
    if (knows_its_job(a) != knows_its_job(b)) {
        std::erase_if(names, [](const std::string& name) {
            return name.starts_with("job.") || name.starts_with("library.");
        });
        const auto text = [](const Side& side) { return knows_its_job(side) ? "known" : "not recorded"; };
        comparison.differing.push_back({"library and device", text(a), text(b)});
    }
    for (const std::string& name : names) {
        const auto value = [&](const Side& side) {
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

void compare_messages(const Side& a, const Side& b, Comparison& comparison) {
    for (const Link link : {Link::within_node, Link::between_nodes}) {
        const LinkParameters* of_a = find_link(a.parameters, a.about.network, link);
        const LinkParameters* of_b = find_link(b.parameters, b.about.network, link);
        for (const auto& [parameters, name] : {std::pair(of_a, "A"), std::pair(of_b, "B")}) {
            if (parameters) {
                comparison.parameters.push_back(*parameters);
                comparison.parameters.back().network = name;
            }
        }
        if (!of_a || !of_b) {
            continue;
        }
        for (const OneWayTime& time : of_a->one_way) {
            const auto other = std::find_if(of_b->one_way.begin(), of_b->one_way.end(),
                                            [&](const OneWayTime& t) { return t.bytes == time.bytes; });
            if (other != of_b->one_way.end()) {
                comparison.messages.push_back(
                    {link, time.bytes,
                     models::ratio_of_medians(other->seconds, other->interval, time.seconds, time.interval)});
            }
        }
    }
}

ComparedExchange compared_exchange(const ExchangeKey& key, const ExchangeCurve& a, const ExchangeCurve& b,
                                   double margin) {
    ComparedExchange exchange{key, {}};
    std::vector<double> p;
    for (const auto& [bytes, in_a] : a) {
        const auto found = b.find(bytes);
        if (found == b.end()) {
            continue;
        }
        const ExchangePoint& in_b = found->second;
        exchange.sizes.push_back({bytes, in_a, in_b, models::tail_of(in_a.sorted_seconds),
                                  models::tail_of(in_b.sorted_seconds),
                                  models::ratio_of_medians(in_b.median_seconds, in_b.interval,
                                                           in_a.median_seconds, in_a.interval)});
        p.push_back(models::rank_sum_p(in_a.sorted_seconds, in_b.sorted_seconds));
    }
    p = models::holm_adjusted(p);
    for (std::size_t i = 0; i < p.size(); ++i) {
        ComparedExchangeSize& size = exchange.sizes[i];
        size.p = p[i];
        size.winner = winner_of(size.ratio.interval, size.p, margin);
    }
    return exchange;
}

std::string name_of(const ExchangeKey& key) {
    return fmt::format("{} {} by {}", key.exchange, to_string(key.layout), key.way);
}

void compare_exchanges(const Side& a, const Side& b, Comparison& comparison, std::set<Layout>& layouts) {
    for (const auto& [key, curve] : a.exchanges) {
        if (const auto other = b.exchanges.find(key); other != b.exchanges.end()) {
            comparison.exchanges.push_back(compared_exchange(key, curve, other->second, comparison.margin));
            layouts.insert(key.layout);
        } else {
            comparison.only_a.push_back(name_of(key));
        }
    }
    for (const auto& [key, curve] : b.exchanges) {
        if (!a.exchanges.contains(key)) {
            comparison.only_b.push_back(name_of(key));
        }
    }
}

Comparison compare_sides(const Side& a, const Side& b, double margin) {
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
        const auto of = [&](const Side& side) {
            const auto found = side.counters.find(layout);
            return found == side.counters.end() ? KernelCounters{} : found->second;
        };
        comparison.layouts.push_back({layout, of(a), of(b)});
    }
    compare_messages(a, b, comparison);
    return comparison;
}

const std::string& known_network(const LoadedRun& run, const std::string& name) {
    const auto found = std::find(run.networks.begin(), run.networks.end(), name);
    if (found == run.networks.end()) {
        throw wrong_use(fmt::format("the run {} has no network '{}'; {}", run.folder, name,
                                    suggestion(name, run.networks)));
    }
    return *found;
}

// The networks of two runs that belong together, by their names; the only ones whatever their names
std::vector<std::pair<std::string, std::string>> pairs_of(const CompareOptions& options, const LoadedRun& a,
                                                          const LoadedRun& b,
                                                          std::vector<std::string>& only) {
    if (options.networks.size() > 2) {
        throw wrong_use("--network: more than two names; write one for both runs, or one for each");
    }
    if (!options.networks.empty()) {
        return {{known_network(a, options.networks.front()), known_network(b, options.networks.back())}};
    }
    if (a.networks.size() == 1 && b.networks.size() == 1) {
        return {{a.networks.front(), b.networks.front()}};
    }
    std::vector<std::pair<std::string, std::string>> pairs;
    const auto has = [](const LoadedRun& run, const std::string& name) {
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
        throw wrong_use(fmt::format(
            "the runs have no network of the same name ({}; {}); say which to compare: --network {},{}",
            fmt::join(a.networks, ", "), fmt::join(b.networks, ", "), a.networks.front(),
            b.networks.front()));
    }
    return pairs;
}

Comparisons compare_all(const CompareOptions& options) {
    if (!(options.margin >= 0 && options.margin < 10)) {
        throw wrong_use("--margin: write a share such as 0.05, 0 or more");
    }
    Comparisons comparisons;
    if (!options.run.empty()) {
        if (!options.networks.empty()) {
            throw wrong_use("--network is for two runs; with --run the two names are networks already");
        }
        if (options.a == options.b) {
            throw wrong_use("both networks are " + options.a + "; name two");
        }
        const LoadedRun run = load(options.run);
        comparisons.pairs.push_back(compare_sides(side_of(run, known_network(run, options.a)),
                                                  side_of(run, known_network(run, options.b)),
                                                  options.margin));
        return comparisons;
    }
    for (const std::string& folder : {options.a, options.b}) {
        if (!std::filesystem::is_directory(folder)) {
            throw wrong_use(folder +
                            " is not a run: there is no such folder; for networks of a run, add --run DIR");
        }
    }
    std::error_code problem;
    const bool is_same = std::filesystem::equivalent(options.a, options.b, problem);
    if (is_same && (options.networks.size() < 2 || options.networks[0] == options.networks[1])) {
        throw wrong_use(fmt::format(
            "both are the run {}; for two of its networks: changeover compare --run {} NET_A NET_B",
            options.a, options.a));
    }
    const LoadedRun a = load(options.a);
    const LoadedRun b = load(options.b);
    for (const auto& [network_a, network_b] : pairs_of(options, a, b, comparisons.only)) {
        comparisons.pairs.push_back(
            compare_sides(side_of(a, network_a), side_of(b, network_b), options.margin));
    }
    return comparisons;
}

}  // namespace

bool ComparedChangeover::has_moved() const {
    return a && b && (a->interval.low > b->interval.high || b->interval.low > a->interval.high);
}

Comparisons compare(const CompareOptions& options) {
    try {
        return compare_all(options);
    } catch (const Json::exception& error) {
        throw wrong_use(fmt::format("manifest.json or samples.jsonl of {} is damaged: {}; restore it",
                                    options.run.empty() ? options.a + " or " + options.b : options.run,
                                    error.what()));
    }
}

}  // namespace tuner
