// SPDX-License-Identifier: MIT
#include "knobs.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "student.hpp"

namespace tuner {

namespace {

constexpr double tail_of_interval = 0.025;  // on either side
constexpr double error_rate_of_sizes = 0.05;

double mean(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double sum_of_squares(std::span<const double> values) {
    const double middle = mean(values);
    return std::accumulate(values.begin(), values.end(), 0.0,
                           [&](double sum, double x) { return sum + (x - middle) * (x - middle); });
}

// Means over all cells: what jobs have in common does not become smaller by more cells
std::vector<double> means_of_rounds(std::span<const KnobCell> cells) {
    std::vector<double> rounds(cells.front().log_ratios.size());
    for (std::size_t round = 0; round < rounds.size(); ++round) {
        for (const KnobCell& cell : cells) {
            rounds[round] += cell.log_ratios[round] / static_cast<double>(cells.size());
        }
    }
    return rounds;
}

}  // namespace

KnobJudgement judge_knob(std::span<const KnobCell> cells, double min_gain) {
    KnobJudgement result;
    if (cells.empty()) {
        return result;
    }
    const std::vector<double> rounds = means_of_rounds(cells);
    const auto n = static_cast<double>(rounds.size());
    const double reach =
        models::student_quantile(tail_of_interval, n - 1) * std::sqrt(sum_of_squares(rounds) / (n - 1) / n);
    const double middle = mean(rounds);
    result.mean = {std::exp(middle), {std::exp(middle - reach), std::exp(middle + reach)}};
    double squares = 0;
    for (const KnobCell& cell : cells) {
        squares += sum_of_squares(cell.log_ratios);
    }
    const double degrees = static_cast<double>(cells.size()) * (n - 1);
    const double error = std::sqrt(squares / degrees / n);  // of a cell's mean
    const auto p_beyond = [&](double distance) {
        return error > 0 ? models::student_upper_tail(distance / error, degrees) : distance > 0 ? 0.0 : 1.0;
    };
    std::vector<double> p_faster;
    std::vector<double> p_slower;
    for (const KnobCell& cell : cells) {
        p_faster.push_back(p_beyond(mean(cell.log_ratios)));
        p_slower.push_back(p_beyond(-mean(cell.log_ratios)));
    }
    p_faster = models::holm_adjusted(p_faster);
    p_slower = models::holm_adjusted(p_slower);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const double ratio = std::exp(mean(cells[i].log_ratios));
        if (p_faster[i] < error_rate_of_sizes && ratio > 1 + min_gain) {
            result.faster.push_back({&cells[i], ratio});
        }
        if (p_slower[i] < error_rate_of_sizes && ratio < 1 - tolerated_loss_of_knob) {
            result.slower.push_back({&cells[i], ratio});
        }
    }
    return result;
}

}  // namespace tuner
