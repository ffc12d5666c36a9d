// SPDX-License-Identifier: MIT
#include "across_jobs.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "autocorrelation.hpp"
#include "student.hpp"

namespace models {

namespace {

constexpr double trimmed_share = 0.2;
constexpr double usual_deviation = 0.024;  // of a ratio between jobs, on machines that were looked at
constexpr double usual_degrees = 4;        // that count for it
constexpr double most_pooled_degrees = 16;

std::vector<double> log_ratios(std::span<const double> a, std::span<const double> b) {
    if (a.size() != b.size() || a.size() < 2) {
        throw std::invalid_argument(
            "ratio in a job: two sequences of the same length are needed, of 2 or more");
    }
    std::vector<double> logs(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!(a[i] > 0) || !(b[i] > 0)) {
            throw std::invalid_argument("ratio in a job: all times must be above zero");
        }
        logs[i] = std::log(a[i] / b[i]);
    }
    return logs;
}

std::size_t trimmed_at_each_end(std::size_t count) {
    return static_cast<std::size_t>(trimmed_share * static_cast<double>(count));
}

// Changes what is cut off
JobRatio trimmed(std::vector<double>& sorted) {
    const std::size_t n = sorted.size();
    const std::size_t cut = trimmed_at_each_end(n);
    const double center = mean(std::span(sorted).subspan(cut, n - 2 * cut));
    // the variance of the mean that is left: that of all, with the ends moved to the last ones that count
    for (std::size_t i = 0; i < cut; ++i) {
        sorted[i] = sorted[cut];
        sorted[n - 1 - i] = sorted[n - 1 - cut];
    }
    const double left = static_cast<double>(n - 2 * cut) / static_cast<double>(n);
    const double deviation = standard_deviation(sorted) / left;
    return {center, deviation * deviation / static_cast<double>(n)};
}

}  // namespace

JobRatio ratio_in_job(std::span<const double> a, std::span<const double> b) {
    std::vector<double> logs = log_ratios(a, b);
    std::sort(logs.begin(), logs.end());
    return trimmed(logs);
}

LogMean log_mean_in_job(std::span<const double> values) {
    std::vector<double> logs(values.size());
    std::transform(values.begin(), values.end(), logs.begin(), [](double value) { return std::log(value); });
    std::vector<double> sorted = logs;
    std::sort(sorted.begin(), sorted.end());
    const double inflation = variance_inflation(logs, sorted);
    const JobRatio mean = trimmed(sorted);
    const double left = static_cast<double>(logs.size() - 2 * trimmed_at_each_end(logs.size()));
    return {mean.log_ratio, std::max(1.0, inflation) * mean.variance, left - 1, values.size(),
            mean.variance * static_cast<double>(values.size())};
}

double usual_variance(std::span<const LogMean> means) {
    constexpr std::size_t enough = 6;
    std::vector<double> variances;
    for (const LogMean& mean : means) {
        // the median of a variance with so many degrees of freedom is below its mean (Wilson and Hilferty)
        const double below = std::pow(1 - 2 / (9 * mean.degrees_of_freedom), 3);
        variances.push_back(mean.of_one / below);
    }
    std::sort(variances.begin(), variances.end());
    return variances.size() < enough ? 0 : median(variances);  // of all: outliers make some of them huge
}

Ratio with_interval(const LogMean& mean, double confidence, double usual_variance) {
    constexpr double degrees_of_support = 8;
    double variance = mean.variance;
    double degrees = mean.degrees_of_freedom;
    if (mean.repetitions < few_repetitions && usual_variance > 0) {
        const double usual = usual_variance / static_cast<double>(mean.repetitions);
        variance = (degrees * variance + degrees_of_support * usual) / (degrees + degrees_of_support);
        degrees += degrees_of_support;
    }
    const double reach = student_quantile((1 - confidence) / 2, degrees) * std::sqrt(variance);
    return {std::exp(mean.mean), {std::exp(mean.mean - reach), std::exp(mean.mean + reach)}};
}

JobRatio mean_of(std::span<const JobRatio> sizes) {
    JobRatio sum;
    for (const JobRatio& size : sizes) {
        sum.log_ratio += size.log_ratio;
        sum.variance += size.variance;
    }
    const auto n = static_cast<double>(sizes.size());
    return {sum.log_ratio / n, sum.variance / (n * n)};
}

void BetweenJobs::add(std::span<const JobRatio> jobs) {
    if (jobs.size() < 2) {
        return;
    }
    const auto degrees = static_cast<double>(jobs.size() - 1);
    const JobRatio all = mean_of(jobs);
    const double explained = all.variance * static_cast<double>(jobs.size());  // mean variance of a job
    for (const JobRatio& job : jobs) {
        excess_ += (job.log_ratio - all.log_ratio) * (job.log_ratio - all.log_ratio);
    }
    excess_ -= degrees * explained;
    degrees_ += degrees;
}

JobVariance BetweenJobs::variance() const {
    const double usual = usual_degrees * usual_deviation * usual_deviation;
    const double degrees = usual_degrees + degrees_;
    return {(usual + std::max(0.0, excess_)) / degrees, degrees};
}

double AcrossJobs::bound(double upper_tail) const {
    return log_ratio + student_quantile(upper_tail, degrees_of_freedom) * standard_error;
}

double AcrossJobs::p_not_above(double other) const {
    return student_upper_tail((log_ratio - other) / standard_error, degrees_of_freedom);
}

Interval AcrossJobs::interval(double confidence) const {
    const double tail = (1 - confidence) / 2;
    return {std::exp(bound(1 - tail)), std::exp(bound(tail))};
}

AcrossJobs across_jobs(std::span<const JobRatio> jobs, const JobVariance& between_jobs) {
    if (jobs.empty()) {
        throw std::invalid_argument("across jobs: at least one job is needed");
    }
    const auto n = static_cast<double>(jobs.size());
    const JobRatio all = mean_of(jobs);
    AcrossJobs result;
    result.log_ratio = result.lowest_job = all.log_ratio;
    result.jobs = jobs.size();
    const double pooled_degrees = std::min(most_pooled_degrees, between_jobs.degrees_of_freedom);
    double squares = pooled_degrees * (between_jobs.variance + all.variance * n);
    for (const JobRatio& job : jobs) {
        squares += (job.log_ratio - all.log_ratio) * (job.log_ratio - all.log_ratio);
        result.lowest_job = std::min(result.lowest_job, job.log_ratio);
    }
    const double weights = pooled_degrees + n - 1;
    result.degrees_of_freedom = std::max(pooled_degrees, n - 1);  // the pool has these jobs, too
    // pairs that are all alike still leave the clock's resolution
    result.standard_error = std::max(1e-9, std::sqrt(squares / weights / n));
    return result;
}

}  // namespace models
