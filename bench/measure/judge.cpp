// SPDX-License-Identifier: MIT
// On rank 0: which repetitions are valid, and whether a case has enough of them.
#include <algorithm>

#include "measurement_case.hpp"
#include "repetition_time.hpp"

namespace bench {

namespace {

constexpr double longest_window = 10;

}  // namespace

void Measurement::start_afresh(Case& c) const {
    c.result.repetitions.clear();
    c.result.invalid = 0;
    c.result.seconds = 0;
    c.stopping = std::make_unique<models::Stopping>(settings_.trimmed_mean_rule
                                                        ? models::trimmed_mean_rule(settings_.precision)
                                                        : models::median_rule(settings_.precision),
                                                    settings_.limits);
}

// `times` has the repetitions of rank 0, then those of rank 1 ...
void Measurement::judge(std::span<Item> items, const Times& times, std::vector<Case>& cases,
                        const GroupSpec& group) const {
    const auto width = static_cast<std::ptrdiff_t>(2 + group.pattern->values.size());
    const auto ranks = static_cast<std::size_t>(ranks_);
    std::vector<Times> of_ranks(ranks);
    for (std::size_t k = 0; k < items.size(); ++k) {
        for (std::size_t r = 0; r < ranks; ++r) {
            const auto first = times.begin() + width * static_cast<std::ptrdiff_t>(r * items.size() + k);
            of_ranks[r].assign(first, first + width);
        }
        judge(items[k], of_ranks, cases[items[k].case_index], group);
    }
    std::for_each(cases.begin(), cases.end(), [&](Case& c) { note_end(c); });
}

void Measurement::judge(Item& item, std::span<const Times> of_ranks, Case& c, const GroupSpec& group) const {
    if (c.result.status != Status::measured || c.stopping->ended() != models::Ended::not_yet) {
        return;
    }
    RankTimes times(of_ranks.size());
    for (std::size_t r = 0; r < of_ranks.size(); ++r) {
        times.begin[r] = of_ranks[r][0];
        times.finish[r] = of_ranks[r][1];
    }
    const bool windowed = start_.has_windows();
    const double common = windowed ? item.start : times.first_begin();
    c.result.seconds += windowed ? item.window : times.last_finish() - common;
    item.is_late = windowed && times.last_begin() - common > start_.tolerance();
    if (item.is_late) {
        ++c.result.invalid;
        return;
    }
    const Metric metric = group.pattern->metric.value_or(settings_.metric);
    const Pair slowest = slowest_pair(metric, group.pairs, times, item.root);
    const Times& found = of_ranks[static_cast<std::size_t>(slowest.root)];
    Repetition repetition = {time_of(metric, times, common, slowest), {}, {}, {}};
    repetition.values.assign(found.begin() + 2, found.end());
    c.stopping->add(repetition.seconds, c.result.seconds);
    for (std::size_t r = 0; settings_.keep_ranks && r < of_ranks.size(); ++r) {
        repetition.start_of_rank.push_back(times.begin[r] - common);
        repetition.finish_of_rank.push_back(times.finish[r] - common);
    }
    c.result.repetitions.push_back(std::move(repetition));
}

void Measurement::note_end(Case& c) const {
    if (c.result.status != Status::measured) {
        return;
    }
    c.result.ended = c.stopping->ended();
    c.result.precision = c.stopping->precision();
    if (c.result.ended == models::Ended::not_yet && c.result.seconds > 2 * settings_.limits.max_seconds) {
        c.result.ended = models::Ended::time;  // so many late starts that the limit is far behind
    }
}

// More than a quarter of a case's starts are late: the calls before take longer than their windows
void Measurement::widen_windows(std::span<const Item> batch, std::vector<Case>& cases) const {
    std::vector<std::size_t> late(cases.size());
    for (const Item& item : batch) {
        late[item.case_index] += item.is_late;
    }
    if (*std::max_element(late.begin(), late.end()) * 4 > batch_of_a_case) {
        for (Case& c : cases) {
            c.window = std::min(c.window * 1.3, longest_window);
        }
    }
}

}  // namespace bench
