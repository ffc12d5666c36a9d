// SPDX-License-Identifier: MIT
#include "campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "command.hpp"
#include "crashed_cases.hpp"
#include "expected_loss.hpp"
#include "units.hpp"

namespace tuner {

namespace {

using Seconds = std::chrono::duration<double>;

constexpr int most_failures_in_a_row = 6;   // of a collective: then each further one is a waste of launches
constexpr double grace = 0.05;              // of the time up to the deadline: for what is in flight then
constexpr int repetitions_of_pattern = 5;   // of those that take turns
constexpr double worth_another_pass = 0.1;  // of the time up to the deadline

}  // namespace

double expected_seconds(const Plan& plan, const Question& question, const Cell& cell) {
    constexpr std::size_t algorithms_at_first = 8;
    const auto known =
        std::max_element(cell.times.begin(), cell.times.end(),
                         [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    const std::size_t cases = !question.algorithms.empty() ? question.algorithms.size()
                              : known != cell.times.end()  ? known->second.size()
                                                           : algorithms_at_first;
    return static_cast<double>(cases) * (1 + wait_for_last(plan.mix)) *
           (plan.case_seconds + seconds_beyond_limit(slowest_call(cell, question.bytes)));
}

Campaign::Campaign(const Cluster& cluster, const Plan& plan, Journal& journal, RunData& run,
                   Progress& progress, const JobLimits& limits)
    : cluster_(cluster), plan_(plan), journal_(journal), run_(run), progress_(progress), limits_(limits) {
    leftover_processes_ = end_open_jobs(cluster, journal, run);
}

Runner& Campaign::runner_for(const Network& network, const Layout& layout) {
    if (!runner_ || runner_->network().name != network.name || runner_->layout() != layout) {
        end_job();
        runner_ = std::make_unique<Runner>(cluster_, network, layout, journal_, run_, limits_);
    }
    return *runner_;
}

void Campaign::end_job() {
    if (runner_) {
        runner_->end("done");
        leftover_processes_.insert(leftover_processes_.end(), runner_->problems().begin(),
                                   runner_->problems().end());
        runner_.reset();
    }
}

std::string Campaign::name_of(const Unit& unit) {
    const std::string operation =
        unit.collective->operation.empty() ? "" : " (" + unit.collective->operation + ")";
    return fmt::format("{}{} on {} {}", unit.collective->name, operation, unit.network->name,
                       to_string(unit.layout));
}

// Of the time that is left, each network from this one on has the same share
std::optional<Deadline> Campaign::share_of_network(std::size_t number,
                                                   std::optional<Deadline> deadline) const {
    if (!deadline) {
        return std::nullopt;
    }
    return in_seconds(seconds_until(*deadline) / static_cast<double>(cluster_.networks.size() - number));
}

CampaignReport Campaign::measure_networks(std::optional<Deadline> deadline, const LinkCases& cases) {
    report_ = {};
    for (std::size_t i = 0; i < cluster_.networks.size() && !report_.stopped; ++i) {
        const std::optional<Deadline> end = share_of_network(i, deadline);
        const Network& network = cluster_.networks[i];
        for (const Link link : cases.links) {
            if (const std::optional<Layout> layout = layout_for(cluster_, link)) {
                ask_all(
                    network, *layout,
                    fmt::format("messages {} on {}",
                                link == Link::within_node ? "within a node" : "between nodes", network.name),
                    [&] { return next_exchange(run_, network.name, link, cases); }, end, deadline);
            }
        }
    }
    progress_.clear();
    return report_;
}

CampaignReport Campaign::measure_exchanges(std::optional<Deadline> deadline) {
    report_ = {};
    for (std::size_t i = 0; i < cluster_.networks.size(); ++i) {
        const Network& network = cluster_.networks[i];
        const std::optional<Deadline> end = share_of_network(i, deadline);
        for (const Layout& layout : cluster_.layouts) {  // one job for all of its exchanges
            for (const PlannedExchange& exchange : plan_.exchanges) {
                const std::vector<Layout> layouts = layouts_of(exchange, cluster_);
                if (std::find(layouts.begin(), layouts.end(), layout) != layouts.end()) {
                    ask_all(
                        network, layout,
                        fmt::format("{} on {} {}", label_of(exchange), network.name, to_string(layout)),
                        [&] { return next_exchange_case(run_, plan_, exchange, network.name, layout); }, end,
                        deadline);
                }
            }
        }
    }
    progress_.clear();
    return report_;
}

void Campaign::ask_all(const Network& network, const Layout& layout, const std::string& name,
                       const std::function<std::optional<Group>()>& next, std::optional<Deadline> end,
                       std::optional<Deadline> hard_end) {
    while (!report_.stopped && !has_not_started(network.name, layout)) {
        const std::optional<Group> group = next();
        if (!group) {
            return;
        }
        if (end && seconds_until(*end) < group->limits.expected_seconds) {
            report_.coarse.push_back(name + " was not measured completely: the time limit is reached");
            return;
        }
        progress_.show({run_.cases.size(), -1, fmt::format("{}, {} bytes", name, bytes_text(group->bytes))});
        Runner& runner = runner_for(network, layout);
        runner.set_hard_end(hard_end);
        const std::size_t before = run_.cases.size();
        const AskResult asked = runner.ask(*group);
        tell_clock_error(runner);
        report_.cases += run_.cases.size() - before;
        report_.stopped = asked == AskResult::stopped;
        if (asked == AskResult::not_started) {
            not_started_.push_back({network.name, layout, runner.reason()});
        } else if (asked == AskResult::out_of_time) {
            report_.coarse.push_back(name + " was not measured completely: the time limit is reached");
            return;
        }
        if (runner.failures_in_a_row() >= most_failures_in_a_row) {
            report_.coarse.push_back(
                fmt::format("{} was given up after {} failed cases in a row; the last reason: {}", name,
                            most_failures_in_a_row, runner.reason()));
            runner.forget_failures();
            return;
        }
    }
}

// Once: it is the same for all jobs, more or less
void Campaign::tell_clock_error(const Runner& runner) {
    constexpr double large = 200e-6;  // of the time of short calls, some times as much
    const double error = runner.clock_error_seconds();
    if (error > large && !has_told_clock_error_) {
        has_told_clock_error_ = true;
        progress_.note(
            fmt::format("Warning: the clocks of {} {} agree only within {}: times of short calls are "
                        "uncertain by as much. Use "
                        "idle nodes, and not more ranks than cores",
                        runner.network().name, to_string(runner.layout()), seconds_text(error)));
    }
}

bool Campaign::has_not_started(const std::string& network, const Layout& layout) const {
    return std::any_of(not_started_.begin(), not_started_.end(), [&](const FailedLayout& failed) {
        return failed.network == network && failed.layout == layout;
    });
}

CampaignReport Campaign::search(std::optional<Deadline> deadline, const std::set<CellKey>* only) {
    deadline_ = deadline;
    const double seconds = deadline ? seconds_until(*deadline) : 0;
    hard_end_ = deadline ? std::optional(in_seconds((1 + grace) * seconds)) : std::nullopt;
    report_ = {};
    report_.failed = not_started_;
    questions_ = 0;
    units_.clear();
    for (const Network& network : cluster_.networks) {
        for (const Layout& layout : cluster_.layouts) {
            for (const PlannedCollective& collective : plan_.collectives) {
                Unit unit = {&network, layout, &collective};
                if (only && !only->contains(unit.key())) {
                    continue;
                }
                next_question(unit);
                unit.is_over = unit.is_over || has_not_started(network.name, layout);
                units_.push_back(unit);
            }
        }
    }
    for (const bool is_first_pass : {true, false}) {
        is_first_pass_ = is_first_pass && deadline;  // the time may end before all is known
        search_layouts();
    }
    // What a later search did not need of its share is for those that were cut short
    for (int before = 0;
         deadline && before < questions_ && seconds_until(*deadline) > worth_another_pass * seconds;) {
        before = questions_;
        search_layouts();
    }
    if (report_.stopped) {
        end_job();
        progress_.note(
            fmt::format("Stopped; what was measured is kept. Resume with: changeover tune --run {}",
                        shell_quoted(journal_.folder().string())));
    }
    for (const Unit& unit : units_) {
        describe_coarse(unit);
    }
    report_.crashed = still_crashed(run_, 0);
    report_.expected_loss = expected_loss_of(progress_of_cells());
    progress_.clear();
    return report_;
}

void Campaign::search_layouts() {
    for (auto first = units_.begin(); first != units_.end() && !report_.stopped;) {
        const auto end = std::find_if(first, units_.end(), [&](const Unit& unit) {
            return unit.network != first->network || unit.layout != first->layout;
        });
        search_layout(std::span(first, end));
        first = end;
    }
}

void Campaign::search_layout(std::span<Unit> units) {
    do {
        for (Unit& unit : units) {
            if (has_questions(unit) && !report_.stopped) {
                search_unit(unit, share_end(unit));
            }
        }
    } while (retry_crashed(units));
}

// In this pass: the first one is for the grids
bool Campaign::has_questions(const Unit& unit) const {
    return !unit.is_over && !(is_first_pass_ && unit.is_grid_known);
}

// Of the time that is left, this search and each that comes after it have the same share
std::optional<Deadline> Campaign::share_end(const Unit& unit) const {
    if (!deadline_) {
        return std::nullopt;
    }
    const auto searches = std::count_if(&unit, units_.data() + units_.size(),
                                        [&](const Unit& other) { return has_questions(other); });
    return in_seconds(seconds_until(*deadline_) / static_cast<double>(searches));
}

// ... and how far it is
std::optional<Question> Campaign::next_question(Unit& unit) const {
    const Cell cell = cell_of(run_, Stage::search, unit.key());
    const Cell* prior = prior_.like(unit.key());
    const std::optional<Question> question =
        next_request(plan_, *unit.collective, cell, prior, {unit.layout.nodes, unit.layout.ppn});
    unit.questions_left = questions_left(plan_, *unit.collective, cell);
    unit.is_grid_known = !next_of_grid(plan_, *unit.collective, cell, prior);
    unit.expected_loss =
        unit.is_grid_known ? std::optional(expected_loss_of(cell, plan_.loss_bound)) : std::nullopt;
    unit.is_over = !question;
    return question;
}

void Campaign::search_unit(Unit& unit, std::optional<Deadline> share_end) {
    runner_for(*unit.network, unit.layout).forget_failures();
    while (has_questions(unit) && !report_.stopped) {
        const std::optional<Question> question = next_question(unit);
        if (!has_questions(unit)) {
            return;
        }
        if (share_end &&
            seconds_until(*share_end) < expected_seconds(plan_, *question, measured_like(unit.key()))) {
            return;
        }
        show(unit, *question);
        if (!ask(unit, group_for(unit, *question))) {
            return;
        }
        if (runner_->failures_in_a_row() >= most_failures_in_a_row) {
            unit.is_over = true;
            report_.coarse.push_back(
                fmt::format("{} was given up after {} failed cases in a row; the last reason: {}",
                            name_of(unit), most_failures_in_a_row, runner_->reason()));
        }
    }
}

Group Campaign::group_for(const Unit& unit, const Question& question) const {
    Group group;
    group.stage = Stage::search;
    group.collective = *unit.collective;
    group.bytes = question.bytes;
    group.algorithms = question.algorithms;
    group.reproducible = plan_.reproducible;
    group.limits.precision = plan_.precision;
    group.arrival = models::to_string(plan_.mix);
    group.limits.min_repetitions =
        std::max(plan_.min_repetitions, repetitions_of_pattern * static_cast<int>(plan_.mix.size()));
    group.limits.max_seconds = (1 + wait_for_last(plan_.mix)) * plan_.case_seconds;
    group.limits.expected_seconds = expected_seconds(plan_, question, measured_like(unit.key()));
    group.limits.race = plan_.races() ? plan_.loss_bound : 0;
    return group;
}

// False: nothing more can be asked now
bool Campaign::ask(Unit& unit, const Group& group) {
    const Deadline start = Clock::now();
    const std::size_t before = run_.cases.size();
    Runner& runner = runner_for(*unit.network, unit.layout);
    runner.set_hard_end(hard_end_);
    const AskResult asked = runner.ask(group);
    tell_clock_error(runner);
    report_.cases += run_.cases.size() - before;
    report_.benchmark_seconds += Seconds(Clock::now() - start).count();
    ++questions_;
    report_.stopped = asked == AskResult::stopped;
    if (asked == AskResult::not_started) {
        for (Unit& other : units_) {
            if (other.network == unit.network && other.layout == unit.layout) {
                other.is_over = true;
            }
        }
        report_.failed.push_back({unit.network->name, unit.layout, runner.reason()});
        progress_.note(fmt::format("Network {}, layout {} is skipped: {}", unit.network->name,
                                   to_string(unit.layout), runner.reason()));
    }
    return asked == AskResult::done;
}

// Each crashed case once more, alone. True: one of them was measured, and its search may have new questions.
bool Campaign::retry_crashed(std::span<Unit> units) {
    bool has_news = false;
    for (const CaseRecord& record : still_crashed(run_, 1)) {
        const auto unit = std::find_if(units.begin(), units.end(), [&](const Unit& candidate) {
            const CellKey key = {record.network, record.layout, record.collective, record.operation};
            return record.stage == Stage::search && candidate.key() == key;
        });
        const bool is_time_up = deadline_ && Clock::now() >= *deadline_;
        if (unit == units.end() || is_time_up || report_.stopped) {
            continue;
        }
        show(*unit, {record.bytes, {record.algorithm}});
        if (ask(*unit, group_for(*unit, {record.bytes, {record.algorithm}})) &&
            run_.cases.back().status == Status::measured) {
            unit->is_over = false;
            has_news = true;
        }
    }
    return has_news;
}

void Campaign::show(const Unit& unit, const Question& question) {
    double left = 0;
    for (const Unit& other : units_) {
        left += other.is_over ? 0 : other.questions_left;
    }
    const double seconds_of_question = report_.benchmark_seconds / std::max(questions_, 1);
    double seconds_left = questions_ == 0 ? -1 : left * seconds_of_question;
    if (deadline_) {
        const double until = std::max(0.0, seconds_until(*deadline_));
        seconds_left = seconds_left < 0 ? until : std::min(until, seconds_left);
    }
    const std::vector<CellProgress> cells = progress_of_cells();
    ProgressState state = {run_.cases.size(), seconds_left,
                           fmt::format("{}, {} bytes", name_of(unit), bytes_text(question.bytes)),
                           layout_lines(cells)};
    if (const std::string best = best_line(cell_of(run_, Stage::search, unit.key())); !best.empty()) {
        state.details.push_back(best);
    }
    if (const std::optional<double> loss = expected_loss_of(cells)) {
        state.details.push_back(fmt::format("if it stopped now, expected to lose {:.1f}%", 100 * *loss));
    }
    progress_.show(state);
}

std::vector<CellProgress> Campaign::progress_of_cells() const {
    std::vector<CellProgress> cells;
    for (const Unit& unit : units_) {
        cells.push_back({unit.key(), unit.is_grid_known, unit.is_over, unit.expected_loss});
    }
    return cells;
}

void Campaign::describe_coarse(const Unit& unit) {
    if (unit.is_over) {
        return;
    }
    const Cell cell = cell_of(run_, Stage::search, unit.key());
    const std::vector<std::size_t> grid = grid_of(plan_, *unit.collective);
    const auto unmeasured = std::find_if(grid.begin(), grid.end(), [&](std::size_t bytes) {
        return !cell.times.contains(bytes) && !cell.missing.contains(bytes);
    });
    if (unmeasured != grid.end()) {
        const std::string first = bytes_text(*unmeasured);
        report_.coarse.push_back(fmt::format(
            "{} was not measured {} bytes", name_of(unit),
            *unmeasured == grid.back() ? "at " + first
                                       : fmt::format("from {} to {}", first, bytes_text(grid.back()))));
    }
    for (const OpenChangeover& open : open_changeovers(plan_, *unit.collective, cell)) {
        report_.coarse.push_back(
            fmt::format("{}: the changeover from {} to {} between {} and {} bytes is known only within a "
                        "factor of {:.3g}",
                        name_of(unit), open.low_best, open.high_best, bytes_text(open.low_bytes),
                        bytes_text(open.high_bytes),
                        static_cast<double>(open.high_bytes) / static_cast<double>(open.low_bytes)));
    }
}

// The cell itself; of a layout that was not measured, that of the layout with most ranks
Cell Campaign::measured_like(const CellKey& key) const {
    CellKey like = key;
    Cell cell = cell_of(run_, Stage::search, key);
    for (const Layout& layout : cluster_.layouts) {
        if (cell.times.empty() || (!(like == key) && layout.ranks() > like.layout.ranks())) {
            like.layout = layout;
            cell = cell_of(run_, Stage::search, like);
        }
    }
    return cell;
}

GroupAnswer Campaign::ask_pairs(Stage stage, const PairRequest& request, const PlannedCollective& collective,
                                std::optional<Deadline> hard_end) {
    const CellKey& key = request.cell;
    const Group group = group_of(request, stage, collective, plan_, measured_like(key), runner_ == nullptr);
    Runner& runner = runner_for(cluster_.network(key.network), key.layout);
    runner.set_hard_end(hard_end);
    const std::size_t before = run_.cases.size();
    GroupAnswer answer;
    answer.asked = runner.ask(group);
    answer.cases.assign(run_.cases.begin() + static_cast<std::ptrdiff_t>(before), run_.cases.end());
    answer.reason = answer.asked == AskResult::not_started ? runner.reason() : "";
    return answer;
}

}  // namespace tuner
