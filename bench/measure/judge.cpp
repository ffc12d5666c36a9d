// SPDX-License-Identifier: MIT
#include "judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "race.hpp"

namespace bench {

namespace {

constexpr double longest_window = 10;
// When a case is given up, with more ranks than cores: this share of its starts is late, after so many starts
// or so much time. (With a core for each rank, wider windows help in the end.)
constexpr double late_share = 0.9;
constexpr std::size_t most_late_starts = 3 * batch_of_a_case;
constexpr double most_late_seconds = 5;

bool is_measured(const RunningCase& c) {
    return c.result.status == Status::measured;
}

}  // namespace

void Judge::start_afresh(RunningCase& c) const {
    c.result.repetitions.clear();
    c.result.invalid = 0;
    c.result.seconds = 0;
    c.stopping = std::make_unique<models::Stopping>(settings_.trimmed_mean_rule
                                                        ? models::trimmed_mean_rule(settings_.precision)
                                                        : models::median_rule(settings_.precision),
                                                    settings_.limits);
}

void Judge::equalize_windows(std::vector<RunningCase>& cases) const {
    double longest = 0;
    for (const RunningCase& c : cases) {
        longest = std::max(longest, c.window);
    }
    for (RunningCase& c : cases) {
        c.window = group_.order == Order::pairs ? longest : c.window;
    }
}

Judge::Found Judge::found_in(const Times& times, std::size_t repetition,
                             std::span<const PlannedRepetition> repetitions) const {
    Found found = {RankTimes(ranks_), std::vector<Times>(ranks_)};
    if (group_.arrival) {
        found.times.delay = delays_of(group_, repetitions[repetition]);
    }
    for (std::size_t r = 0; r < ranks_; ++r) {
        const auto first =
            times.begin() + static_cast<std::ptrdiff_t>(width() * (r * repetitions.size() + repetition));
        found.times.begin[r] = first[0];
        found.times.finish[r] = first[1];
        found.values[r].assign(first + 2, first + static_cast<std::ptrdiff_t>(width()));
    }
    return found;
}

double Judge::common_start(const PlannedRepetition& repetition, const Found& found) const {
    return starts_.have_windows ? repetition.start : found.times.first_start();
}

models::Ended Judge::own_end(const RunningCase& c) const {
    const models::Ended ended = c.stopping->ended();
    // so many late starts that the limit is far behind
    const bool is_overdue = c.result.invalid >= static_cast<long>(models::fewest_repetitions) &&
                            c.result.seconds > 2 * settings_.limits.max_seconds;
    return ended == models::Ended::not_yet && is_overdue ? models::Ended::time : ended;
}

models::Ended Judge::end_of(std::size_t index, const std::vector<RunningCase>& cases) const {
    const models::Ended own = own_end(cases[index]);
    if (group_.order != Order::pairs || cases.size() != 2 || !is_measured(cases[1 - index])) {
        return own;
    }
    return end_in_pair(own, own_end(cases[1 - index]));
}

void Judge::add(std::span<PlannedRepetition> repetitions, const Times& times,
                std::vector<RunningCase>& cases) const {
    double finish_before = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < repetitions.size();) {
        const std::size_t count = repetitions[k].in_pair ? 2 : 1;
        std::vector<Found> found;
        for (std::size_t i = 0; i < count; ++i) {
            found.push_back(found_in(times, k + i, repetitions));
            repetitions[k + i].is_overrun = finish_before > repetitions[k + i].start;
            finish_before = found.back().times.last_finish();
        }
        add_together(repetitions.subspan(k, count), found, cases);
        k += count;
    }
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (is_measured(cases[i])) {
            cases[i].result.ended = cases[i].has_left_race ? models::Ended::decided : end_of(i, cases);
            cases[i].result.precision = cases[i].stopping->precision();
        }
    }
}

// Repetitions that count together or not at all, so that the k-th times of two cases stay one pair
void Judge::add_together(std::span<PlannedRepetition> together, std::span<const Found> found,
                         std::vector<RunningCase>& cases) const {
    std::vector<std::size_t> open;  // positions
    bool is_one_late = false;
    for (std::size_t i = 0; i < together.size(); ++i) {
        const std::size_t index = together[i].case_index;
        if (is_measured(cases[index]) && end_of(index, cases) == models::Ended::not_yet) {
            open.push_back(i);
        }
    }
    for (const std::size_t i : open) {
        note_start(together[i], found[i], cases[together[i].case_index]);
        is_one_late |= together[i].is_late;
    }
    for (const std::size_t i : open) {
        RunningCase& c = cases[together[i].case_index];
        if (is_one_late) {
            ++c.result.invalid;
        } else {
            add_valid(together[i], found[i], c);
        }
    }
}

void Judge::note_start(PlannedRepetition& repetition, const Found& found, RunningCase& c) const {
    const double common = common_start(repetition, found);
    c.result.seconds += starts_.have_windows ? repetition.window : found.times.last_finish() - common;
    repetition.is_late = starts_.have_windows && found.times.last_start() - common > starts_.tolerance;
}

void Judge::add_valid(const PlannedRepetition& planned, const Found& found, RunningCase& c) const {
    const Metric metric = group_.pattern->metric.value_or(settings_.metric);
    const Pair slowest = slowest_pair(metric, group_.pairs, found.times, planned.root);
    const double common = common_start(planned, found);
    const double seconds = time_of(metric, found.times, common, slowest);
    Repetition repetition = {seconds / group_.calls_in_a_row, {}, {}, {}};
    if (!starts_.have_windows && !group_.pattern->has_pairs()) {  // pairs meet by themselves
        repetition.start_skew_seconds = found.times.last_start() - found.times.first_start();
    } else if (starts_.have_windows && group_.arrival) {
        repetition.start_skew_seconds = found.times.last_start() - common;  // does it keep the pattern?
    }
    repetition.waiting_seconds = found.times.waiting_since(common) / group_.calls_in_a_row;
    repetition.number = planned.number;
    repetition.values = found.values[static_cast<std::size_t>(slowest.root)];
    c.stopping->add(repetition.seconds, c.result.seconds);
    for (std::size_t r = 0; settings_.keep_ranks && r < ranks_; ++r) {
        repetition.start_of_rank.push_back(found.times.begin[r] - common);
        repetition.finish_of_rank.push_back(found.times.finish[r] - common);
    }
    c.result.repetitions.push_back(std::move(repetition));
}

void Judge::race(std::vector<RunningCase>& cases) const {
    if (settings_.race <= 0) {
        return;
    }
    std::vector<std::vector<double>> seconds(cases.size());
    std::vector<models::Racer> racers(cases.size());
    std::vector<bool> has_left(cases.size());
    std::optional<std::size_t> reference;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        for (const Repetition& repetition : cases[i].result.repetitions) {
            seconds[i].push_back(repetition.seconds);
        }
        racers[i].seconds = seconds[i];
        has_left[i] = cases[i].has_left_race || !is_measured(cases[i]);
        if (cases[i].algorithm == default_algorithm && is_measured(cases[i])) {
            reference = i;
        }
    }
    for (std::size_t i = 0; reference && i < cases.size(); ++i) {
        const std::string& used = cases[i].result.used_algorithm;
        racers[i].is_same =
            i != *reference && !used.empty() && used == cases[*reference].result.used_algorithm;
    }
    const std::vector<bool> done = models::race(racers, has_left, reference, {.loss = settings_.race});
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (done[i] && is_measured(cases[i]) && cases[i].result.ended == models::Ended::not_yet) {
            cases[i].has_left_race = true;
            cases[i].result.ended = models::Ended::decided;
        }
    }
}

void Judge::give_up_late(std::vector<RunningCase>& cases) const {
    for (RunningCase& c : cases) {
        const auto late = static_cast<std::size_t>(c.result.invalid);
        const std::size_t starts = late + c.result.repetitions.size();
        const bool is_tried = starts >= most_late_starts || c.result.seconds > most_late_seconds ||
                              c.result.ended != models::Ended::not_yet;
        if (!starts_.have_cores && is_measured(c) && is_tried && late > 0 &&
            static_cast<double>(late) >= late_share * static_cast<double>(starts)) {
            c.give_up(Status::refused,
                      fmt::format("ranks start late: {} of {} starts were more than {:.1f} us late; {}", late,
                                  starts, 1e6 * starts_.tolerance, starts_.remedy));
            c.result.starts_late = true;
        }
    }
}

// More than a quarter of a case's starts are late because the calls before take longer than their windows.
// (Where a rank is late by itself, it waits for a core: a wider window does not help.)
void Judge::widen_windows(std::span<const PlannedRepetition> batch, std::vector<RunningCase>& cases) const {
    std::vector<std::size_t> late(cases.size());
    std::vector<std::size_t> all(cases.size());
    for (const PlannedRepetition& repetition : batch) {
        late[repetition.case_index] += repetition.is_late && repetition.is_overrun;
        ++all[repetition.case_index];
    }
    bool are_many_late = false;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        are_many_late |= late[i] * 4 > all[i];
    }
    for (RunningCase& c : cases) {
        c.window = are_many_late ? std::min(c.window * 1.3, longest_window) : c.window;
    }
}

}  // namespace bench
