// SPDX-License-Identifier: MIT
// Measures a group of cases, the algorithms of one pattern and message size, in one go: repetitions
// alternate (see order.hpp), so that a drift of the machine affects all of them alike.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "callers.hpp"
#include "case_result.hpp"
#include "clock_sync.hpp"
#include "group.hpp"
#include "library.hpp"
#include "reproducible.hpp"
#include "start.hpp"

namespace bench {

struct Settings {
    StartMode start = StartMode::automatic;
    Metric metric = Metric::last_finish;
    double precision = 0.02;
    bool trimmed_mean_rule = false;
    // Above 0, algorithms race: what is significantly slower than the fastest one is not repeated further,
    // and all end when choosing the fastest one is expected to lose less than this fraction
    double race = 0;
    models::Limits limits = {30, 1000, 0.5};
    int warm_up = 6;  // MPICH's shared-memory collectives change after 5 calls
    bool cold_cache = false;
    bool keep_ranks = false;    // the times of all ranks with each sample
    bool check_results = true;  // of the first call; takes longer than the calls if messages are large
    // Of reductions: what another algorithm may not change is refused. Needs checked results
    models::Reproducible reproducible = models::Reproducible::any;
    std::uint64_t seed = 1;
};

class Judge;
struct CallBuffers;
struct RunningCase;
struct PlannedRepetition;

class Measurement {
  public:
    Measurement(MPI_Comm comm, GlobalClock& clock, Library& library, const Settings& settings, bool may_spin);
    // Calls are made by this rank's communicator; those of the other ranks call at the same time
    Measurement(MPI_Comm comm, GlobalClock& clock, const Caller& caller, const Settings& settings,
                bool may_spin);

    // Collective. Finds how punctual the ranks are without any load; returns the tolerated lateness.
    double calibrate() { return start_.calibrate(); }
    // Collective. The group must fit into memory.
    std::vector<CaseResult> run(const GroupSpec& group);
    void set_tolerance(double lateness) { start_.set_tolerance(lateness); }
    void set_remedy_for_late_starts(const std::string& remedy) { remedy_for_late_starts_ = remedy; }
    StartMode start_mode() const { return start_.mode(); }

  private:
    // Begin and finish of repetitions, and after each of them the pattern's values
    using Times = std::vector<double>;

    // before the first repetition: warm_up.cpp
    std::vector<RunningCase> prepare(const GroupSpec& group, const Judge& judge);
    std::optional<std::string> common_refusal(std::optional<std::string> own) const;
    double check_first_call(RunningCase& c, const GroupSpec& group, MPI_Comm comm);
    void check_bits(RunningCase& c, const GroupSpec& group, MPI_Comm comm,
                    const std::shared_ptr<const CallBuffers>& buffers);
    void refuse_other_bits(std::vector<RunningCase>& cases, const GroupSpec& group,
                           const std::shared_ptr<const CallBuffers>& buffers);
    double window_for(RunningCase& c, const GroupSpec& group, MPI_Comm comm, double seconds_of_first);
    double longest_of_ranks(double seconds) const;  // collective
    double arrival_unit(std::vector<RunningCase>& cases, const GroupSpec& group) const;
    double usual_time(RunningCase& c, const GroupSpec& group) const;

    // repetitions: measure.cpp
    std::vector<PlannedRepetition> order_batch(const std::vector<RunningCase>& cases, const GroupSpec& group,
                                               std::mt19937_64& random) const;
    std::vector<PlannedRepetition> plan_batch(std::vector<RunningCase>& cases, const GroupSpec& group,
                                              std::mt19937_64& random);
    void run_batch(const std::vector<PlannedRepetition>& batch, std::vector<RunningCase>& cases,
                   const GroupSpec& group, Times& mine);
    double call_at(RunningCase& c, const GroupSpec& group, const PlannedRepetition& repetition,
                   double& begin);
    void drop_other_algorithms(std::vector<unsigned char>& other_algorithm,
                               std::vector<RunningCase>& cases) const;
    Times times_of_all_ranks(const Times& mine, std::size_t first, std::size_t width);
    void tell(std::vector<RunningCase>& cases);
    std::size_t batch_after(std::size_t repetitions, double window) const;
    double call_in_a_row(RunningCase& c, const GroupSpec& group, MPI_Comm comm) const;
    void flush_cache() const;

    MPI_Comm comm_;
    GlobalClock& clock_;
    Caller caller_;
    Library& library_;
    Settings settings_;
    CommonStart start_;
    bool have_cores_;  // one for each rank
    std::string remedy_for_late_starts_ = "use --start barrier";
    int rank_ = 0;
    int ranks_ = 0;
};

}  // namespace bench
