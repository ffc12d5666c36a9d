// SPDX-License-Identifier: MIT
#include "decision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "comparison.hpp"

namespace models {

namespace {

// Where intervals overlap, nobody knows which of two is faster; but one that looks so much slower is not
// taken.
constexpr double largest_loss_of_tie = 0.1;

class Losses {
  public:
    Losses(const std::vector<Candidate>& candidates, std::size_t sizes, std::size_t preferred, double bound)
        : candidates_(candidates), preferred_(preferred), bound_(bound) {
        for (const Candidate& candidate : candidates) {
            if (candidate.times.size() != sizes) {
                throw std::invalid_argument("decide: candidate " + candidate.name + " has " +
                                            std::to_string(candidate.times.size()) + " times for " +
                                            std::to_string(sizes) + " sizes");
            }
        }
        for (std::size_t i = 0; i < sizes; ++i) {
            const MeasuredSize* best = nullptr;
            for (const Candidate& candidate : candidates) {
                if (candidate.times[i]) {
                    require_time(candidate, *candidate.times[i]);
                    const bool is_best = !best || candidate.times[i]->median_seconds < best->median_seconds;
                    best = is_best ? &*candidate.times[i] : best;
                }
            }
            if (!best) {
                throw std::invalid_argument("decide: no candidate has a time for size number " +
                                            std::to_string(i));
            }
            best_.push_back(best);
        }
    }

    double loss(std::size_t candidate, std::size_t size) const {
        const auto& time = candidates_[candidate].times[size];
        return time ? time->median_seconds / best_[size]->median_seconds - 1
                    : std::numeric_limits<double>::infinity();
    }
    // Loses at most the bound, or nobody can tell. Of the preferred one, it must be known that it loses; what
    // was measured badly does not take its place.
    bool is_good_enough(std::size_t candidate, std::size_t size) const {
        const double least = least_loss(candidate, size);
        return least <= bound_ &&
               (candidate == preferred_ || loss(candidate, size) <= std::max(bound_, largest_loss_of_tie));
    }
    // The first size from `start` on for which the candidate is not good enough
    std::size_t reach(std::size_t candidate, std::size_t start) const {
        std::size_t end = start;
        while (end < best_.size() && is_good_enough(candidate, end)) {
            ++end;
        }
        return end;
    }
    double worst(std::size_t candidate, std::size_t first, std::size_t last) const {
        double worst = 0;
        for (std::size_t i = first; i <= last; ++i) {
            worst = std::max(worst, loss(candidate, i));
        }
        return worst;
    }
    double sum(std::size_t candidate, std::size_t first, std::size_t end) const {
        double sum = 0;
        for (std::size_t i = first; i < end; ++i) {
            sum += loss(candidate, i);
        }
        return sum;
    }

  private:
    // A loss against a time of zero is no number: no candidate would ever be good enough
    static void require_time(const Candidate& candidate, const MeasuredSize& time) {
        if (!(time.median_seconds > 0) || !std::isfinite(time.median_seconds)) {
            throw std::invalid_argument("decide: a time of candidate " + candidate.name + " for " +
                                        std::to_string(time.bytes) + " bytes is not above zero");
        }
    }

    // At the end of the interval that favours the candidate
    double least_loss(std::size_t candidate, std::size_t size) const {
        const auto& time = candidates_[candidate].times[size];
        if (!time) {
            return std::numeric_limits<double>::infinity();
        }
        const MeasuredSize& best = *best_[size];
        return ratio_of_medians(time->median_seconds, time->interval, best.median_seconds, best.interval)
                   .interval.low -
               1;
    }

    const std::vector<Candidate>& candidates_;
    std::size_t preferred_;
    double bound_;
    std::vector<const MeasuredSize*> best_;  // by size
};

// From left to right, the candidate that reaches furthest: no other choice needs fewer ranges. By size.
std::vector<std::size_t> choose(const Losses& losses, std::size_t candidates, std::size_t sizes,
                                std::size_t preferred) {
    std::vector<std::size_t> chosen_at;
    while (chosen_at.size() < sizes) {
        const std::size_t start = chosen_at.size();
        std::size_t chosen = preferred;
        std::size_t end = losses.reach(preferred, start);
        for (std::size_t i = 0; i < candidates; ++i) {
            const std::size_t reach = losses.reach(i, start);
            const bool closer = reach == end && chosen != preferred &&
                                losses.sum(i, start, reach) < losses.sum(chosen, start, end);
            if (reach > end || closer) {
                chosen = i;
                end = reach;
            }
        }
        std::size_t first = start;
        std::size_t last = end;
        // no further than something speaks for it
        while (chosen != preferred && first < last && losses.is_good_enough(preferred, first)) {
            ++first;
        }
        while (chosen != preferred && last > first && losses.is_good_enough(preferred, last - 1)) {
            --last;
        }
        chosen_at.insert(chosen_at.end(), first - start, preferred);
        chosen_at.insert(chosen_at.end(), last - first, chosen);
        chosen_at.insert(chosen_at.end(), end - last, preferred);
    }
    return chosen_at;
}

// Where `after` takes over from `before` between two measured sizes: straight lines in log-log. The geometric
// mean where one of them has no time, or they do not cross.
double crossing(const Candidate& before, const Candidate& after, const std::vector<std::size_t>& sizes,
                std::size_t last, std::size_t next) {
    const double low = std::log(static_cast<double>(std::max<std::size_t>(1, sizes[last])));
    const double high = std::log(static_cast<double>(std::max<std::size_t>(1, sizes[next])));
    double share = 0.5;
    if (before.times[last] && before.times[next] && after.times[last] && after.times[next]) {
        const auto log_ratio = [&](std::size_t i) {
            return std::log(before.times[i]->median_seconds / after.times[i]->median_seconds);
        };
        const double start = log_ratio(last);
        const double end = log_ratio(next);
        if (start <= 0 && end > 0) {
            share = -start / (end - start);
        } else if (end > 0) {
            share = 0;  // better already at the last size, within the bound: switch at once
        }
    }
    return std::exp(low + share * (high - low));
}

}  // namespace

std::vector<DecidedRange> decide(const std::vector<Candidate>& candidates,
                                 const std::vector<std::size_t>& sizes, std::size_t preferred,
                                 double loss_bound) {
    if (preferred >= candidates.size() || !std::is_sorted(sizes.begin(), sizes.end()) || sizes.empty() ||
        !(loss_bound >= 0)) {
        throw std::invalid_argument(
            "decide: sizes must be in ascending order, the bound must not be below zero, and there must be a "
            "preferred candidate");
    }
    const Losses losses(candidates, sizes.size(), preferred, loss_bound);
    const std::vector<std::size_t> chosen = choose(losses, candidates.size(), sizes.size(), preferred);
    std::vector<DecidedRange> ranges;
    for (std::size_t start = 0, end = 0; start < sizes.size(); start = end) {
        while (end < sizes.size() && chosen[end] == chosen[start]) {
            ++end;
        }
        ranges.push_back({chosen[start],
                          start,
                          end - 1,
                          0,
                          std::numeric_limits<std::size_t>::max(),
                          0,
                          {0, 0},
                          losses.worst(chosen[start], start, end - 1)});
    }
    for (std::size_t i = 1; i < ranges.size(); ++i) {
        const double at = crossing(candidates[ranges[i - 1].candidate], candidates[ranges[i].candidate],
                                   sizes, ranges[i - 1].last, ranges[i].first);
        ranges[i - 1].to_bytes = last_size_before(at);
        ranges[i].from_bytes = ranges[i - 1].to_bytes + 1;
        ranges[i].changeover_bytes = at;
        ranges[i].from_interval = {static_cast<double>(sizes[ranges[i - 1].last]),
                                   static_cast<double>(sizes[ranges[i].first])};
    }
    return ranges;
}

}  // namespace models
