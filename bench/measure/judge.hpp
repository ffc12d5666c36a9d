// SPDX-License-Identifier: MIT
// Which repetitions are valid, and whether a case has enough of them. On rank 0; makes no MPI call.
#pragma once

#include <span>
#include <vector>

#include "measurement_case.hpp"
#include "repetition_time.hpp"

namespace bench {

class Judge {
  public:
    using Times = std::vector<double>;

    struct Starts {
        bool have_windows;
        double tolerance;         // of a window
        bool have_cores = true;   // one for each rank
        std::string remedy = {};  // for starts that are late
    };
    Judge(const Settings& settings, const GroupSpec& group, const Starts& starts, int ranks)
        : settings_(settings), group_(group), starts_(starts), ranks_(static_cast<std::size_t>(ranks)) {}

    void start_afresh(RunningCase& c) const;
    // The members of a pair have windows of one length: a call after a longer pause is slower, and each
    // member follows the other one more often than itself
    void equalize_windows(std::vector<RunningCase>& cases) const;
    // `times` has begin, finish and the pattern's values of all repetitions of rank 0, then those of rank 1
    // ...
    void add(std::span<PlannedRepetition> repetitions, const Times& times,
             std::vector<RunningCase>& cases) const;
    // In a race: those that need no more repetitions have ended
    void race(std::vector<RunningCase>& cases) const;
    // Cases of which nearly no repetition starts in time, where ranks share cores
    void give_up_late(std::vector<RunningCase>& cases) const;
    void widen_windows(std::span<const PlannedRepetition> batch, std::vector<RunningCase>& cases) const;

  private:
    // What the ranks found in a repetition
    struct Found {
        RankTimes times;
        std::vector<Times> values;  // of each rank
    };

    std::size_t width() const { return 2 + group_.pattern->values.size(); }
    Found found_in(const Times& times, std::size_t repetition,
                   std::span<const PlannedRepetition> repetitions) const;
    double common_start(const PlannedRepetition& repetition, const Found& found) const;
    models::Ended own_end(const RunningCase& c) const;
    models::Ended end_of(std::size_t index, const std::vector<RunningCase>& cases) const;
    void add_together(std::span<PlannedRepetition> together, std::span<const Found> found,
                      std::vector<RunningCase>& cases) const;
    void note_start(PlannedRepetition& repetition, const Found& found, RunningCase& c) const;
    void add_valid(const PlannedRepetition& repetition, const Found& found, RunningCase& c) const;

    const Settings& settings_;
    const GroupSpec& group_;
    Starts starts_;
    std::size_t ranks_;
};

}  // namespace bench
