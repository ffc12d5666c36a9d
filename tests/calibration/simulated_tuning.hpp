// SPDX-License-Identifier: MIT
// Whole tunings without MPI: the benchmark is simulated (a truth, with noise), what asks it and what decides
// on its answers are the functions of the program itself.
#pragma once

#include <functional>
#include <set>
#include <tuple>

#include "config.hpp"
#include "noise.hpp"
#include "plan.hpp"
#include "search.hpp"
#include "truth.hpp"
#include "verify.hpp"

namespace calibration {

// Jobs of different purposes are different jobs, even if they have the same number
enum class Purpose { search, verification, checking, later };

class SimulatedCluster {
  public:
    SimulatedCluster(TruthPointer truth, Noise noise, std::uint64_t seed);

    // As the benchmark: batches of repetitions in random order, each case until it is precise or at a limit
    std::vector<tuner::CaseRecord> search_group(const tuner::CellKey& cell, const tuner::Question& question,
                                                const tuner::Plan& plan);

    // Pairs in one job, the members of a pair next to each other
    std::vector<tuner::CaseRecord> pairs(const tuner::PairRequest& request, std::size_t count,
                                         Purpose purpose);

    void change(TruthPointer truth) { truth_ = std::move(truth); }
    const Truth& truth() const { return *truth_; }
    const Noise& noise() const { return noise_; }
    // Of all calls so far, those for warm-up and the waits for a common start included
    double benchmark_seconds() const { return benchmark_seconds_; }

  private:
    struct Running;
    // Nothing: it cannot run there
    std::optional<Running> running(const tuner::CellKey& cell, const std::string& algorithm,
                                   std::size_t bytes, std::uint64_t job);
    void warm_up(const Running& one, int calls);
    double job_effect(const tuner::CellKey& cell, const std::string& algorithm, std::size_t bytes,
                      std::uint64_t job) const;
    double repeat(Running& one);
    void start_level();
    static std::size_t batch_of(const Running& one, bool races);
    static std::vector<bool> race_of(const std::vector<Running>& cases, const std::vector<bool>& has_left,
                                     double loss);
    tuner::CaseRecord refused(const tuner::CellKey& cell, const std::string& algorithm,
                              std::size_t bytes) const;
    tuner::CaseRecord record(const tuner::CellKey& cell, const Running& one, std::size_t bytes) const;

    TruthPointer truth_;
    Noise noise_;
    std::uint64_t seed_;
    Random random_;
    std::normal_distribution<double> normal_;
    double level_ = 0;
    double benchmark_seconds_ = 0;
    std::set<std::tuple<std::string, tuner::Layout, std::string>>
        warm_;  // what the jobs of a search have called
};

struct Tuning {
    tuner::Cells cells;
    tuner::Config decided;
    tuner::Verification verified;
};

// The cells: 4 collectives, 2 layouts, 2 networks
std::vector<tuner::CellKey> cells_of_tuning(const tuner::Plan& plan);

// `samples`: gets all that was measured
tuner::Cells searched(SimulatedCluster& cluster, const tuner::Plan& plan,
                      const std::vector<tuner::CellKey>& cells, tuner::RunData* samples = nullptr);
tuner::Config decided(const tuner::Cells& cells, const tuner::Plan& plan);
// The pairs that `verify` and `check` ask for, by what the search measured. All of them must outlive it.
tuner::MeasurePairs pairs_of(SimulatedCluster& cluster, const tuner::Plan& plan, Purpose purpose,
                             const tuner::Cells& cells);

Tuning tuned(SimulatedCluster& cluster, const tuner::Plan& plan, const std::vector<tuner::CellKey>& cells);

}  // namespace calibration
