// SPDX-License-Identifier: MIT
#include "estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "decide.hpp"
#include "exchange_questions.hpp"
#include "expected_calls.hpp"
#include "extent.hpp"
#include "link_questions.hpp"
#include "measuring.hpp"
#include "pair_questions.hpp"
#include "search.hpp"
#include "stage_costs.hpp"
#include "verified_sizes.hpp"

namespace tuner::commands {

namespace {

constexpr double assumed_launch_seconds = 2;
constexpr double assumed_launch_on_one_machine = 0.3;

// What runs on one machine and in the lab showed (docs/plans.md): without a race, most cases need all the
// time that the plan has for one. Each request takes some more for the clocks, the first calls and the
// answer.
constexpr double part_in_race = 0.4;  // of that time, by an algorithm in a race on average,
constexpr double calls_in_race = 5;   // and calls if they take longer, with those before
constexpr double seconds_of_request = 0.06;
constexpr double seconds_of_message = 0.06;  // a case of link_questions.cpp,
constexpr double messages_of_link = 37;      // and how many it asks for
constexpr double exchange_by_case = 1.25;    // of an exchange: its repetitions are many messages
constexpr double refinements_of_size = 0.5;  // questions between two sizes of a grid, as a mean
constexpr double algorithms_between = 3;     // of such a question: the others are clearly slower
constexpr double rules_of_cell = 0.7;
constexpr double ranges_of_collective = 4;       // rules for layouts that are not measured
constexpr double layouts_for_ranges = 3;         // that must be measured for them
constexpr double jobs_of_rule = 4;               // 3 to 6
constexpr double sizes_of_range = 3;             // in a job
constexpr std::size_t typical_bytes = 8 * 1024;  // of what is measured between the sizes of a grid

struct Calls {
    std::vector<double> seconds;  // of each algorithm

    double seconds_of_cases(const Plan& plan) const {
        double sum = 0;
        for (const double call : seconds) {
            sum += seconds_of_case(plan) + (plan.races() ? calls_in_race * call : seconds_beyond_limit(call));
        }
        return sum;
    }
    double count() const { return static_cast<double>(seconds.size()); }
};

double slowest(const std::vector<double>& calls) {
    return *std::max_element(calls.begin(), calls.end());
}

bool is_known(const Cell& cell, std::size_t bytes) {
    return cell.times.contains(bytes) || cell.missing.contains(bytes);
}

bool is_measured(const Cell& cell, std::size_t bytes, const std::string& algorithm) {
    const auto times = cell.times.find(bytes);
    return times != cell.times.end() && times->second.contains(algorithm);
}

constexpr double sizes_apart = 2;  // at which patterns of arrival are tested: the weakest, and the smallest

// What is tested of a rule that holds takes as long as so many sizes in a job: guidelines (audit_rules.hpp),
// and patterns of arrival, at the weakest size: calls of the smallest take next to nothing
double sizes_of_further_tests(const Plan& plan) {
    constexpr double comparisons_of_rule = 7;
    double sizes = plan.guidelines ? comparisons_of_rule : 0;
    for (const models::Arrival& arrival : plan.arrivals) {
        sizes += 1 + (arrival.pattern->has_width ? arrival.width : 0);
    }
    return sizes;
}

// A size of a rule in one job: pairs of the default and its algorithm. Nothing is known of its gain.
double seconds_of_pairs(const Plan& plan, double call_seconds) {
    PairRequest request = {{}, 1, {default_algorithm, default_algorithm}};
    request.arrival = plan.mix;
    Cell cell;
    cell.times[1][default_algorithm].time.median_seconds = call_seconds;
    return seconds_of_request + likely_seconds(request, plan, cell);
}

class Estimator {
  public:
    Estimator(const Cluster& cluster, const Plan& plan, const NetworkParameters& messages,
              double launch_seconds)
        : cluster_(cluster), plan_(plan), calls_(cluster, messages), launch_seconds_(launch_seconds) {}

    StageEstimate messages(const RunData& run) const {
        StageEstimate stage = {stage_title(Stage::network)};
        for (const Network& network : cluster_.networks) {
            for (const Link link : {Link::within_node, Link::between_nodes}) {
                if (layout_for(cluster_, link) && next_exchange(run, network.name, link)) {
                    stage.cases += messages_of_link;
                }
            }
            ++stage.jobs;
        }
        stage.seconds = stage.cases * (seconds_of_message + seconds_of_request);
        return with_launches(stage);
    }

    StageEstimate exchanges(const RunData& run) const {
        StageEstimate stage = {stage_title(Stage::exchange)};
        for (const Network& network : cluster_.networks) {
            for (const PlannedExchange& exchange : plan_.exchanges) {
                const auto sizes = static_cast<double>(sizes_of(exchange, plan_.size_step).size());
                const double cases = sizes * static_cast<double>(cases_of_size(exchange));
                for (const Layout& layout : layouts_of(exchange, cluster_)) {
                    if (next_exchange_case(run, plan_, exchange, network.name, layout)) {
                        stage.cases += cases;
                        stage.seconds +=
                            cases * exchange_by_case * plan_.case_seconds + sizes * seconds_of_request;
                    }
                }
            }
            stage.jobs += static_cast<double>(cluster_.layouts.size());
        }
        return with_launches(stage);
    }

    StageEstimate search(const Layout& layout, const RunData& run) {
        StageEstimate stage = {fmt::format("{} on {}", stage_title(Stage::search), to_string(layout))};
        for (const Network& network : cluster_.networks) {
            for (const PlannedCollective& collective : plan_.collectives) {
                const CellKey key = {network.name, layout, collective.name, collective.operation};
                add_cell(stage, key, collective, cell_of(run, Stage::search, key));
            }
            ++stage.jobs;
        }
        return with_launches(stage);
    }

    // About as long as those to start with: one of them is the largest, one is small
    StageEstimate further_layouts() {
        const double count = layouts_to_choose();
        StageEstimate sum = {
            fmt::format("{} on up to {:.0f} more layouts", stage_title(Stage::search), count)};
        for (const Layout& layout : cluster_.layouts) {
            const StageEstimate one = search(layout, {});
            const double share = count / static_cast<double>(cluster_.layouts.size());
            sum.jobs += share * one.jobs;
            sum.cases += share * one.cases;
            sum.seconds += share * one.seconds;
            sum.grid_seconds += share * one.grid_seconds;
        }
        return sum;
    }

    // Nobody knows yet how many rules there will be
    StageEstimate verification() {
        StageEstimate stage = {stage_title(Stage::verify)};
        const auto networks = static_cast<double>(cluster_.networks.size());
        const double layouts = static_cast<double>(cluster_.layouts.size()) + layouts_to_choose();
        for (const PlannedCollective& collective : plan_.collectives) {
            if (!is_for_rules({"", {}, collective.name, collective.operation})) {
                continue;
            }
            const double call = typical_call(collective);
            const double rules = networks * layouts * rules_of_cell;
            const double ranges = layouts >= layouts_for_ranges ? networks * ranges_of_collective : 0;
            add_rules(stage, rules, plan_.verify_sizes, call);
            add_rules(stage, ranges, sizes_of_range, call);
        }
        return with_launches(stage);
    }

    bool has_measured_calls() const { return has_measured_calls_; }

    double layouts_to_choose() const {
        if (!cluster_.chooses_layouts || plan_.collectives.empty()) {
            return 0;
        }
        const std::size_t most = std::min(most_layouts, all_layouts(extent_of(cluster_)).size());
        return most > cluster_.layouts.size() ? static_cast<double>(most - cluster_.layouts.size()) : 0;
    }

  private:
    StageEstimate with_launches(StageEstimate stage) const {
        if (stage.cases <= 0) {
            return {stage.stage};
        }
        stage.seconds += stage.jobs * launch_seconds_;
        stage.grid_seconds += stage.jobs * launch_seconds_;
        return stage;
    }

    // By the model; where a smaller size was measured, as much longer than there as by the model
    Calls calls_at(const CellKey& key, const Cell& cell, std::size_t bytes) {
        std::vector<double> modelled = calls_.at(key.network, key.layout, key.collective, bytes);
        const auto above = cell.times.upper_bound(bytes);
        if (above == cell.times.begin()) {
            return {modelled};
        }
        has_measured_calls_ = true;
        const std::size_t known_bytes = std::prev(above)->first;
        const double growth =
            slowest(modelled) / slowest(calls_.at(key.network, key.layout, key.collective, known_bytes));
        std::size_t algorithms = 0;
        for (const auto& [size, times] : cell.times) {
            algorithms = std::max(algorithms, times.size());
        }
        return {std::vector<double>(algorithms, growth * slowest_call(cell, known_bytes))};
    }

    void add_cell(StageEstimate& stage, const CellKey& key, const PlannedCollective& collective,
                  const Cell& cell) {
        const std::vector<std::size_t> grid = grid_of(plan_, collective);
        double sizes = 0;
        double seconds = 0;
        for (const std::size_t bytes : grid) {
            if (!is_known(cell, bytes)) {
                const Calls calls = calls_at(key, cell, bytes);
                stage.cases += calls.count();
                seconds += seconds_of_request + calls.seconds_of_cases(plan_);
                ++sizes;
            }
        }
        stage.grid_seconds += seconds;
        stage.seconds += seconds;
        if (plan_.exhaustive || grid.size() < 2) {
            return;
        }
        const double questions =
            sizes > 0 ? sizes * refinements_of_size : questions_left(plan_, collective, cell);
        const Calls calls =
            calls_at(key, cell, std::clamp(typical_bytes, collective.min_bytes, collective.max_bytes));
        const double algorithms = std::min(algorithms_between, calls.count());
        stage.cases += questions * algorithms;
        stage.seconds +=
            questions * (seconds_of_request + algorithms / calls.count() * calls.seconds_of_cases(plan_));
    }

    // On the layout with most ranks
    double typical_call(const PlannedCollective& collective) {
        const auto most =
            std::max_element(cluster_.layouts.begin(), cluster_.layouts.end(),
                             [](const Layout& a, const Layout& b) { return a.ranks() < b.ranks(); });
        const std::vector<double> calls =
            calls_.at(cluster_.networks.front().name, *most, collective.name,
                      std::clamp(typical_bytes, collective.min_bytes, collective.max_bytes));
        return *std::min_element(calls.begin(), calls.end());  // others do not become rules
    }

    void add_rules(StageEstimate& stage, double rules, double sizes, double call) const {
        const double jobs = rules * jobs_of_rule;
        stage.rules += rules;
        stage.jobs += jobs;
        stage.cases += (jobs * sizes + rules * sizes_apart * static_cast<double>(plan_.arrivals.size())) * 2;
        stage.seconds +=
            (jobs * sizes + rules * sizes_of_further_tests(plan_)) * seconds_of_pairs(plan_, call);
    }

    const Cluster& cluster_;
    const Plan& plan_;
    ExpectedCalls calls_;
    double launch_seconds_;
    bool has_measured_calls_ = false;
};

}  // namespace

double seconds_of_case(const Plan& plan) {
    return (1 + wait_for_last(plan.mix)) *
           (plan.races() ? part_in_race * plan.case_seconds : plan.case_seconds);
}

double Estimate::measuring_seconds() const {
    double sum = 0;
    for (const StageEstimate& stage : measuring) {
        sum += stage.seconds;
    }
    return sum;
}

double Estimate::seconds() const {
    return measuring_seconds() + verification.seconds;
}

double Estimate::limited_seconds() const {
    if (budget_seconds <= 0) {
        return seconds();
    }
    // what is left of it is used for a search that was cut short
    return measuring_seconds() > measuring_budget_seconds ? budget_seconds
                                                          : std::min(budget_seconds, seconds());
}

Estimate estimate(const Cluster& cluster, const Plan& plan, const RunData& run,
                  const NetworkParameters& messages, double used_seconds) {
    Estimate result;
    result.launch_seconds = launch_seconds_of(cluster, run);
    result.is_launch_measured = !stage_costs(run).empty();
    if (plan.budget_seconds > 0) {
        const double share = plan.collectives.empty() ? 1 : share_of_search(cluster);
        result.budget_seconds = std::max(1.0, plan.budget_seconds - used_seconds);
        result.measuring_budget_seconds = std::max(0.0, share * plan.budget_seconds - used_seconds);
    }
    Estimator estimator(cluster, plan, messages, result.launch_seconds);
    result.measuring = {estimator.messages(run), estimator.exchanges(run)};
    for (const Layout& layout : cluster.layouts) {
        result.measuring.push_back(estimator.search(layout, run));
    }
    result.measuring.push_back(estimator.further_layouts());
    result.more_layouts = estimator.layouts_to_choose();
    std::erase_if(result.measuring, [](const StageEstimate& stage) { return stage.cases <= 0; });
    result.verification = estimator.verification();
    result.calls = estimator.has_measured_calls() ? CallBasis::cases
                   : messages.empty()             ? CallBasis::assumed
                                                  : CallBasis::messages;
    return result;
}

StageEstimate verification_estimate(const Config& config, const RunData& run, const Plan& plan,
                                    double launch_seconds) {
    const Cells cells = cells_of(run, Stage::search);
    const Cells verified = cells_of(run, Stage::verify);
    StageEstimate stage = {stage_title(Stage::verify)};
    for (const Rule& rule : config.rules) {
        ++stage.rules;
        std::vector<double> seconds = {};  // of its sizes in a job
        if (is_predicted(rule)) {
            seconds.assign(static_cast<std::size_t>(sizes_of_range),
                           seconds_of_pairs(plan, slowest_call({}, 1)));
        } else {
            const CellKey key = cell_of(rule);
            const auto found = cells.find(key);
            const Cell cell = found == cells.end() ? Cell() : found->second;
            for (const std::size_t bytes :
                 sizes_to_verify(rule, cell, static_cast<std::size_t>(plan.verify_sizes))) {
                if (!verified.contains(key) || !is_measured(verified.at(key), bytes, rule.algorithm)) {
                    seconds.push_back(
                        seconds_of_request +
                        likely_seconds({key, bytes, {default_algorithm, rule.algorithm}}, plan, cell));
                }
            }
        }
        if (!seconds.empty()) {
            stage.jobs += jobs_of_rule;
            const double typical = seconds[seconds.size() / 2];
            stage.cases += 2 * (jobs_of_rule * static_cast<double>(seconds.size()) +
                                sizes_apart * static_cast<double>(plan.arrivals.size()));
            stage.seconds += jobs_of_rule * std::accumulate(seconds.begin(), seconds.end(), launch_seconds) +
                             sizes_of_further_tests(plan) * typical;
        }
    }
    return stage;
}

double launch_seconds_of(const Cluster& cluster, const RunData& run) {
    double seconds = 0;
    double jobs = 0;
    for (const StageCosts& costs : stage_costs(run)) {
        seconds += costs.launch_seconds;
        jobs += static_cast<double>(costs.jobs);
    }
    return jobs > 0             ? seconds / jobs
           : cluster.is_faked() ? assumed_launch_on_one_machine
                                : assumed_launch_seconds;
}

}  // namespace tuner::commands
