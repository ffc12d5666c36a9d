// SPDX-License-Identifier: MIT
#include "layout_gains.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "thresholds.hpp"

namespace tuner {

namespace {

// The names of algorithms that ran, by the library's word
std::set<std::string> algorithms_of(const Cells& cells, const std::string& network,
                                    const std::string& collective) {
    std::set<std::string> names;
    for (const auto& [key, cell] : cells) {
        if (key.network != network || key.collective != collective || !is_for_rules(key)) {
            continue;
        }
        for (const auto& [bytes, times] : cell.times) {
            for (const auto& [name, time] : times) {
                names.insert(name == default_algorithm ? time.used : name);
            }
        }
    }
    names.erase(default_algorithm);
    names.erase("");
    return names;
}

// Of the logarithm of a median, by its interval of 95%
double standard_error(const CellTime& time) {
    constexpr double normal_97_5 = 1.96;
    constexpr double least = 0.003;  // no machine is as steady as ten equal times
    const models::Interval& interval = time.time.interval;
    const double width = interval.low > 0 ? std::log(interval.high / interval.low) : 1;
    return std::max(least, width / 2 / normal_97_5);
}

// Sizes next to each other say the same about the model. The time that learning takes grows with the third
// power of the samples.
constexpr double largest_size_factor = 100;
constexpr std::size_t most_samples = 1000;

// What the model is off by, at sizes that are apart by the factor
std::vector<models::CorrectionSample> samples_of(const Cells& cells, const std::string& network,
                                                 const std::string& collective,
                                                 const std::vector<std::string>& algorithms,
                                                 Prediction& prediction, double size_factor) {
    std::vector<models::CorrectionSample> samples;
    for (const auto& [key, cell] : cells) {
        if (key.network != network || key.collective != collective || !is_for_rules(key)) {
            continue;
        }
        const models::RankPlacement placement = placement_of(key.layout);
        double next = 1;
        for (const auto& [bytes, times] : cell.times) {
            const auto exact = static_cast<double>(bytes);
            if (exact < next) {
                continue;
            }
            next = exact * size_factor;
            for (std::size_t i = 0; i < algorithms.size(); ++i) {
                const CellTime* time = time_of(times, algorithms[i]);
                const auto modelled = prediction.seconds(collective, algorithms[i], key.layout, bytes);
                if (time != nullptr && modelled) {
                    samples.push_back({models::corrected_case(i, placement, exact),
                                       std::log(time->time.median_seconds / *modelled),
                                       standard_error(*time)});
                }
            }
        }
    }
    return samples;
}

}  // namespace

LayoutGains::LayoutGains(const Cells& cells, const std::string& network, Prediction& prediction)
    : prediction_(prediction) {
    std::set<std::string> collectives;
    for (const auto& [key, cell] : cells) {
        if (key.network == network && is_for_rules(key)) {
            collectives.insert(key.collective);
        }
    }
    for (const std::string& collective : collectives) {
        const std::set<std::string> names = algorithms_of(cells, network, collective);
        const std::vector<std::string> algorithms(names.begin(), names.end());
        const auto apart_by = [&](double factor) {
            return samples_of(cells, network, collective, algorithms, prediction, factor);
        };
        std::vector<models::CorrectionSample> samples = apart_by(1);
        for (double factor = 2; samples.size() > most_samples && factor < largest_size_factor; factor *= 2) {
            samples = apart_by(factor);
        }
        if (!samples.empty()) {
            by_collective_.emplace(collective, Learned{algorithms, models::Correction(std::move(samples))});
        }
    }
}

std::vector<std::string> LayoutGains::algorithms(const std::string& collective) const {
    const auto learned = by_collective_.find(collective);
    return learned == by_collective_.end() ? std::vector<std::string>{} : learned->second.algorithms;
}

std::vector<LayoutGain> LayoutGains::at(const std::string& collective, const Layout& layout,
                                        std::size_t bytes) const {
    const auto learned = by_collective_.find(collective);
    const std::string by_default = default_choice(collective, layout, bytes).value_or("");
    if (learned == by_collective_.end() || bytes == 0) {
        return {};
    }
    const models::RankPlacement placement = placement_of(layout);
    std::vector<LayoutGain> gains;
    std::vector<models::CorrectedCase> cases;
    for (std::size_t i = 0; i < learned->second.algorithms.size(); ++i) {
        const std::string& name = learned->second.algorithms[i];
        if (const auto seconds = prediction_.seconds(collective, name, layout, bytes)) {
            gains.push_back({name, name == by_default, *seconds});
            cases.push_back(models::corrected_case(i, placement, static_cast<double>(bytes)));
        }
    }
    const auto found =
        std::find_if(gains.begin(), gains.end(), [](const LayoutGain& gain) { return gain.is_own; });
    if (found == gains.end()) {
        return {};
    }
    const auto [mean, covariance] = learned->second.correction.at(cases);
    const auto own = static_cast<Eigen::Index>(found - gains.begin());
    for (Eigen::Index i = 0; i < mean.size(); ++i) {
        LayoutGain& gain = gains[static_cast<std::size_t>(i)];
        gain.seconds *= std::exp(mean(i));
        gain.seconds_error = std::sqrt(std::max(0.0, covariance(i, i)));
    }
    for (Eigen::Index i = 0; i < mean.size(); ++i) {
        LayoutGain& gain = gains[static_cast<std::size_t>(i)];
        if (i != own) {
            const double variance = covariance(own, own) + covariance(i, i) - 2 * covariance(own, i);
            gain.log_gain = std::log(found->seconds / gain.seconds);
            gain.log_gain_error = std::sqrt(std::max(0.0, variance));
        }
    }
    return gains;
}

}  // namespace tuner
