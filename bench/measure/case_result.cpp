// SPDX-License-Identifier: MIT
#include "case_result.hpp"

#include <algorithm>
#include <cmath>

#include "comparison.hpp"
#include "statistics.hpp"

namespace bench {

namespace {

constexpr std::size_t least_third = 8;      // repetitions, from which on the test's p-value is good
constexpr double least_change = 0.02;       // below, it is not worth a word: --precision is 2%, too
constexpr double chance_of_a_drift = 0.01;  // where there is none

double median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return models::median(values);
}

}  // namespace

const char* to_string(Status status) {
    constexpr const char* names[] = {"measured", "refused", "wrong result", "wrong algorithm"};
    return names[static_cast<std::size_t>(status)];
}

std::vector<double> seconds_of(const CaseResult& result) {
    std::vector<double> seconds;
    for (const Repetition& repetition : result.repetitions) {
        seconds.push_back(repetition.seconds);
    }
    return seconds;
}

double median_seconds(const CaseResult& result) {
    return median_of(seconds_of(result));
}

std::vector<double> median_finish_of_ranks(const CaseResult& result) {
    std::vector<double> medians;
    for (std::size_t rank = 0; rank < result.repetitions.front().finish_of_rank.size(); ++rank) {
        std::vector<double> finishes;
        for (const Repetition& repetition : result.repetitions) {
            finishes.push_back(repetition.finish_of_rank[rank]);
        }
        medians.push_back(median_of(std::move(finishes)));
    }
    return medians;
}

std::optional<double> median_start_skew(const CaseResult& result) {
    std::vector<double> skews;
    for (const Repetition& repetition : result.repetitions) {
        if (repetition.start_skew_seconds) {
            skews.push_back(*repetition.start_skew_seconds);
        }
    }
    return skews.empty() ? std::nullopt : std::optional(median_of(std::move(skews)));
}

bool is_skewed(const CaseResult& result, int calls_in_a_row) {
    const std::optional<double> skew = median_start_skew(result);
    return skew && *skew > largest_skew * calls_in_a_row * median_seconds(result);
}

bool is_blurred(const CaseResult& result, double width) {
    const std::optional<double> skew = median_start_skew(result);
    return width > 0 && skew && *skew > largest_skew * width;
}

double median_waiting(const CaseResult& result) {
    std::vector<double> waiting;
    for (const Repetition& repetition : result.repetitions) {
        waiting.push_back(repetition.waiting_seconds);
    }
    return median_of(std::move(waiting));
}

std::map<std::string, double> median_by_arrival(const CaseResult& result, const models::ArrivalMix& mix) {
    std::map<std::string, std::vector<double>> seconds;
    for (const Repetition& repetition : result.repetitions) {
        seconds[models::to_string(models::arrival_at(mix, repetition.number))].push_back(repetition.seconds);
    }
    std::map<std::string, double> medians;
    for (auto& [pattern, of_pattern] : seconds) {
        medians[pattern] = median_of(std::move(of_pattern));
    }
    return mix.size() > 1 ? medians : std::map<std::string, double>{};
}

std::optional<Drift> drift_of(const CaseResult& result) {
    const std::vector<double> seconds = seconds_of(result);
    const auto third = static_cast<std::ptrdiff_t>(seconds.size() / 3);
    if (seconds.size() / 3 < least_third) {
        return std::nullopt;
    }
    std::vector<double> first(seconds.begin(), seconds.begin() + third);
    std::vector<double> last(seconds.end() - third, seconds.end());
    std::sort(first.begin(), first.end());
    std::sort(last.begin(), last.end());
    const double change = models::median(last) / models::median(first) - 1;
    const bool is_clear =
        std::abs(change) > least_change && models::rank_sum_p(first, last) < chance_of_a_drift;
    return Drift{change, is_clear};
}

}  // namespace bench
