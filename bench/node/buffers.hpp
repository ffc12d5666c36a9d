// SPDX-License-Identifier: MIT
// The memory of a benchmark: page-aligned buffers, touched before anything is timed, checked against what the
// node has.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>

namespace bench {

class Buffer {
  public:
    Buffer() = default;
    explicit Buffer(std::size_t bytes);  // zeroed: every page is there
    void* data() const { return data_.get(); }
    std::size_t size() const { return size_; }

  private:
    struct Free {
        void operator()(void* pointer) const;
    };
    std::unique_ptr<void, Free> data_;
    std::size_t size_ = 0;
};

// What each rank may use, so that all ranks of a node together stay within 3/4 of its available memory.
// Collective: the smallest of all ranks.
std::size_t memory_for_each_rank(int ranks_on_host, MPI_Comm comm);

// Walks through more memory than the last-level cache holds, so that the next call finds its buffers cold.
class CacheFlush {
  public:
    CacheFlush();
    void operator()();
    static std::size_t bytes();  // that one takes

  private:
    Buffer memory_;
};

}  // namespace bench
