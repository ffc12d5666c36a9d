// SPDX-License-Identifier: MIT
#include "small_gaps.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "decide.hpp"
#include "thresholds.hpp"

namespace tuner {

namespace {

const std::string measured_basis = "measured";

// Where intervals overlap, an algorithm that looks so much slower is not taken (as in models::decide)
constexpr double most_lost_in_a_tie = 0.1;

// Sizes, both ends included; there is a size before it
struct Gap {
    std::size_t first;
    std::size_t last;

    bool is_empty() const { return first > last; }
    bool is_small() const {
        return static_cast<double>(last + 1) <= small_gap_factor * static_cast<double>(first - 1);
    }
    bool overlaps(const Rule& rule) const { return rule.from_bytes <= last && first <= rule.to_bytes; }
};

// What is lost by an algorithm at a measured size, against each of the others
struct MeasuredLoss {
    double largest = 0;      // by the medians
    double significant = 0;  // at the end of the interval that favours the algorithm
};

// Nothing: the algorithm, or the default, was not measured
std::optional<MeasuredLoss> loss_of(const Times& times, const std::string& algorithm) {
    const CellTime* own = time_of(times, default_algorithm);
    const CellTime* time = time_of(times, algorithm);
    if (own == nullptr || time == nullptr) {
        return {};
    }
    const models::MeasuredSize mine = time_against_default(algorithm, *time, *own);
    MeasuredLoss loss;
    for (const auto& [name, measured] : times) {
        const models::MeasuredSize other = time_against_default(name, measured, *own);
        const models::Ratio ratio = models::ratio_of_medians(mine.median_seconds, mine.interval,
                                                             other.median_seconds, other.interval);
        loss.largest = std::max(loss.largest, ratio.ratio - 1);
        loss.significant = std::max(loss.significant, ratio.interval.low - 1);
    }
    return loss;
}

// The gaps of one cell. What the library chooses by itself is known from its thresholds, if all that was
// measured agrees with them.
class Gaps {
  public:
    Gaps(std::vector<Rule> rules, const CellKey& key, const Cell& cell, double loss_bound)
        : rules_(std::move(rules)),
          cell_(cell),
          loss_bound_(loss_bound),
          own_(ladder_of(key.collective, key.layout, default_min_ranks(key.collective))) {
        for (const auto& [bytes, times] : cell.times) {
            const CellTime* own = time_of(times, default_algorithm);
            if (own != nullptr && bytes > 0 && own_ && own->used != chosen_at(bytes)) {
                own_.reset();
            }
        }
    }

    std::vector<Rule> closed() && {
        close_between_rules();
        for (Rule& rule : own_ ? std::span<Rule>(rules_) : std::span<Rule>()) {
            close_above(rule);
            close_below(rule);
        }
        return std::move(rules_);
    }

  private:
    std::string chosen_at(std::size_t bytes) const { return own_->algorithm_for(bytes, own_->defaults()); }

    // The algorithm is known to be good at the measured sizes on both sides, and nothing was measured between
    bool is_between_good_sizes(const Gap& gap, const std::string& algorithm) const {
        const auto next = cell_.times.lower_bound(gap.first);
        if (next == cell_.times.end() || next->first <= gap.last || next == cell_.times.begin()) {
            return false;
        }
        const auto is_good = [&](const auto& size) {
            const CellTime* own = time_of(size.second, default_algorithm);
            return (own != nullptr && own->used == algorithm) ||
                   std::any_of(rules_.begin(), rules_.end(), [&](const Rule& rule) {
                       return rule.algorithm == algorithm && rule.from_bytes <= size.first &&
                              size.first <= rule.to_bytes;
                   });
        };
        return is_good(*next) && is_good(*std::prev(next));
    }

    // What could not be measured is not known to be good
    bool speaks_against(const Times& times, const std::string& algorithm) const {
        const std::optional<MeasuredLoss> loss = loss_of(times, algorithm);
        return !loss || loss->significant > loss_bound_ ||
               loss->largest > std::max(loss_bound_, most_lost_in_a_tie);
    }

    bool may_close(const Gap& gap, const std::string& algorithm) const {
        const auto is_inside = [&](std::size_t bytes) { return gap.first <= bytes && bytes <= gap.last; };
        return !gap.is_empty() && (gap.is_small() || is_between_good_sizes(gap, algorithm)) &&
               std::none_of(rules_.begin(), rules_.end(),
                            [&](const Rule& rule) { return gap.overlaps(rule); }) &&
               std::none_of(cell_.times.begin(), cell_.times.end(),
                            [&](const auto& size) {
                                return is_inside(size.first) && speaks_against(size.second, algorithm);
                            }) &&
               std::none_of(cell_.missing.begin(), cell_.missing.end(), [&](const auto& size) {
                   return is_inside(size.first) && size.second.contains(algorithm);
               });
    }

    // To the sizes from `from_bytes` to `to_bytes`; gain and loss are those of all its measured sizes
    void widen(Rule& rule, std::size_t from_bytes, std::size_t to_bytes) const {
        rule.from_bytes = from_bytes;
        rule.to_bytes = to_bytes;
        rule.from_interval.low = std::min(rule.from_interval.low, static_cast<double>(from_bytes));
        if (rule.basis != measured_basis) {
            return;  // its gain is the model's
        }
        double sum_of_logs = 0;
        int sizes = 0;
        for (auto size = cell_.times.lower_bound(std::max<std::size_t>(from_bytes, 1));
             size != cell_.times.end() && size->first <= to_bytes; ++size) {
            const CellTime* own = time_of(size->second, default_algorithm);
            const CellTime* time = time_of(size->second, rule.algorithm);
            if (own != nullptr && time != nullptr) {
                sum_of_logs += std::log(own->time.median_seconds /
                                        time_against_default(rule.algorithm, *time, *own).median_seconds);
                rule.worst_loss = std::max(rule.worst_loss, loss_of(size->second, rule.algorithm)->largest);
                ++sizes;
            }
        }
        rule.expected_gain = std::expm1(sum_of_logs / std::max(sizes, 1));
    }

    // One rule, or two that adjoin if one of them is not measured: that one gets the sizes between
    void close_between_rules() {
        for (std::size_t i = 1; i < rules_.size();) {
            Rule& before = rules_[i - 1];
            Rule& after = rules_[i];
            const Gap gap = {before.to_bytes + 1, after.from_bytes - 1};
            if (before.algorithm != after.algorithm || !may_close(gap, after.algorithm)) {
                ++i;
            } else if (before.basis == measured_basis && after.basis == measured_basis) {
                before.worst_loss = std::max(before.worst_loss, after.worst_loss);
                widen(before, before.from_bytes, after.to_bytes);
                rules_.erase(rules_.begin() + static_cast<std::ptrdiff_t>(i));
            } else if (after.basis == measured_basis) {
                widen(before, before.from_bytes, gap.last);
            } else {
                widen(after, gap.first, after.to_bytes);
            }
        }
    }

    // Up to the next size at which the library turns to the same algorithm
    void close_above(Rule& rule) const {
        std::optional<std::size_t> turn;
        for (const int threshold : own_->defaults()) {
            const std::size_t start = own_->last_bytes(threshold) + 1;
            if (start > rule.to_bytes && chosen_at(start) == rule.algorithm) {
                turn = std::min(turn.value_or(start), start);
            }
        }
        if (turn && chosen_at(rule.to_bytes + 1) != rule.algorithm &&
            may_close({rule.to_bytes + 1, *turn - 1}, rule.algorithm)) {
            widen(rule, rule.from_bytes, *turn - 1);
        }
    }

    // Down to the last size at which the library still uses the same algorithm
    void close_below(Rule& rule) const {
        std::size_t turn = 0;
        for (const int threshold : own_->defaults()) {
            const std::size_t end = own_->last_bytes(threshold);
            if (0 < end && end < rule.from_bytes && chosen_at(end) == rule.algorithm) {
                turn = std::max(turn, end);
            }
        }
        if (turn > 0 && chosen_at(rule.from_bytes - 1) != rule.algorithm &&
            may_close({turn + 1, rule.from_bytes - 1}, rule.algorithm)) {
            widen(rule, turn + 1, rule.to_bytes);
        }
    }

    std::vector<Rule> rules_;
    const Cell& cell_;
    double loss_bound_;
    std::optional<Ladder> own_;
};

}  // namespace

std::vector<Rule> close_small_gaps(std::vector<Rule> rules, const CellKey& key, const Cell& cell,
                                   double loss_bound) {
    return Gaps(std::move(rules), key, cell, loss_bound).closed();
}

}  // namespace tuner
