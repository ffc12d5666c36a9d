// SPDX-License-Identifier: MIT
// The figures: what each of them simulates, and its goal.
#pragma once

#include <functional>

#include "figure.hpp"

namespace calibration {

struct Figure {
    std::string name;
    std::string what;  // in words
    std::function<std::vector<Row>(const Options&)> rows;
};
const std::vector<Figure>& figures();

// Of whole tunings
std::vector<Row> false_rules(const Options& options);
std::vector<Row> small_differences(const Options& options);
std::vector<Row> gain_kept(const Options& options);
std::vector<Row> later_jobs(const Options& options);
std::vector<Row> slow_zone(const Options& options);
std::vector<Row> equal_candidates(const Options& options);

// Of a check
std::vector<Row> check_regression(const Options& options);
std::vector<Row> check_false_alarm(const Options& options);

// Of one interval
std::vector<Row> search_pairs(const Options& options);
std::vector<Row> case_interval(const Options& options);
std::vector<Row> fitted_parameters(const Options& options);

// Of this suite itself
std::vector<Row> noise_fit(const Options& options);

}  // namespace calibration
