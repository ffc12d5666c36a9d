// SPDX-License-Identifier: MIT
// Ranks that behave alike: it is enough to look at one of each class.
#pragma once

#include "analysis.hpp"

namespace tuner::trace {

struct RankClass {
    std::vector<int> ranks;             // of the communicator, ascending
    int representative = 0;             // the one that is nearest to the mean of its class
    std::vector<double> stage_seconds;  // mean of its ranks and of the calls, with the rest at the end
};

// By their times in each stage: two ranks are alike if these differ by less than `difference` of the larger
// whole, all stages added up. The largest class first.
std::vector<RankClass> classes_of(const Kind& kind, double difference = 0.2);

}  // namespace tuner::trace
