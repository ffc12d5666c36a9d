// SPDX-License-Identifier: MIT
// Figures of single intervals: of a case, of two cases side by side, and of fitted parameters.
#include <cmath>

#include "figures.hpp"
#include "prediction.hpp"
#include "simulated_tuning.hpp"

namespace calibration {

namespace {

using tuner::Cells;
using tuner::CellTime;
using tuner::Plan;
using tuner::Times;

// Beyond the interval that `decide` leaves the default for
bool is_called_different(const CellTime& time) {
    return time.gain && (time.gain->interval.low > 1 || time.gain->interval.high < 1);
}

// The default against the algorithm that it uses itself: the same, whatever the times say
Count called_different(const Cells& cells) {
    Count count;
    for (const auto& [key, cell] : cells) {
        for (const auto& [bytes, times] : cell.times) {
            const auto by_default = times.find(tuner::default_algorithm);
            if (by_default != times.end()) {
                const auto used = times.find(by_default->second.used);
                if (used != times.end() && used != by_default) {
                    count.add(is_called_different(used->second));
                }
            }
        }
    }
    return count;
}

// Repetitions that are like their neighbours, in the search; the truth is known
Count intervals_with_truth(const Options& options, const Noise& noise, const Plan& plan) {
    const std::vector<tuner::CellKey> one_cell = {cells_of_tuning(plan).front()};
    return counted(options.tunings, options, [&](std::uint64_t number) {
        const TruthPointer truth = all_equal();
        SimulatedCluster cluster(truth, noise, hashed(hashed(options.seed, "case"), number));
        Count held;
        for (const auto& [key, cell] : searched(cluster, plan, one_cell)) {
            for (const auto& [bytes, times] : cell.times) {
                for (const auto& [name, time] : times) {
                    const double seconds = truth->seconds(key, time.used, bytes).value();
                    held.add(time.time.interval.low <= seconds && seconds <= time.time.interval.high);
                }
            }
        }
        return held;
    });
}

const std::string fitted_network = "ethernet";

models::Parameters known_parameters() {
    models::Parameters parameters;
    parameters.at("between.latency") = 80e-6;
    parameters.at("between.byte") = 80e-9;
    parameters.at("within.latency") = 5e-6;
    parameters.at("within.byte") = 1e-9;
    return parameters;
}

void add_times(Cells& cells, const tuner::Layout& layout, Random& random) {
    constexpr double of_algorithm = 0.1;  // how far the model is off, by algorithm and layout
    constexpr double of_size = 0.03;
    const models::Parameters parameters = known_parameters();
    std::normal_distribution<double> normal;
    models::CostTable table(models::RankPlacement(layout.nodes, layout.ppn));
    for (const models::Algorithm& algorithm : models::algorithms(models::Implementation::mpich)) {
        const bool is_wanted = algorithm.collective == "bcast" || algorithm.collective == "allgather" ||
                               algorithm.collective == "alltoall";
        const double off = of_algorithm * normal(random);
        for (std::size_t bytes = 8; is_wanted && bytes <= 1 << 20; bytes *= 8) {
            const models::Call call{&table.layout(), bytes};
            if (models::is_allowed(algorithm, call)) {
                const double seconds =
                    std::exp(off + of_size * normal(random)) * table.seconds(algorithm, call, parameters);
                CellTime time;
                time.time = {bytes, seconds, {0.99 * seconds, 1.01 * seconds}};
                time.used = algorithm.name;
                cells[{fitted_network, layout, std::string(algorithm.collective), ""}].times[bytes].emplace(
                    algorithm.name, time);
            }
        }
    }
}

Count parameters_that_hold(std::uint64_t seed) {
    Random random(seed);
    Cells cells;
    for (const tuner::Layout& layout : {tuner::Layout{8, 1}, tuner::Layout{4, 2}, tuner::Layout{2, 4}}) {
        add_times(cells, layout, random);
    }
    Count held;
    const auto prediction = tuner::Prediction::of(cells, fitted_network);
    models::Parameters truth = known_parameters();
    for (const models::FittedParameter& parameter : prediction->fit().fit.parameters) {
        const double value = truth.at(parameter.name);
        if (value > 0) {
            held.add(parameter.interval.low <= value && value <= parameter.interval.high);
        }
    }
    return held;
}

}  // namespace

std::vector<Row> search_pairs(const Options& options) {
    std::vector<Row> rows;
    const tuner::RunData recorded = tuner::load_run(options.recorded);
    const std::string figure = "A/A pairs called different";
    rows.push_back(row_of(figure, "recorded run", "",
                          called_different(cells_of(recorded, tuner::Stage::search)), at_most(0.03),
                          options));
    const Plan plan = tuner::plan_named("quick");
    std::vector<Noise> noises = {noise_of(recorded)};
    for (const std::string& name : names_of_noises()) {
        noises.push_back(noise_named(name));
    }
    const std::vector<tuner::CellKey> cells = cells_of_tuning(plan);
    for (const Noise& noise : noises) {
        const Count count =
            counted(std::max<std::size_t>(1, options.tunings / 8), options, [&](std::uint64_t number) {
                SimulatedCluster cluster(all_equal(), noise, hashed(hashed(options.seed, "pairs"), number));
                return called_different(searched(cluster, plan, cells));
            });
        rows.push_back(row_of(figure, noise.name, plan.name, count, at_most(0.03), options));
    }
    return rows;
}

std::vector<Row> case_interval(const Options& options) {
    Noise noise = {.name = "autocorrelation 0.5", .repetition_sd = 0.13, .autocorrelation = 0.5};
    noise.level_seconds = 1;
    std::vector<Row> rows;
    for (const char* name : {"quick", "standard", "full"}) {
        rows.push_back(row_of("interval of a case holds", noise.name, name,
                              intervals_with_truth(options, noise, tuner::plan_named(name)), {0.92, 0.97},
                              options));
    }
    return rows;
}

std::vector<Row> fitted_parameters(const Options& options) {
    const Count count = counted(options.tunings, options, [&](std::uint64_t number) {
        return parameters_that_hold(hashed(hashed(options.seed, "fit"), number));
    });
    return {row_of("interval of a parameter holds", "one sign", "", count, {0.9, 0.97}, options)};
}

std::vector<Row> noise_fit(const Options& options) {
    const Noise truth = noise_named("calibrated");
    tuner::Plan plan = tuner::plan_named("quick");
    plan.race = false;  // the level is seen in many repetitions of all algorithms
    const auto fitted =
        simulated(std::max<std::size_t>(4, options.tunings / 20), options, [&](std::uint64_t n) {
            SimulatedCluster cluster(all_equal(), truth, hashed(hashed(options.seed, "noise"), n));
            tuner::RunData run;
            searched(cluster, plan, cells_of_tuning(plan), &run);
            return noise_of(run);
        });
    std::vector<double> repetitions;
    std::vector<double> levels;
    for (const Noise& noise : fitted) {
        repetitions.push_back(noise.repetition_sd / truth.repetition_sd);
        levels.push_back(noise.level_sd / truth.level_sd);
    }
    return {row_of("fitted noise: repetitions", truth.name, plan.name, repetitions, {0.9, 1.2}, options),
            row_of("fitted noise: level", truth.name, plan.name, levels, {0.7, 1.2}, options)};
}

}  // namespace calibration
