// SPDX-License-Identifier: MIT
// Ranks that stand for all that do the same in a schedule: costs follow only these.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace models {

class Representatives {
  public:
    // `ranks_of_each`: how many ranks each of them stands for, itself included
    Representatives(std::vector<int> of_ranks, int ranks_of_each)
        : of_ranks_(std::move(of_ranks)), ranks_of_each_(ranks_of_each) {}
    int of(int rank) const { return of_ranks_[static_cast<std::size_t>(rank)]; }
    bool is_one(int rank) const { return of(rank) == rank; }
    int ranks_of_each() const { return ranks_of_each_; }

  private:
    std::vector<int> of_ranks_;
    int ranks_of_each_;
};

}  // namespace models
