// SPDX-License-Identifier: MIT
// Measures knobs in jobs that read the emitted rules, without a setting and with it, in turns. First all
// values of a variable; then the best one again, in jobs of its own, which decide.
#pragma once

#include <map>

#include "knobs.hpp"
#include "progress.hpp"

namespace tuner {

struct KnobResult {
    std::string network;
    std::string variable;
    std::string value;  // the best one
    std::vector<KnobCell> cells;
    std::map<std::string, std::string> failed;  // values with which no job started, or a case failed: why
    bool is_proven = false;                     // else no value was faster in the first rounds
    KnobJudgement judgement() const { return judge_knob(cells, min_gain); }
    double min_gain = 0;
};

std::vector<KnobResult> measure_knobs(OpenRun& run, Progress& progress, const Config& config,
                                      const std::vector<PlannedKnob>& knobs);

std::vector<Knob> proven_knobs(const std::vector<KnobResult>& results);
std::string to_text(const std::vector<KnobResult>& results);

}  // namespace tuner
