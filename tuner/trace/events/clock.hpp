// SPDX-License-Identifier: MIT
// One clock for all ranks: that of rank 0. Between the synchronisation records of a rank its offset is
// interpolated; before the first and after the last one, the line through both goes on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "format.hpp"

namespace tuner::trace {

// Times beyond are damage; differences of two within never overflow.
inline constexpr std::int64_t most_ns = std::int64_t{1} << 60;
inline bool is_possible_time(std::int64_t ns) {
    return ns > -most_ns && ns < most_ns;
}

class RankClock {
  public:
    RankClock(std::span<const FileSync> syncs, bool is_rank_0);

    std::int64_t aligned(std::int64_t local_ns) const;
    bool is_known() const { return is_known_; }          // else its own clock is taken as it is
    std::int64_t error_ns() const { return error_ns_; }  // the largest of its records

  private:
    struct Piece {
        std::int64_t from_ns;  // local
        double offset_ns;      // there
        double slope;
    };
    std::vector<Piece> pieces_;
    std::int64_t error_ns_ = 0;
    bool is_known_ = true;
};

}  // namespace tuner::trace
