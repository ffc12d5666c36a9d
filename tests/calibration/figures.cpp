// SPDX-License-Identifier: MIT
#include "figures.hpp"

namespace calibration {

const std::vector<Figure>& figures() {
    static const std::vector<Figure> all = {
        {"false-rules", "tunings of equal algorithms that emit any rule", false_rules},
        {"small-differences", "tunings with a rule that is slower, if algorithms differ by 3%",
         small_differences},
        {"gain-kept", "cells whose true gain is kept over its range", gain_kept},
        {"later-jobs", "verified intervals that hold the median of 6 later jobs", later_jobs},
        {"search-pairs", "default and the algorithm that it uses, called different in search", search_pairs},
        {"slow-zone", "rules that keep a size where they are 3% slower", slow_zone},
        {"equal-candidates", "rules in each cell if three algorithms are equally good", equal_candidates},
        {"case-interval", "intervals of a case that hold the truth", case_interval},
        {"fitted-parameters", "intervals of fitted parameters that hold the truth", fitted_parameters},
        {"noise-fit", "noise that is fitted to a simulated search, relative to the one it has", noise_fit},
        {"check-regression", "rules that lost 10% and are called stale", check_regression},
        {"check-false-alarm", "rules that lost nothing and are called stale", check_false_alarm},
    };
    return all;
}

}  // namespace calibration
