// SPDX-License-Identifier: MIT
// All that lasts for the whole job: communicator, clock, library, placement, settings.
#pragma once

#include <mpi.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "clock_sync.hpp"
#include "library.hpp"
#include "measure.hpp"
#include "network_use.hpp"
#include "placement.hpp"
#include "retransmits.hpp"

namespace bench {

struct SessionOptions {
    std::string clock = "auto";
    std::string sync = "auto";
    std::string command_line;
    std::string host_suffix;       // of the names of the hosts in the network that is measured
    std::size_t memory_limit = 0;  // bytes for each rank; 0: by what the node has
    Settings settings;
};

// What a reader of the results must know of how they were made. On rank 0.
struct Header {
    std::string command_line;
    std::string mpi_library;
    std::string device;               // empty if the library does not say
    std::string tuning_file;          // empty if the library has none
    std::string tuning_file_problem;  // why it cannot be read here
    bool can_switch;
    std::map<std::string, std::map<std::string, int>> algorithm_values;  // by collective
    int ranks;
    Placement placement;
    std::string clock;
    Clock::Quality clock_quality;
    std::string sync;
    int sync_rounds;
    GlobalClock::Residual sync_residual;
    StartMode start;
    double start_tolerance;  // of a window
    std::uint64_t seed;
    Retransmits retransmits;  // before the run
    NetworkUse network;
};

class Session {
  public:
    Session(MPI_Comm comm, const SessionOptions& options);

    const Header& header() const { return header_; }
    int rank() const { return rank_; }
    int ranks() const { return header_.ranks; }
    Library& mpi_library() { return *library_; }
    // Those of a group. Collective where they have not called before
    Caller caller(const models::Communicators& communicators) { return callers_.of(communicators); }

    // Why a group cannot be measured; empty if it can. The same on all ranks.
    std::string problem_with(const GroupSpec& group) const;
    // Collective
    Pair slowest_pair(int first, std::size_t bytes) const;
    // Collective. Re-synchronises the clocks first if that was long ago.
    std::vector<CaseResult> measure(const GroupSpec& group, const Settings& settings);

  private:
    std::string remedy_for_late_starts() const;
    void note_late_starts(const std::vector<CaseResult>& results);

    MPI_Comm comm_;
    int rank_ = 0;
    Clock clock_;
    GlobalClock global_;
    std::unique_ptr<Library> library_;
    Callers callers_;
    Header header_;
    std::size_t memory_ = 0;
    bool may_spin_ = false;
    std::string late_starts_;  // why no case can start at one moment; empty: not known
};

}  // namespace bench
