// SPDX-License-Identifier: MIT
#include "noise.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>

#include "statistics.hpp"

namespace calibration {

namespace {

// What is common to all algorithms of a group is seen in the means of so many repetitions of each
constexpr std::size_t batch = 8;
constexpr double far_out = 5;  // standard deviations

const std::vector<Noise> noises = {
    {.name = "calibrated",
     .repetition_sd = 0.13,
     .autocorrelation = 0.1,
     .outlier_share = 0.03,
     .outlier_mean = 0.8,
     .level_sd = 0.08,
     .level_seconds = 0.3,
     .ratio_of_jobs_sd = 0.024},
    {.name = "quiet",
     .repetition_sd = 0.03,
     .autocorrelation = 0,
     .outlier_share = 0.01,
     .outlier_mean = 0.5,
     .level_sd = 0.005,
     .level_seconds = 0.2,
     .ratio_of_jobs_sd = 0.01},
    {.name = "drift",
     .repetition_sd = 0.13,
     .autocorrelation = 0.1,
     .outlier_share = 0.03,
     .outlier_mean = 0.8,
     .level_sd = 0.2,
     .level_seconds = 1,
     .ratio_of_jobs_sd = 0.024},
};

// Of one case: logarithms relative to their median, outliers cut off
struct Residuals {
    std::vector<double> values;
    double median_seconds;
    double sd;
    double outlier_share;
};

Residuals residuals_of(const std::vector<double>& samples) {
    Residuals result;
    std::transform(samples.begin(), samples.end(), std::back_inserter(result.values),
                   [](double seconds) { return std::log(seconds); });
    const auto median_of = [](std::vector<double> values) {
        std::sort(values.begin(), values.end());
        return models::median(values);
    };
    const double middle = median_of(result.values);
    result.median_seconds = std::exp(middle);
    std::vector<double> distances;
    for (double& value : result.values) {
        value -= middle;
        distances.push_back(std::abs(value));
    }
    result.sd = 1.4826 * median_of(distances);  // of a normal distribution
    const auto outliers = std::count_if(result.values.begin(), result.values.end(),
                                        [&](double value) { return std::abs(value) > far_out * result.sd; });
    result.outlier_share = static_cast<double>(outliers) / static_cast<double>(samples.size());
    for (double& value : result.values) {
        value = std::clamp(value, -3 * result.sd, 3 * result.sd);
    }
    return result;
}

double mean_of_products(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0) / static_cast<double>(a.size());
}

double lag_one(const std::vector<double>& centred) {
    const std::span<const double> all = centred;
    return mean_of_products(all.first(all.size() - 1), all.last(all.size() - 1)) / mean_of_products(all, all);
}

std::vector<double> batch_means(const std::vector<double>& values) {
    std::vector<double> means;
    for (std::size_t i = 0; i + batch <= values.size(); i += batch) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(i);
        means.push_back(std::accumulate(first, first + batch, 0.0) / batch);
    }
    const double mean = models::mean(means);
    std::for_each(means.begin(), means.end(), [&](double& value) { value -= mean; });
    return means;
}

struct Sum {
    double total = 0;
    double count = 0;
    void add(double value) {
        total += value;
        ++count;
    }
    double mean() const { return count > 0 ? total / count : 0; }
};

// How the means of two algorithms of one group vary together: in the same batch, and one batch later
struct Common {
    Sum same_batch;
    Sum next_batch;
    Sum batch_seconds;

    void add(const std::vector<Residuals>& group) {
        double seconds = 0;
        for (const Residuals& one : group) {
            seconds += batch * one.median_seconds;
        }
        for (std::size_t i = 0; i < group.size(); ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                const std::vector<double> a = batch_means(group[i].values);
                const std::vector<double> b = batch_means(group[k].values);
                const std::size_t n = std::min(a.size(), b.size());
                if (n >= 4) {
                    const std::span<const double> first = std::span(a).first(n);
                    const std::span<const double> second = std::span(b).first(n);
                    same_batch.add(mean_of_products(first, second));
                    next_batch.add(mean_of_products(first.first(n - 1), second.last(n - 1)));
                    batch_seconds.add(seconds);
                }
            }
        }
    }
};

}  // namespace

Noise noise_named(const std::string& name) {
    for (const Noise& noise : noises) {
        if (noise.name == name) {
            return noise;
        }
    }
    throw std::invalid_argument("there is no noise '" + name + "'");
}

std::vector<std::string> names_of_noises() {
    std::vector<std::string> names;
    for (const Noise& noise : noises) {
        names.push_back(noise.name);
    }
    return names;
}

Noise noise_of(const tuner::RunData& run) {
    constexpr std::size_t fewest = 15;
    std::map<std::uint64_t, std::vector<Residuals>> groups;
    std::vector<double> sds;
    Sum outliers;
    Sum correlation;
    for (const tuner::CaseRecord& record : run.cases) {
        if (record.stage == tuner::Stage::search && record.samples_seconds.size() >= fewest) {
            const Residuals residuals = residuals_of(record.samples_seconds);
            sds.push_back(residuals.sd);
            outliers.add(residuals.outlier_share);
            correlation.add(lag_one(residuals.values));
            groups[record.group].push_back(residuals);
        }
    }
    Common common;
    for (const auto& [number, group] : groups) {
        common.add(group);
    }
    std::sort(sds.begin(), sds.end());
    Noise noise = noise_named("calibrated");
    noise.name = "recorded";
    noise.outlier_share = outliers.mean();
    const double level = std::max(0.0, common.same_batch.mean());
    const double kept = level > 0 ? std::clamp(common.next_batch.mean() / level, 0.05, 0.95) : 0.5;
    noise.level_sd = std::sqrt(level);
    noise.level_seconds = level > 0 ? -common.batch_seconds.mean() / std::log(kept) : 1;
    // The rest is of single repetitions
    const double all = std::pow(models::median(sds), 2);
    const double rest = std::max(all - level, all / 4);
    const double level_kept = std::pow(kept, 1.0 / batch);  // up to the next repetition of the same algorithm
    noise.repetition_sd = std::sqrt(rest);
    noise.autocorrelation = std::clamp((correlation.mean() * all - level_kept * level) / rest, 0.0, 0.9);
    return noise;
}

std::uint64_t hashed(std::uint64_t seed, std::uint64_t number) {
    std::uint64_t x = seed + 0x9E3779B97F4A7C15u * (number + 1);  // splitmix64 (Steele et al. 2014)
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

std::uint64_t hashed(std::uint64_t seed, std::string_view text) {
    for (const char c : text) {
        seed = hashed(seed, static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    }
    return seed;
}

}  // namespace calibration
