// SPDX-License-Identifier: MIT
// Figures of `check`: does it find a loss, and how often does it alarm without one?
#include <algorithm>

#include "decide.hpp"
#include "figures.hpp"
#include "sentinels.hpp"
#include "simulated_tuning.hpp"

namespace calibration {

namespace {

using tuner::Plan;

// Rules that a check calls stale after the ratio of each has become smaller by `loss`
Count stale_rules(const Options& options, const std::string& noise, const Plan& plan, double loss) {
    const std::vector<tuner::CellKey> cells = cells_of_tuning(plan);
    return counted(std::max<std::size_t>(1, options.tunings / 8), options, [&](std::uint64_t number) {
        constexpr double gain = 0.25;
        SimulatedCluster cluster(one_gains(gain), noise_named(noise),
                                 hashed(hashed(options.seed, "check"), number));
        const Tuning tuning = tuned(cluster, plan, cells);
        tuner::Config config;
        config.rules = tuning.verified.rules;
        cluster.change(one_gains((1 + gain) * (1 - loss) - 1));
        Count stale;
        for (const tuner::Rule& rule : config.rules) {
            stale.add(!check_rule(config, rule, tuning.cells, tuning.verified.proofs,
                                  tuning.verified.variances,
                                  pairs_of(cluster, plan, Purpose::checking, tuning.cells))
                           .stale_reason.empty());
        }
        return stale;
    });
}

}  // namespace

std::vector<Row> check_regression(const Options& options) {
    std::vector<Row> rows;
    for (const std::string noise : {"calibrated", "quiet"}) {
        rows.push_back(row_of("check finds a loss of 10%", noise, "quick",
                              stale_rules(options, noise, tuner::plan_named("quick"), 0.1), at_least(0.8),
                              options));
    }
    return rows;
}

std::vector<Row> check_false_alarm(const Options& options) {
    std::vector<Row> rows;
    for (const std::string noise : {"calibrated", "quiet", "drift"}) {
        rows.push_back(row_of("check alarms without a loss", noise, "quick",
                              stale_rules(options, noise, tuner::plan_named("quick"), 0), at_most(0.01),
                              options));
    }
    return rows;
}

}  // namespace calibration
