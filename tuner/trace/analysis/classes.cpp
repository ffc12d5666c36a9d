// SPDX-License-Identifier: MIT
#include "classes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tuner::trace {

namespace {

double distance(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += std::abs(a[i] - b[i]);
    }
    return sum;
}

double total(const std::vector<double>& times) {
    return std::accumulate(times.begin(), times.end(), 0.0);
}

}  // namespace

std::vector<RankClass> classes_of(const Kind& kind, double difference) {
    std::vector<RankClass> classes;
    for (std::size_t rank = 0; rank < kind.stage_seconds.size(); ++rank) {
        const std::vector<double>& times = kind.stage_seconds[rank];
        const auto is_like = [&](const RankClass& known) {
            const std::vector<double>& first =
                kind.stage_seconds[static_cast<std::size_t>(known.ranks.front())];
            return distance(times, first) <= difference * std::max(total(times), total(first));
        };
        const auto found = std::find_if(classes.begin(), classes.end(), is_like);
        RankClass& of = found == classes.end() ? classes.emplace_back() : *found;
        of.ranks.push_back(static_cast<int>(rank));
    }
    const auto calls = static_cast<double>(kind.typical_calls);
    for (RankClass& of : classes) {
        of.stage_seconds.assign(kind.stage_seconds.front().size(), 0);
        for (const int rank : of.ranks) {
            for (std::size_t stage = 0; stage < of.stage_seconds.size(); ++stage) {
                of.stage_seconds[stage] += kind.stage_seconds[static_cast<std::size_t>(rank)][stage] /
                                           static_cast<double>(of.ranks.size());
            }
        }
        of.representative = *std::min_element(of.ranks.begin(), of.ranks.end(), [&](int a, int b) {
            return distance(kind.stage_seconds[static_cast<std::size_t>(a)], of.stage_seconds) <
                   distance(kind.stage_seconds[static_cast<std::size_t>(b)], of.stage_seconds);
        });
        for (double& seconds : of.stage_seconds) {
            seconds /= calls;
        }
    }
    std::stable_sort(classes.begin(), classes.end(),
                     [](const RankClass& a, const RankClass& b) { return a.ranks.size() > b.ranks.size(); });
    return classes;
}

}  // namespace tuner::trace
