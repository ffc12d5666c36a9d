// SPDX-License-Identifier: MIT
#include "race.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "across_jobs.hpp"
#include "statistics.hpp"
#include "stopping.hpp"
#include "student.hpp"

namespace models {

namespace {

constexpr double least_variance = 1e-12;  // of a repetition: equal times say nothing about their spread
constexpr double degrees_of_pool = 4;     // that the spread of all comparisons counts for in each of them

// log(this / leader), repetition by repetition
struct Lag {
    LogMean own;  // by its own spread alone
    double mean = 0;
    double variance = 0;  // of the mean
    double degrees = 1;

    double sd() const { return std::sqrt(variance); }
    double p_not_slower() const { return student_upper_tail(mean / sd(), degrees); }
};

std::size_t leader_of(std::span<const Racer> racers) {
    std::size_t leader = 0;
    double fastest = 0;
    for (std::size_t i = 0; i < racers.size(); ++i) {
        std::vector<double> sorted(racers[i].seconds.begin(), racers[i].seconds.end());
        std::sort(sorted.begin(), sorted.end());
        const double time = sorted.empty() || racers[i].is_same ? INFINITY : median(sorted);
        if (i == 0 || time < fastest) {
            leader = i;
            fastest = time;
        }
    }
    return leader;
}

std::vector<double> ratios_of(std::span<const double> seconds, std::span<const double> leader) {
    std::vector<double> ratios(std::min(seconds.size(), leader.size()));
    std::transform(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(ratios.size()),
                   leader.begin(), ratios.begin(), std::divides<>());
    return ratios;
}

// Their spreads support each other: few repetitions alone say little about theirs. Nothing of one that was
// repeated too seldom.
std::vector<std::optional<Lag>> lags_behind(std::span<const Racer> racers, std::size_t leader) {
    std::vector<std::optional<LogMean>> means(racers.size());
    double squares = 0;
    double degrees = 0;
    for (std::size_t i = 0; i < racers.size(); ++i) {
        const std::vector<double> ratios = ratios_of(racers[i].seconds, racers[leader].seconds);
        if (i != leader && ratios.size() >= fewest_repetitions) {
            means[i] = log_mean_in_job(ratios);
            squares += means[i]->degrees_of_freedom * means[i]->of_one;
            degrees += means[i]->degrees_of_freedom;
        }
    }
    std::vector<std::optional<Lag>> lags(racers.size());
    for (std::size_t i = 0; i < racers.size(); ++i) {
        if (const std::optional<LogMean>& mean = means[i]) {
            const double own = mean->degrees_of_freedom;
            const double of_one =
                (own * mean->of_one + degrees_of_pool * squares / degrees) / (own + degrees_of_pool);
            lags[i] = Lag{*mean, mean->mean,
                          std::max(of_one, least_variance) / static_cast<double>(mean->repetitions),
                          own + degrees_of_pool};
        }
    }
    return lags;
}

// As those who decide by these times will see it: few repetitions must be beyond doubt, since their spread is
// hardly known; of more, the interval is wider by what neighbours share
bool is_gain_known(const Lag& lag, const LogMean& own, double loss) {
    const bool are_few = own.repetitions < few_repetitions;
    const double variance = are_few ? lag.variance : std::max(own.variance, lag.variance);
    const double degrees = are_few ? lag.degrees : own.degrees_of_freedom;
    const double low = lag.mean - student_quantile(are_few ? 0.0005 : 0.004, degrees) * std::sqrt(variance);
    const double high = lag.mean + student_quantile(0.025, degrees) * std::sqrt(variance);
    return low > std::log1p(loss) || high < std::log1p(2 * loss);
}

}  // namespace

std::vector<bool> race(std::span<const Racer> racers, const std::vector<bool>& has_left,
                       std::optional<std::size_t> reference, const RaceRules& rules) {
    std::vector<bool> done = has_left;
    for (std::size_t i = 0; i < racers.size(); ++i) {
        if (!has_left[i] && racers[i].seconds.size() < fewest_repetitions) {
            return done;
        }
    }
    const std::size_t leader = leader_of(racers);
    const std::vector<std::optional<Lag>> lags = lags_behind(racers, leader);
    double loss = 0;
    bool is_reference_known = true;
    for (std::size_t i = 0; i < racers.size(); ++i) {
        if (i == leader || !lags[i]) {
            continue;
        }
        if (i == reference) {
            is_reference_known = is_gain_known(*lags[i], lags[i]->own, rules.loss);
        } else if (racers[i].is_same || lags[i]->p_not_slower() < rules.error) {
            done[i] = true;
        } else if (!done[i]) {
            loss += expected_loss(lags[i]->mean, lags[i]->sd());
        }
    }
    return loss <= rules.loss && is_reference_known ? std::vector<bool>(racers.size(), true) : done;
}

double expected_loss(double lead, double sd) {
    if (sd <= 0) {
        return std::max(0.0, -lead);
    }
    const double z = lead / sd;
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    return sd * (density - z * 0.5 * std::erfc(z / std::numbers::sqrt2));
}

}  // namespace models
