// SPDX-License-Identifier: MIT
#include "case_result.hpp"

#include <algorithm>

#include "statistics.hpp"

namespace bench {

namespace {

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

}  // namespace bench
