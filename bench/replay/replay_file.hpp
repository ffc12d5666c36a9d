// SPDX-License-Identifier: MIT
// Reads a recorded program, as `changeover trace --replay` writes it (tuner/docs/replay.md has the format).
// What is wrong with it is found before anything is repeated: std::invalid_argument with the file, the line
// and a remedy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

// Calls of one collective with the same arguments
struct ReplayCall {
    std::string collective;  // as recorded: iallreduce, too
    bool is_nonblocking;
    std::size_t communicator;
    std::size_t bytes;  // message size
    int root;
    std::size_t number;
    double recorded_seconds;  // of all ranks

    std::string blocking_name() const { return is_nonblocking ? collective.substr(1) : collective; }
};

struct ReplayProgram {
    int ranks;
    std::vector<int> node_of_rank;                // -1: not known
    double recorded_seconds;                      // from the first call to the end of the last one
    std::vector<std::vector<int>> communicators;  // ranks in MPI_COMM_WORLD
    std::vector<ReplayCall> calls;
    std::vector<std::string> approximated;
    std::vector<std::string> omitted;
};

struct ReplayStep {
    double compute_seconds;
    std::size_t number;  // in ReplayProgram::calls; of a wait: which start of the rank it is for
    bool is_wait;
};

class ReplayFile {
  public:
    ReplayFile(std::string text, std::string name);
    ReplayFile(const ReplayFile&) = delete;
    ReplayFile& operator=(const ReplayFile&) = delete;

    const std::string& name() const { return name_; }
    ReplayProgram program() const;
    std::vector<ReplayStep> steps(const ReplayProgram& program, int rank) const;
    // Reads the steps of all ranks. They must fit together: the same calls on all members of a communicator,
    // in the same order; otherwise the replay would wait for ever.
    void check(const ReplayProgram& program) const;

  private:
    template <class Read>
    auto read_line(std::size_t number, const Read& read) const;
    [[noreturn]] void fail(std::size_t line, const std::string& cause) const;

    std::string text_;
    std::string name_;
    std::vector<std::string_view> lines_;
};

// The size of the elements that a message of so many bytes is sent in: 8, 4 or 1
std::size_t replay_element_bytes(std::size_t bytes);

}  // namespace bench
