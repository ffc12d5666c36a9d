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

#include "case_result.hpp"
#include "clock_sync.hpp"
#include "group.hpp"
#include "library.hpp"
#include "start.hpp"

namespace bench {

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

class Measurement {
  public:
    Measurement(MPI_Comm comm, GlobalClock& clock, Library& library, const Settings& settings, bool may_spin);

    // Collective. Finds how punctual the ranks are without any load; returns the tolerated lateness.
    double calibrate() { return start_.calibrate(); }
    // Collective. The group must fit into memory.
    std::vector<CaseResult> run(const GroupSpec& group);
    void set_tolerance(double lateness) { start_.set_tolerance(lateness); }
    StartMode start_mode() const { return start_.mode(); }

  private:
    struct Case;
    struct Item;

    // Begin and finish of repetitions, and after each of them the pattern's values
    using Times = std::vector<double>;

    // before the first repetition: warm_up.cpp
    std::vector<Case> prepare(const GroupSpec& group);
    void check_first_call(Case& c, const GroupSpec& group, MPI_Comm comm);
    double window_for(Case& c, MPI_Comm comm);

    // repetitions: measure.cpp
    std::vector<Item> plan_batch(std::vector<Case>& cases, const GroupSpec& group, std::mt19937_64& random);
    void run_batch(const std::vector<Item>& batch, std::vector<Case>& cases, const GroupSpec& group,
                   Times& mine);
    double call_at(Case& c, const GroupSpec& group, const Item& item, double& begin);
    void drop_other_algorithms(std::vector<unsigned char>& other_algorithm, std::vector<Case>& cases) const;
    Times times_of_all_ranks(const Times& mine, std::size_t first, std::size_t width);
    void tell(std::vector<Case>& cases);
    void flush_cache() const;

    // on rank 0, whether they are valid and enough: judge.cpp
    void judge(std::span<Item> items, const Times& times, std::vector<Case>& cases,
               const GroupSpec& group) const;
    void judge(Item& item, std::span<const Times> of_ranks, Case& c, const GroupSpec& group) const;
    void note_end(Case& c) const;
    void start_afresh(Case& c) const;
    void widen_windows(std::span<const Item> batch, std::vector<Case>& cases) const;

    MPI_Comm comm_;
    GlobalClock& clock_;
    Library& library_;
    Settings settings_;
    CommonStart start_;
    int rank_ = 0;
    int ranks_ = 0;
};

}  // namespace bench
