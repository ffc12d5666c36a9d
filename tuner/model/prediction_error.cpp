// SPDX-License-Identifier: MIT
#include "prediction_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "student.hpp"

namespace tuner {

namespace {

constexpr std::size_t min_clusters_of_collective = 5;

}  // namespace

PredictionError::PredictionError(const std::vector<HeldOutError>& errors) {
    std::map<std::pair<std::string, std::size_t>, std::vector<double>> squares;
    std::vector<double> sizes;
    for (const HeldOutError& error : errors) {
        squares[{error.collective, error.cluster}].push_back(error.residual * error.residual);
        sizes.push_back(std::abs(std::expm1(-error.residual)));
    }
    for (const auto& [cluster, of_cluster] : squares) {
        all_.squares.push_back(models::mean(of_cluster));
        by_collective_[cluster.first].squares.push_back(all_.squares.back());
    }
    std::sort(sizes.begin(), sizes.end());
    typical_ = sizes.empty() ? 0 : models::median(sizes);
}

// As of one more cluster from the same distribution, whose variance few clusters tell
double PredictionError::Spread::reach() const {
    if (squares.size() < 2) {
        return std::numeric_limits<double>::infinity();
    }
    const auto clusters = static_cast<double>(squares.size());
    return models::student_quantile(0.025, clusters - 1) * std::sqrt(models::mean(squares));
}

models::Interval PredictionError::interval(const std::string& collective, double seconds) const {
    const auto found = by_collective_.find(collective);
    const bool is_known =
        found != by_collective_.end() && found->second.squares.size() >= min_clusters_of_collective;
    const double factor = std::exp((is_known ? found->second : all_).reach());
    return {seconds / factor, seconds * factor};
}

}  // namespace tuner
