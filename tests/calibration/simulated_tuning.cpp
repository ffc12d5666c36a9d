// SPDX-License-Identifier: MIT
#include "simulated_tuning.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "decide.hpp"
#include "race.hpp"
#include "stopping.hpp"

namespace calibration {

namespace {

using tuner::CaseRecord;
using tuner::CellKey;
using tuner::Plan;

constexpr std::size_t repetitions_of_batch = 8;  // of the benchmark
constexpr std::size_t small_batch_of_race = 3;
constexpr std::size_t most_repetitions = 1000;  // that the tuner asks for in a search
constexpr int warm_up_calls = 6;                // ... and makes first
constexpr int few_warm_up_calls = 2;            // ... where others were made before
constexpr double wall_of_call = 1.5;            // with the wait for the common start

}  // namespace

// A case that is being measured
struct SimulatedCluster::Running {
    std::string algorithm;
    std::string used;
    double log_seconds;  // of the truth, in this job
    double level_kept;   // of the level during one call
    double level_new;
    double carried = 0;  // of the last repetition's noise, by autocorrelation
    double seconds = 0;
    std::vector<double> samples = {};
};

SimulatedCluster::SimulatedCluster(TruthPointer truth, Noise noise, std::uint64_t seed)
    : truth_(std::move(truth)), noise_(std::move(noise)), seed_(seed), random_(seed) {}

// The default has that of the algorithm that it uses: it runs the same code.
double SimulatedCluster::job_effect(const CellKey& cell, const std::string& algorithm, std::size_t bytes,
                                    std::uint64_t job) const {
    const std::string name =
        cell.network + to_string(cell.layout) + cell.collective + cell.operation + algorithm;
    const auto drawn = [&](std::uint64_t number) {
        Random random(hashed(hashed(hashed(seed_, name), job), number));
        return std::normal_distribution<double>()(random);
    };
    const double of_all_sizes = std::sqrt(noise_.shared_by_sizes) * drawn(0);
    const double of_size =
        noise_.shared_by_sizes < 1 ? std::sqrt(1 - noise_.shared_by_sizes) * drawn(bytes) : 0;
    return noise_.ratio_of_jobs_sd / std::sqrt(2.0) * (of_all_sizes + of_size);
}

std::optional<SimulatedCluster::Running> SimulatedCluster::running(const CellKey& cell,
                                                                   const std::string& algorithm,
                                                                   std::size_t bytes, std::uint64_t job) {
    const std::string used =
        algorithm == tuner::default_algorithm ? truth_->used_by_default(cell, bytes) : algorithm;
    const std::optional<double> seconds = truth_->seconds(cell, used, bytes);
    if (!seconds) {
        return std::nullopt;
    }
    const double kept = std::exp(-wall_of_call * *seconds / noise_.level_seconds);
    return Running{algorithm, used, std::log(*seconds) + job_effect(cell, used, bytes, job), kept,
                   noise_.level_sd * std::sqrt(1 - kept * kept)};
}

// As the benchmark: of a long call, the first one and another, or only that where few are asked for
void SimulatedCluster::warm_up(const Running& one, int calls) {
    constexpr double long_call = 0.05;
    const double seconds = std::exp(one.log_seconds);
    benchmark_seconds_ +=
        seconds * (seconds > long_call ? std::min(calls, calls > few_warm_up_calls ? 2 : 1) : calls);
}

std::size_t SimulatedCluster::batch_of(const Running& one, bool races) {
    constexpr double long_call = 0.05;
    const bool is_small = races && (one.samples.empty() || std::exp(one.log_seconds) > long_call);
    return is_small ? small_batch_of_race : repetitions_of_batch;
}

CaseRecord SimulatedCluster::refused(const CellKey& cell, const std::string& algorithm,
                                     std::size_t bytes) const {
    CaseRecord record = this->record(cell, {algorithm, algorithm, 0, 0, 0}, bytes);
    record.status = tuner::Status::refused;
    record.reason = "it cannot run there";
    return record;
}

std::vector<bool> SimulatedCluster::race_of(const std::vector<Running>& cases,
                                            const std::vector<bool>& has_left, double loss) {
    std::vector<models::Racer> racers;
    std::optional<std::size_t> reference;
    for (std::size_t i = 0; i < cases.size(); ++i) {
        reference = cases[i].algorithm == tuner::default_algorithm ? i : reference;
        racers.push_back({cases[i].samples});
    }
    for (std::size_t i = 0; i < cases.size(); ++i) {
        racers[i].is_same = reference && i != *reference && cases[i].used == cases[*reference].used;
    }
    return race(racers, has_left, reference, {.loss = loss});
}

void SimulatedCluster::start_level() {
    level_ = noise_.level_sd * normal_(random_);
}

double SimulatedCluster::repeat(Running& one) {
    level_ = one.level_kept * level_ + one.level_new * normal_(random_);
    const double kept = noise_.autocorrelation;
    const double fresh = noise_.repetition_sd * std::sqrt(1 - kept * kept);
    one.carried = kept * one.carried + fresh * normal_(random_);
    double log_seconds = one.log_seconds + level_ + one.carried;
    const double chance = std::generate_canonical<double, 32>(random_);
    if (chance < noise_.outlier_share) {
        log_seconds -= noise_.outlier_mean * std::log((chance + 1e-12) / noise_.outlier_share);
    }
    const double seconds = std::exp(log_seconds);
    one.seconds += seconds;
    benchmark_seconds_ += wall_of_call * seconds;
    return seconds;
}

CaseRecord SimulatedCluster::record(const CellKey& cell, const Running& one, std::size_t bytes) const {
    CaseRecord record;
    record.network = cell.network;
    record.layout = cell.layout;
    record.collective = cell.collective;
    record.operation = cell.operation;
    record.algorithm = one.algorithm;
    record.used = one.used;
    record.bytes = bytes;
    record.seconds_spent = one.seconds;
    record.samples_seconds = one.samples;
    return record;
}

std::vector<CaseRecord> SimulatedCluster::search_group(const CellKey& cell, const tuner::Question& question,
                                                       const Plan& plan) {
    const bool races = plan.races();
    std::vector<std::string> algorithms = question.algorithms;
    if (algorithms.empty()) {
        algorithms = truth_->algorithms(cell);
        algorithms.insert(algorithms.begin(), tuner::default_algorithm);
    }
    const models::Limits limits = {static_cast<std::size_t>(plan.min_repetitions), most_repetitions,
                                   plan.case_seconds};
    const bool is_first = !warm_.contains({cell.network, cell.layout, cell.collective});
    warm_.insert({cell.network, cell.layout, cell.collective});
    std::vector<CaseRecord> records;
    std::vector<Running> cases;
    std::vector<models::Stopping> stopping;
    for (const std::string& algorithm : algorithms) {
        if (const std::optional<Running> one = running(cell, algorithm, question.bytes, 0)) {
            cases.push_back(*one);
            stopping.emplace_back(models::median_rule(plan.precision), limits);
            warm_up(*one, races && !is_first ? few_warm_up_calls : warm_up_calls);
        } else {
            records.push_back(refused(cell, algorithm, question.bytes));
        }
    }
    start_level();
    std::vector<bool> has_left(cases.size());
    const auto is_open = [&](std::size_t i) {
        return !has_left[i] && stopping[i].ended() == models::Ended::not_yet;
    };
    for (std::vector<std::size_t> batch = {0}; !batch.empty();) {
        batch.clear();
        for (std::size_t i = 0; i < cases.size(); ++i) {
            if (is_open(i)) {
                batch.insert(batch.end(), batch_of(cases[i], races), i);
            }
        }
        std::shuffle(batch.begin(), batch.end(), random_);
        for (const std::size_t i : batch) {
            if (is_open(i)) {
                cases[i].samples.push_back(repeat(cases[i]));
                stopping[i].add(cases[i].samples.back(), cases[i].seconds);
            }
        }
        if (races) {
            has_left = race_of(cases, has_left, plan.loss_bound);
        }
    }
    for (std::size_t i = 0; i < cases.size(); ++i) {
        records.push_back(record(cell, cases[i], question.bytes));
        records.back().ended = to_string(has_left[i] ? models::Ended::decided : stopping[i].ended());
    }
    return records;
}

std::vector<CaseRecord> SimulatedCluster::pairs(const tuner::PairRequest& request, std::size_t count,
                                                Purpose purpose) {
    const std::uint64_t job =
        hashed(static_cast<std::uint64_t>(purpose), static_cast<std::uint64_t>(request.job));
    std::vector<Running> cases;
    for (const std::string& algorithm : request.algorithms) {
        if (const std::optional<Running> one = running(request.cell, algorithm, request.bytes, job)) {
            cases.push_back(*one);
            warm_up(*one, request.is_first ? warm_up_calls : few_warm_up_calls);
        } else {
            return {};  // the group is refused
        }
    }
    start_level();
    for (std::size_t pair = 0; pair < count; ++pair) {
        if (pair % 2 == 0) {  // then the other way round: AB BA, or BA AB
            std::shuffle(cases.begin(), cases.end(), random_);
        } else {
            std::reverse(cases.begin(), cases.end());
        }
        for (Running& one : cases) {
            double sum = 0;
            for (int call = 0; call < request.calls_in_a_row; ++call) {
                sum += repeat(one);
            }
            one.samples.push_back(sum / request.calls_in_a_row);
        }
    }
    std::vector<CaseRecord> records;
    for (const Running& one : cases) {
        records.push_back(record(request.cell, one, request.bytes));
        records.back().stage = purpose == Purpose::checking ? tuner::Stage::check : tuner::Stage::verify;
    }
    return records;
}

std::vector<CellKey> cells_of_tuning(const Plan& plan) {
    std::vector<CellKey> cells;
    for (const char* network : {"ethernet", "infiniband"}) {
        for (const tuner::Layout& layout : {tuner::Layout{4, 1}, tuner::Layout{4, 2}}) {
            for (const char* name : {"bcast", "allreduce", "allgather", "alltoall"}) {
                const auto collective =
                    std::find_if(plan.collectives.begin(), plan.collectives.end(),
                                 [&](const tuner::PlannedCollective& c) { return c.name == name; });
                cells.push_back({network, layout, name, collective->operation});
            }
        }
    }
    return cells;
}

tuner::Cells searched(SimulatedCluster& cluster, const Plan& plan, const std::vector<CellKey>& keys,
                      tuner::RunData* samples) {
    tuner::Cells cells;
    std::uint64_t group = 0;
    for (const CellKey& key : keys) {
        const tuner::PlannedCollective& collective = planned_collective(plan, key.collective, key.operation);
        tuner::RunData run;
        tuner::Cell& cell = cells[key];
        while (const std::optional<tuner::Question> question = next_request(plan, collective, cell)) {
            ++group;
            for (CaseRecord& record : cluster.search_group(key, *question, plan)) {
                record.group = group;
                run.cases.push_back(std::move(record));
            }
            cell = cell_of(run, tuner::Stage::search, key);
        }
        if (samples) {
            samples->cases.insert(samples->cases.end(), run.cases.begin(), run.cases.end());
        }
    }
    return cells;
}

tuner::Config decided(const tuner::Cells& cells, const Plan& plan) {
    tuner::Shapes shapes;
    for (const auto& [key, cell] : cells) {
        shapes[key.network];  // none of the algorithms has a cost model
    }
    return decide(cells, plan.loss_bound, shapes);
}

tuner::MeasurePairs pairs_of(SimulatedCluster& cluster, const Plan& plan, Purpose purpose,
                             const tuner::Cells& cells) {
    return [&cluster, &plan, purpose, &cells](const tuner::PairRequest& request) {
        const auto cell = cells.find(request.cell);
        const tuner::Group group =
            group_of(request, purpose == Purpose::verification ? tuner::Stage::verify : tuner::Stage::check,
                     planned_collective(plan, request.cell.collective, request.cell.operation), plan,
                     cell == cells.end() ? tuner::Cell() : cell->second, request.is_first);
        return cluster.pairs(request, static_cast<std::size_t>(group.limits.max_repetitions), purpose);
    };
}

Tuning tuned(SimulatedCluster& cluster, const Plan& plan, const std::vector<CellKey>& cells) {
    Tuning tuning;
    tuning.cells = searched(cluster, plan, cells);
    tuning.decided = decided(tuning.cells, plan);
    tuning.verified = verify(tuning.decided, tuning.cells, plan,
                             pairs_of(cluster, plan, Purpose::verification, tuning.cells));
    return tuning;
}

}  // namespace calibration
