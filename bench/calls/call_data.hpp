// SPDX-License-Identifier: MIT
// The buffers of one rank for the calls of a case, filled with data of which the result is known.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "buffers.hpp"
#include "clock.hpp"
#include "group.hpp"
#include "mock_ups.hpp"

namespace bench {

// The call of a group as a rank sees it. Of several pairs, each rank knows its own. `parameters` must outlive
// the result.
RankCall rank_call(const GroupSpec& group, const std::string& algorithm, int rank, int ranks,
                   std::span<const double> parameters);

// One pair for all algorithms of a group: two calls of the same algorithm differed by 1% because of where
// their buffers were.
struct CallBuffers {
    Buffer send;
    Buffer receive;
    Buffer scratch;  // of mock-ups
};
std::shared_ptr<const CallBuffers> buffers_for(const GroupSpec& group, int rank, int ranks);

class CallData {
  public:
    CallData(const GroupSpec& group, const std::string& algorithm, int rank, int ranks,
             std::shared_ptr<const CallBuffers> buffers);

    void set_root(int root);
    // The result of an earlier call is gone. With values of elements from `first_index` on
    void fill(std::size_t first_index = 0);
    // Returns the time that counts if that is not the whole call; else it is below zero
    double call(MPI_Comm comm, const Clock& clock);
    std::span<const double> values() const { return values_; }  // of the last call
    std::size_t wrong_elements() const;                         // of the result of a call after fill()
    // Adds the places and the bits of all elements of the result
    void digest(std::uint64_t& places, std::uint64_t& bits) const;

  private:
    bool is_in_place() const;

    const Pattern& pattern_;
    const MockUp* mock_up_;  // nullptr: the collective itself
    const Elements& elements_;
    std::vector<double> parameters_;
    RankCall call_;
    bool in_place_;
    std::vector<double> values_;
    std::shared_ptr<const CallBuffers> buffers_;
    std::vector<int> counts_;
    std::vector<int> displacements_;
};

// Of bytes, by Fowler, Noll and Vo (FNV-1a, 64 bits)
inline constexpr std::uint64_t empty_digest = 0xcbf29ce484222325;
std::uint64_t add_to_digest(std::uint64_t digest, const void* bytes, std::size_t count);

// Bytes of memory that a rank needs for a group
std::size_t memory_of(const GroupSpec& group, int ranks);

}  // namespace bench
