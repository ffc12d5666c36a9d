// SPDX-License-Identifier: MIT
// `changeover distributions`: how the repetitions of each case are distributed. How many take far longer than
// the shortest, a log-normal distribution that describes them, and what the kernel says of those that look
// like a TCP retransmit time-out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "log_normal.hpp"
#include "measured_cases.hpp"
#include "statistics.hpp"
#include "tails.hpp"

namespace tuner {

struct DistributionOptions {
    std::string folder;
    std::string wanted;         // only cases whose name contains it; empty: all
    double outlier_factor = 5;  // times the median: a repetition above it is listed as an outlier
};

struct CaseDistribution {
    CaseKey key;
    models::Tail tail;
    std::optional<models::LogNormal> log_normal;  // none: too few repetitions, or all the same
    models::Histogram histogram;
    std::vector<double> outliers;          // seconds, above the factor
    std::optional<long> kernel_time_outs;  // in the group of the case, which others may share
};

std::vector<CaseDistribution> distributions_of(const DistributionOptions& options);

Json to_json(const std::vector<CaseDistribution>& distributions, double outlier_factor);
std::string to_text(const std::vector<CaseDistribution>& distributions, double outlier_factor);

}  // namespace tuner
