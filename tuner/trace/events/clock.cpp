// SPDX-License-Identifier: MIT
#include "clock.hpp"

#include <algorithm>
#include <cmath>

namespace tuner::trace {

RankClock::RankClock(std::span<const FileSync> syncs, bool is_rank_0) {
    std::vector<FileSync> sorted;
    for (const FileSync& sync : syncs) {
        if (is_possible_time(sync.local_ns) && is_possible_time(sync.offset_ns) &&
            is_possible_time(sync.error_ns)) {
            sorted.push_back(sync);
        }
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const FileSync& a, const FileSync& b) { return a.local_ns < b.local_ns; });
    sorted.erase(std::unique(sorted.begin(), sorted.end(),
                             [](const FileSync& a, const FileSync& b) { return a.local_ns == b.local_ns; }),
                 sorted.end());
    is_known_ = is_rank_0 || !sorted.empty();
    if (is_rank_0) {
        return;
    }
    for (const FileSync& sync : sorted) {
        error_ns_ = std::max(error_ns_, std::abs(sync.error_ns));
    }
    const auto slope = [](const FileSync& a, const FileSync& b) {
        return static_cast<double>(b.offset_ns - a.offset_ns) / static_cast<double>(b.local_ns - a.local_ns);
    };
    if (sorted.empty()) {
        return;
    }
    const FileSync& first = sorted.front();
    const FileSync& last = sorted.back();
    const double mean_slope = sorted.size() > 1 ? slope(first, last) : 0;
    pieces_.push_back({first.local_ns, static_cast<double>(first.offset_ns), mean_slope});  // also before it
    for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
        pieces_.push_back(
            {sorted[i].local_ns, static_cast<double>(sorted[i].offset_ns), slope(sorted[i], sorted[i + 1])});
    }
    pieces_.push_back({last.local_ns, static_cast<double>(last.offset_ns), mean_slope});
}

std::int64_t RankClock::aligned(std::int64_t local_ns) const {
    if (pieces_.empty()) {
        return local_ns;
    }
    auto piece = std::upper_bound(pieces_.begin() + 1, pieces_.end(), local_ns,
                                  [](std::int64_t ns, const Piece& p) { return ns < p.from_ns; });
    --piece;
    const double offset = piece->offset_ns + piece->slope * static_cast<double>(local_ns - piece->from_ns);
    // two records of damaged files can make any slope
    constexpr auto limit = static_cast<double>(most_ns);
    return local_ns + static_cast<std::int64_t>(std::llround(std::clamp(offset, -limit, limit)));
}

}  // namespace tuner::trace
