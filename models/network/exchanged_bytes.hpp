// SPDX-License-Identifier: MIT
// What two ranks send each other in the same round, which costs more where a link is half duplex.
#pragma once

#include <vector>

#include "schedule.hpp"

namespace models {

// Of each message of a round, in their order: the bytes that its receiver sends back to its sender in the
// same round, at most as many as it receives. 0 for local copies. Keeps its memory from round to round.
class ExchangedBytes {
  public:
    explicit ExchangedBytes(int ranks);
    const std::vector<double>& of(const Round& round);

  private:
    // The messages of each rank as lists: the position of the last one, counted from 1, and of the one before
    struct Lists {
        std::vector<std::size_t> last_of_rank;
        std::vector<std::size_t> one_before;
        void clear(std::size_t messages);
        void add(std::size_t position, int rank);
    };
    void make_lists(const Round& round);

    Lists sent_;
    Lists received_;
    std::vector<std::size_t> bytes_from_;  // each rank; 0 between two uses
    std::vector<double> exchanged_;
};

}  // namespace models
