// SPDX-License-Identifier: MIT
// Figures of whole tunings: which rules they emit, and what of them holds later.
#include <algorithm>
#include <cmath>
#include <set>

#include "comparison.hpp"
#include "decide.hpp"
#include "figures.hpp"
#include "simulated_tuning.hpp"

namespace calibration {

namespace {

using tuner::CellKey;
using tuner::Plan;
using tuner::Rule;

// What is simulated: each noise with each plan
struct Setting {
    std::string noise;
    std::string plan;
};
std::vector<Setting> settings(const Options& options, const std::vector<std::string>& noises) {
    std::vector<Setting> all;
    for (const std::string& noise : noises) {
        for (const char* plan : {"quick", "standard", "full"}) {
            // where less noise and more repetitions were once most wrong, and what most people use
            if (!options.is_quick || plan == std::string(noise == "quiet" ? "standard" : "quick")) {
                all.push_back({noise, plan});
            }
        }
    }
    return all;
}

std::uint64_t seed_of(const Options& options, const std::string& figure, std::uint64_t number) {
    return hashed(hashed(options.seed, figure), number);
}

// Where cells are counted, a few tunings are enough
std::size_t tunings_for_cells(const Options& options) {
    return std::max<std::size_t>(1, options.tunings / 8);
}

// Share of the range (in logarithms) where the rules use this algorithm
double covered(const std::vector<Rule>& rules, const CellKey& cell, const std::string& algorithm,
               std::size_t from_bytes, std::size_t to_bytes) {
    double sum = 0;
    for (const Rule& rule : rules) {
        const std::size_t from = std::max(from_bytes, rule.from_bytes);
        const std::size_t to = std::min(to_bytes, rule.to_bytes);
        if (tuner::cell_of(rule) == cell && rule.algorithm == algorithm && from < to) {
            sum += std::log(static_cast<double>(to) / static_cast<double>(from));
        }
    }
    return sum / std::log(static_cast<double>(to_bytes) / static_cast<double>(from_bytes));
}

Count gains_kept(const Options& options, const std::string& noise, const Plan& plan,
                 const TruthPointer& truth) {
    constexpr double enough = 0.8;  // the ends are known within the plan's changeover factor only
    const std::vector<CellKey> cells = cells_of_tuning(plan);
    return counted(tunings_for_cells(options), options, [&](std::uint64_t number) {
        SimulatedCluster cluster(truth, noise_named(noise), seed_of(options, "gain", number));
        const Tuning tuning = tuned(cluster, plan, cells);
        Count kept;
        for (const CellKey& cell : cells) {
            kept.add(covered(tuning.verified.rules, cell, "a3", gain_from, gain_to) >= enough);
        }
        return kept;
    });
}

struct TrueGain {
    std::string name;
    TruthPointer truth;
    Goal goal;
};
std::vector<TrueGain> true_gains() {
    return {{"gain of 20% kept", one_gains(0.2), at_least(0.95)},
            {"gain of 10% kept", one_gains(0.1), at_least(0.6)},
            {"gain of 20% kept that fades", one_fades(0.2), at_least(0.95)},
            {"gain of 10% kept that fades", one_fades(0.1), at_least(0.6)}};
}

// The ratio that six later jobs would show, as people would measure it
double ratio_later(SimulatedCluster& cluster, const tuner::Proof& proof, std::size_t pairs) {
    std::vector<double> ratios;
    for (int job = 0; job < 6; ++job) {
        auto records =
            cluster.pairs({proof.cell, proof.bytes, {tuner::default_algorithm, proof.algorithm}, job}, pairs,
                          Purpose::later);
        if (records[0].algorithm != tuner::default_algorithm) {
            std::swap(records[0], records[1]);
        }
        ratios.push_back(
            models::median_ratio_of_pairs(records[0].samples_seconds, records[1].samples_seconds).ratio);
    }
    std::sort(ratios.begin(), ratios.end());
    return models::median(ratios);
}

// The last proof of each size that a rule holds
std::vector<tuner::Proof> proofs_of_rules(const tuner::Verification& verified) {
    std::vector<tuner::Proof> proofs;
    for (const Rule& rule : verified.rules) {
        std::map<std::size_t, tuner::Proof> by_size;
        for (const tuner::Proof& proof : verified.proofs) {
            if (proof.cell == tuner::cell_of(rule) && proof.algorithm == rule.algorithm &&
                proof.bytes >= rule.from_bytes && proof.bytes <= rule.to_bytes) {
                by_size.insert_or_assign(proof.bytes, proof);
            }
        }
        for (const auto& [bytes, proof] : by_size) {
            proofs.push_back(proof);
        }
    }
    return proofs;
}

Count intervals_that_hold(const Options& options, const std::string& noise, const Plan& plan) {
    const std::vector<CellKey> cells = cells_of_tuning(plan);
    return counted(tunings_for_cells(options), options, [&](std::uint64_t number) {
        SimulatedCluster cluster(one_gains(0.2), noise_named(noise), seed_of(options, "later", number));
        Count held;
        const tuner::Verification verified = tuned(cluster, plan, cells).verified;
        held.independent = static_cast<double>(verified.rules.size());  // all sizes have the same jobs
        for (const tuner::Proof& proof : proofs_of_rules(verified)) {
            const double later =
                ratio_later(cluster, proof, static_cast<std::size_t>(plan.verify_repetitions));
            held.add(proof.ratio.interval.low <= later && later <= proof.ratio.interval.high);
        }
        return held;
    });
}

// A size inside of the rule that `verify` asks for
std::size_t tested_size(const tuner::Config& config, const tuner::Cells& cells, const Plan& plan,
                        const SimulatedCluster& cluster, std::uint64_t number) {
    SimulatedCluster copy = cluster;
    const auto verified = verify(config, cells, plan, pairs_of(copy, plan, Purpose::verification, cells));
    std::set<std::size_t> sizes;
    for (const tuner::Proof& proof : verified.proofs) {
        sizes.insert(proof.bytes);
    }
    if (sizes.size() < 3) {
        return 0;
    }
    return *std::next(sizes.begin(), 1 + static_cast<std::ptrdiff_t>(number % (sizes.size() - 2)));
}

Count zones_that_survive(const Options& options, const std::string& noise, const Plan& plan, double loss) {
    const std::vector<CellKey> one_cell = {cells_of_tuning(plan).front()};
    return counted(options.tunings, options, [&](std::uint64_t number) {
        SimulatedCluster cluster(one_gains_everywhere(), noise_named(noise),
                                 seed_of(options, "zone", number));
        const tuner::Cells cells = searched(cluster, plan, one_cell);
        const tuner::Config config = decided(cells, plan);
        const std::size_t bytes = tested_size(config, cells, plan, cluster, number);
        cluster.change(zone_slower(bytes, loss));
        const auto verified =
            verify(config, cells, plan, pairs_of(cluster, plan, Purpose::verification, cells));
        Count survived;
        if (bytes > 0) {
            survived.add(std::any_of(verified.rules.begin(), verified.rules.end(), [&](const Rule& rule) {
                return rule.from_bytes <= bytes && bytes <= rule.to_bytes;
            }));
        }
        return survived;
    });
}

// At any size of the rule, by more than 1%
bool is_slower_in_truth(const Rule& rule, const Truth& truth) {
    constexpr double much = 1.01;
    constexpr double step = 1.1;
    const CellKey cell = tuner::cell_of(rule);
    for (auto exact = static_cast<double>(std::max<std::size_t>(1, rule.from_bytes));
         exact <= static_cast<double>(rule.to_bytes); exact *= step) {
        const auto bytes = static_cast<std::size_t>(exact);
        const double own = truth.seconds(cell, truth.used_by_default(cell, bytes), bytes).value();
        if (truth.seconds(cell, rule.algorithm, bytes).value() > much * own) {
            return true;
        }
    }
    return false;
}

// In each cell, if three algorithms are equally better than the default
struct RulesOfTuning {
    double decided = 0;
    double kept = 0;
};
RulesOfTuning rules_of_equals(const std::string& noise, const Plan& plan, std::uint64_t seed) {
    const std::vector<CellKey> cells = cells_of_tuning(plan);
    SimulatedCluster cluster(several_gain(0.2), noise_named(noise), seed);
    const Tuning tuning = tuned(cluster, plan, cells);
    const auto in_each = [&](const std::vector<Rule>& rules) {
        return static_cast<double>(rules.size()) / static_cast<double>(cells.size());
    };
    return {in_each(tuning.decided.rules), in_each(tuning.verified.rules)};
}

}  // namespace

std::vector<Row> false_rules(const Options& options) {
    std::vector<Row> rows;
    for (const auto& [noise, name] : settings(options, names_of_noises())) {
        const Plan plan = tuner::plan_named(name);
        const std::vector<CellKey> cells = cells_of_tuning(plan);
        const Count count = counted(options.tunings, options, [&](std::uint64_t number) {
            SimulatedCluster cluster(all_equal(), noise_named(noise), seed_of(options, "equal", number));
            Count one;
            one.add(!tuned(cluster, plan, cells).verified.rules.empty());
            return one;
        });
        rows.push_back(row_of("A/A tunings with a rule", noise, name, count, at_most(0.05), options));
    }
    return rows;
}

std::vector<Row> small_differences(const Options& options) {
    std::vector<Row> rows;
    for (const auto& [noise, name] : settings(options, {"calibrated", "quiet"})) {
        const Plan plan = tuner::plan_named(name);
        const std::vector<CellKey> cells = cells_of_tuning(plan);
        const Count count = counted(options.tunings, options, [&, noise = noise](std::uint64_t number) {
            SimulatedCluster cluster(two_take_turns(0.03), noise_named(noise),
                                     seed_of(options, "small", number));
            const std::vector<Rule> rules = tuned(cluster, plan, cells).verified.rules;
            Count one;
            one.add(std::any_of(rules.begin(), rules.end(),
                                [&](const Rule& rule) { return is_slower_in_truth(rule, cluster.truth()); }));
            return one;
        });
        rows.push_back(
            row_of("differences of 3%: a rule 1% slower", noise, name, count, at_most(0.05), options));
    }
    return rows;
}

std::vector<Row> gain_kept(const Options& options) {
    std::vector<Row> rows;
    for (const auto& [noise, name] : settings(options, {"calibrated", "quiet"})) {
        const Plan plan = tuner::plan_named(name);
        for (const TrueGain& gain : true_gains()) {
            rows.push_back(row_of(gain.name, noise, name, gains_kept(options, noise, plan, gain.truth),
                                  gain.goal, options));
        }
    }
    return rows;
}

std::vector<Row> later_jobs(const Options& options) {
    std::vector<Row> rows;
    for (const auto& [noise, name] : settings(options, {"calibrated", "quiet"})) {
        rows.push_back(row_of("interval holds in 6 later jobs", noise, name,
                              intervals_that_hold(options, noise, tuner::plan_named(name)), at_least(0.9),
                              options));
    }
    return rows;
}

std::vector<Row> slow_zone(const Options& options) {
    std::vector<Row> rows;
    for (const auto& [noise, name] : settings(options, {"quiet", "calibrated"})) {
        rows.push_back(row_of("zone 3% slower survives", noise, name,
                              zones_that_survive(options, noise, tuner::plan_named(name), 0.03),
                              at_most(noise == "quiet" ? 0.05 : 0.25), options));
    }
    return rows;
}

std::vector<Row> equal_candidates(const Options& options) {
    std::vector<Row> rows;
    for (const auto& [noise, name] : settings(options, {"calibrated"})) {
        const std::vector<RulesOfTuning> tunings = simulated(
            tunings_for_cells(options), options, [&, noise = noise, name = name](std::uint64_t number) {
                return rules_of_equals(noise, tuner::plan_named(name),
                                       seed_of(options, "candidates", number));
            });
        std::vector<double> decided_rules;
        std::vector<double> kept_rules;
        for (const RulesOfTuning& tuning : tunings) {
            decided_rules.push_back(tuning.decided);
            kept_rules.push_back(tuning.kept);
        }
        rows.push_back(row_of("rules decided in each cell", noise, name, decided_rules, {1, 1.3}, options));
        rows.push_back(row_of("rules kept in each cell", noise, name, kept_rules, {0.95, 1.3}, options));
    }
    return rows;
}

}  // namespace calibration
