// SPDX-License-Identifier: MIT
#include "repetition_time.hpp"

#include <algorithm>
#include <numeric>

namespace bench {

namespace {

// What two ranks took, by a metric of pairs
double time_of_pair(Metric metric, const Pair& pair, const RankTimes& times) {
    const auto root = static_cast<std::size_t>(pair.root);
    return metric == Metric::arrival ? times.finish[static_cast<std::size_t>(pair.peer)] - times.finish[root]
                                     : times.finish[root] - times.begin[root];
}

std::vector<double> sorted_durations(const RankTimes& times) {
    std::vector<double> durations(times.begin.size());
    std::transform(times.finish.begin(), times.finish.end(), times.begin.begin(), durations.begin(),
                   std::minus<>());
    std::sort(durations.begin(), durations.end());
    return durations;
}

}  // namespace

double RankTimes::first_start() const {
    double first = begin.front() - delay.front();
    for (std::size_t r = 1; r < begin.size(); ++r) {
        first = std::min(first, begin[r] - delay[r]);
    }
    return first;
}

double RankTimes::last_start() const {
    double last = begin.front() - delay.front();
    for (std::size_t r = 1; r < begin.size(); ++r) {
        last = std::max(last, begin[r] - delay[r]);
    }
    return last;
}

double RankTimes::first_begin() const {
    return *std::min_element(begin.begin(), begin.end());
}

double RankTimes::last_finish() const {
    return *std::max_element(finish.begin(), finish.end());
}

double RankTimes::largest_delay() const {
    return *std::max_element(delay.begin(), delay.end());
}

double RankTimes::waiting_since(double start) const {
    double waiting = 0;
    for (std::size_t r = 0; r < finish.size(); ++r) {
        waiting += finish[r] - (start + delay[r]);
    }
    return waiting;
}

Pair slowest_pair(Metric metric, const std::vector<Pair>& pairs, const RankTimes& times, int root) {
    if (pairs.empty()) {
        return {root, -1};
    }
    return *std::max_element(pairs.begin(), pairs.end(), [&](const Pair& a, const Pair& b) {
        return time_of_pair(metric, a, times) < time_of_pair(metric, b, times);
    });
}

double time_of(Metric metric, const RankTimes& times, double start, const Pair& slowest) {
    const std::vector<double> durations = sorted_durations(times);
    switch (metric) {
        case Metric::root:
        case Metric::arrival:
            return time_of_pair(metric, slowest, times);
        case Metric::mean:
            return std::accumulate(durations.begin(), durations.end(), 0.0) /
                   static_cast<double>(durations.size());
        case Metric::median:
            return durations[durations.size() / 2];
        case Metric::min:
            return durations.front();
        case Metric::max:
            return durations.back();
        case Metric::span:
            return times.last_finish() - times.first_begin();
        default:
            return times.last_finish() - (start + times.largest_delay());
    }
}

}  // namespace bench
