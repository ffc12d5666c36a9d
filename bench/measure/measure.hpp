// SPDX-License-Identifier: MIT
// Measures a group of cases, the algorithms of one pattern and message size, in one go: repetitions
// alternate in random order, so that a drift of the machine hits all of them alike.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "clock_sync.hpp"
#include "elements.hpp"
#include "library.hpp"
#include "pairs.hpp"
#include "retransmits.hpp"
#include "stopping.hpp"

namespace bench {

enum class StartMode {
    automatic,     // window, or dissemination if ranks have to wait for a core
    window,        // all ranks at one moment of the global clock
    barrier,       // after the library's MPI_Barrier
    dissemination  // after a dissemination barrier of our own
};

struct GroupSpec {
    const Pattern* pattern;
    std::size_t bytes;  // message size, as the pattern defines it
    std::vector<std::string> algorithms;
    const Elements* elements;
    int root = 0;
    bool rotate_root = false;
    bool in_place = false;
    // of an exchange
    std::vector<Pair> pairs = {};         // all at once; of patterns that have pairs, at least one
    std::string link = {};                // of the pairs: within or between nodes, or mixed
    std::vector<double> parameters = {};  // as its pattern lists them
    int ranks = 0;
};

struct Settings {
    StartMode start = StartMode::automatic;
    Metric metric = Metric::last_finish;
    double precision = 0.02;
    bool trimmed_mean_rule = false;
    models::Limits limits = {30, 1000, 0.5};
    int warm_up = 6;  // MPICH's shared-memory collectives change after 5 calls
    bool cold_cache = false;
    bool keep_ranks = false;  // the times of all ranks with each sample
    std::uint64_t seed = 1;
};

struct Repetition {
    double seconds;
    std::vector<double> start_of_rank;  // since the common start, if kept
    std::vector<double> finish_of_rank;
    std::vector<double> values;  // as the pattern lists them
};

enum class Status { measured, refused, wrong_result, wrong_algorithm };

// The outcome of one case. On rank 0; elsewhere empty.
struct CaseResult {
    std::string algorithm;
    Status status = Status::measured;
    std::string reason;          // of any other status
    std::string used_algorithm;  // by the library's own word; empty if it cannot say
    std::vector<Repetition> repetitions;
    long invalid = 0;  // repetitions that a rank started late
    models::Ended ended = models::Ended::not_yet;
    double precision = 0;
    double seconds = 0;       // spent on it
    Retransmits retransmits;  // on all nodes while its group was measured
};

class Measurement {
  public:
    Measurement(MPI_Comm comm, GlobalClock& clock, Library& library, const Settings& settings, bool may_spin);

    // Collective. Finds how punctual the ranks are without any load; returns the tolerated lateness.
    double calibrate();
    // Collective. The group must fit into memory.
    std::vector<CaseResult> run(const GroupSpec& group);
    void set_tolerance(double lateness) { tolerance_ = lateness; }
    StartMode start_mode() const { return settings_.start; }

  private:
    struct Case;
    struct Item;

    // Begin and finish of repetitions, and after each of them the pattern's values
    using Times = std::vector<double>;

    std::vector<Case> prepare(const GroupSpec& group);
    void start_afresh(Case& c) const;
    std::vector<Item> plan_batch(std::vector<Case>& cases, const GroupSpec& group, std::mt19937_64& random);
    void run_batch(const std::vector<Item>& batch, std::vector<Case>& cases, const GroupSpec& group,
                   Times& mine);
    Times times_of_all_ranks(const Times& mine, std::size_t first, std::size_t width);
    void judge(std::span<Item> items, const Times& times, std::vector<Case>& cases,
               const GroupSpec& group) const;
    void widen_windows(std::span<const Item> batch, std::vector<Case>& cases) const;
    void tell(std::vector<Case>& cases);
    void warm_up(Case& c, const GroupSpec& group);
    void flush_cache() const;
    void start_barrier() const;
    double call_at(Case& c, const GroupSpec& group, const Item& item, double& begin);

    MPI_Comm comm_;
    GlobalClock& clock_;
    Library& library_;
    Settings settings_;
    bool may_spin_;
    int rank_ = 0;
    int ranks_ = 0;
    double tolerance_ = 0;
};

// Bytes of memory that a rank needs for a group
std::size_t memory_of(const GroupSpec& group, int ranks);

const char* to_string(Status status);
const char* to_string(StartMode start);

}  // namespace bench
