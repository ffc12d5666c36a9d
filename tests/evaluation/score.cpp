// SPDX-License-Identifier: MIT
#include "score.hpp"

#include <algorithm>
#include <cmath>

#include "statistics.hpp"

namespace evaluation {

namespace {

constexpr double factor_of_calls = 1.15;  // between the sizes at which a choice is scored
constexpr double much_slower = 0.05;

double fastest_of(const calibration::Truth& truth, const tuner::CellKey& cell, std::size_t bytes) {
    double fastest = INFINITY;
    for (const std::string& algorithm : truth.algorithms(cell)) {
        fastest = std::min(fastest, truth.seconds(cell, algorithm, bytes).value_or(INFINITY));
    }
    return fastest;
}

}  // namespace

Score score_of(const Setting& setting, const calibration::Truth& truth, const Choice& choice) {
    std::vector<double> losses;
    Score score;
    for (const tuner::CellKey& cell : setting.cells) {
        for (const std::size_t bytes : setting.sizes(cell, factor_of_calls)) {
            const double by_default = truth.seconds(cell, truth.used_by_default(cell, bytes), bytes).value();
            const std::string algorithm = choice(cell, bytes);
            // what cannot run is left to the library
            const double chosen = algorithm == tuner::default_algorithm
                                      ? by_default
                                      : truth.seconds(cell, algorithm, bytes).value_or(by_default);
            losses.push_back(chosen / fastest_of(truth, cell, bytes) - 1);
            score.slower += chosen > (1 + much_slower) * by_default;
        }
    }
    std::sort(losses.begin(), losses.end());
    score.calls = static_cast<double>(losses.size());
    score.mean_loss = models::mean(losses);
    score.loss_95 = losses[losses.size() * 95 / 100];
    score.worst_loss = losses.back();
    return score;
}

std::vector<Score> played(const Setting& setting, const calibration::SimulatedCluster& cluster,
                          Method& method, double step) {
    std::vector<Score> scores;
    const auto add = [&] {
        Score score = score_of(setting, cluster.truth(), method.choice());
        score.seconds = cluster.benchmark_seconds();
        score.launches = method.launches();
        score.expected_loss = method.expected_loss();
        score.rules = static_cast<double>(method.rules());
        scores.push_back(score);
    };
    while (method.step()) {
        if (scores.empty() || cluster.benchmark_seconds() > step * scores.back().seconds) {
            add();
        }
    }
    add();
    return scores;
}

}  // namespace evaluation
