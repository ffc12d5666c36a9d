// SPDX-License-Identifier: MIT
#include "program_arrivals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace tuner::trace {

namespace {

constexpr double least_width = 0.1;  // less is what ranks that leave a barrier have, too
constexpr double largest_width = 5;  // beyond, no algorithm makes a difference that is seen beside the wait
constexpr double mostly_the_same =
    0.5;  // share of calls; of two ranks, one is last in half of them by chance

struct WeightedWidth {
    double width;
    double seconds;
};

// The width above which half of the time is
double weighted_median(std::vector<WeightedWidth> widths) {
    std::sort(widths.begin(), widths.end(),
              [](const WeightedWidth& a, const WeightedWidth& b) { return a.width < b.width; });
    double left = std::accumulate(widths.begin(), widths.end(), 0.0,
                                  [](double sum, const WeightedWidth& w) { return sum + w.seconds; }) /
                  2;
    for (const WeightedWidth& w : widths) {
        left -= w.seconds;
        if (left <= 0) {
            return w.width;
        }
    }
    return 0;
}

}  // namespace

std::optional<models::Arrival> arrival_of(const Analysis& analysis) {
    std::vector<WeightedWidth> widths;
    double seconds = 0;
    double seconds_one_late = 0;
    for (const Kind& kind : analysis.kinds) {
        if (kind.key.shape.ranks < 2 || kind.key.is_nonblocking) {
            continue;  // nobody waits at the start of a nonblocking call
        }
        const std::vector<std::size_t>& last = kind.arrivals.last;
        const std::size_t most = last.empty() ? 0 : *std::max_element(last.begin(), last.end());
        const double share = static_cast<double>(most) / static_cast<double>(kind.calls.size());
        const bool is_one_late = kind.key.shape.ranks > 2 && share > mostly_the_same;
        for (std::size_t i = 0; i < kind.seconds.size(); ++i) {
            if (kind.seconds[i] > 0) {
                widths.push_back(
                    {(kind.whole_seconds[i] - kind.seconds[i]) / kind.seconds[i], kind.seconds[i]});
                seconds += kind.seconds[i];
                seconds_one_late += is_one_late ? kind.seconds[i] : 0;
            }
        }
    }
    const double width = std::min(weighted_median(std::move(widths)), largest_width);
    if (width < least_width) {
        return std::nullopt;
    }
    return models::parse_arrival(
        fmt::format("{}:{:.2g}", 2 * seconds_one_late > seconds ? "one-late" : "random", width));
}

}  // namespace tuner::trace
