// SPDX-License-Identifier: MIT
// The buffers of one rank for the calls of a case, filled with data of which the result is known.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "buffers.hpp"
#include "clock.hpp"
#include "group.hpp"

namespace bench {

// The call of a group as a rank sees it. Of several pairs, each rank knows its own. `parameters` must outlive
// the result.
RankCall rank_call(const GroupSpec& group, const std::string& algorithm, int rank, int ranks,
                   std::span<const double> parameters);

class CallData {
  public:
    CallData(const GroupSpec& group, const std::string& algorithm, int rank, int ranks);

    void set_root(int root);
    void fill();
    // Returns the time that counts if that is not the whole call; else it is below zero
    double call(MPI_Comm comm, const Clock& clock);
    std::span<const double> values() const { return values_; }  // of the last call
    std::size_t wrong_elements() const;                         // of the result of a call after fill()

  private:
    bool is_in_place() const;
    std::size_t most_elements(std::size_t (*elements_of)(const RankCall&)) const;

    const Pattern& pattern_;
    const Elements& elements_;
    std::vector<double> parameters_;
    RankCall call_;
    bool in_place_;
    std::vector<double> values_;
    Buffer send_;
    Buffer receive_;
    std::vector<int> counts_;
    std::vector<int> displacements_;
};

// Bytes of memory that a rank needs for a group
std::size_t memory_of(const GroupSpec& group, int ranks);

}  // namespace bench
