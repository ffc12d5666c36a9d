// SPDX-License-Identifier: MIT
#include "figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "text_table.hpp"

namespace calibration {

namespace {

constexpr double z = 1.96;
constexpr double too_unlikely = 3e-6;
constexpr double far_in_errors = 4.5;  // standard errors: as unlikely, for a normal mean

// P(X >= hits) if each trial hits with this probability
double upper_tail(double hits, double trials, double probability) {
    if (hits <= 0 || probability >= 1) {
        return 1;
    }
    if (probability <= 0) {
        return 0;
    }
    double tail = 0;
    for (double k = hits; k <= trials; ++k) {
        tail += std::exp(std::lgamma(trials + 1) - std::lgamma(k + 1) - std::lgamma(trials - k + 1) +
                         k * std::log(probability) + (trials - k) * std::log1p(-probability));
    }
    return tail;
}

bool is_plausible(const Count& count, const Goal& goal) {
    constexpr double rounding = 1e-9;
    const double trials = count.independent_trials();
    const double hits = std::floor(count.share() * trials + rounding);
    const double misses = std::floor((1 - count.share()) * trials + rounding);
    return upper_tail(hits, trials, goal.high) > too_unlikely &&
           upper_tail(misses, trials, 1 - goal.low) > too_unlikely;
}

std::string text_of(const Row& row, double value) {
    return row.is_share ? fmt::format("{:.1f}%", 100 * value) : fmt::format("{:.2f}", value);
}

std::string goal_text(const Row& row) {
    if (row.goal.low <= 0) {
        return "at most " + text_of(row, row.goal.high);
    }
    if (row.is_share && row.goal.high >= 1) {
        return "at least " + text_of(row, row.goal.low);
    }
    return text_of(row, row.goal.low) + " to " + text_of(row, row.goal.high);
}

}  // namespace

Count& Count::operator+=(const Count& other) {
    hits += other.hits;
    trials += other.trials;
    independent += other.independent;
    return *this;
}

models::Interval Count::interval() const {
    if (trials == 0) {
        return {0, 1};
    }
    const double p = share();
    const double n = independent_trials();
    const double shrink = 1 + z * z / n;
    const double middle = (p + z * z / (2 * n)) / shrink;
    const double reach = z / shrink * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    return {std::max(0.0, middle - reach), std::min(1.0, middle + reach)};
}

Row row_of(const std::string& figure, const std::string& noise, const std::string& plan, const Count& count,
           const Goal& goal, const Options& options) {
    Row row = {figure, noise, plan, count.share(), count.interval(), count.trials, goal};
    const bool is_met = row.value >= goal.low && row.value <= goal.high;
    row.passes = count.trials > 0 && (options.is_quick ? is_plausible(count, goal) : is_met);
    return row;
}

Row row_of(const std::string& figure, const std::string& noise, const std::string& plan,
           const std::vector<double>& values, const Goal& goal, const Options& options) {
    const double mean = models::mean(values);
    const double error = models::standard_deviation(values) / std::sqrt(static_cast<double>(values.size()));
    Row row = {
        figure, noise, plan, mean, {mean - z * error, mean + z * error}, static_cast<double>(values.size()),
        goal,   false};
    const double slack = options.is_quick ? far_in_errors * error : 0;
    row.passes = mean >= goal.low - slack && mean <= goal.high + slack;
    return row;
}

std::string table_of(const std::vector<Row>& rows) {
    tuner::TextTable table({"figure", "noise", "plan", "value", "95% interval", "of", "goal", ""});
    for (const Row& row : rows) {
        table.add({row.figure, row.noise, row.plan, text_of(row, row.value),
                   text_of(row, row.interval.low) + " to " + text_of(row, row.interval.high),
                   fmt::format("{:.0f}", row.trials), goal_text(row), row.passes ? "pass" : "FAIL"});
    }
    return table.text();
}

}  // namespace calibration
