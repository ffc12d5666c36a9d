// SPDX-License-Identifier: MIT
#include "pair_questions.hpp"

#include <algorithm>
#include <cmath>

namespace tuner {

namespace {

// Of a case, and twice what is expected of its group: the repetitions are the limit. If starts are late again
// and again (busy cores), twice as much is, for both cases, before the tuner takes the job for one that
// hangs.
constexpr double seconds_for_late_starts = 5;
// Where calls take long, fewer pairs: 12 that all say the same are significant beyond doubt (p = 1/4096).
constexpr double seconds_for_pairs = 4;
constexpr int fewest_pairs = 12;
constexpr int jobs_of_a_proof = 3;
constexpr double width_of_interval = 2.58;  // that of a gain, of 99%, in standard errors

// Of so many pairs that the jobs of a proof have together. Even, so that each algorithm is the first one as
// often.
int pairs_of_a_job(double wanted, double call_seconds, int calls_in_a_row) {
    if (calls_in_a_row > 1) {
        return 2;  // each is a mean of many calls
    }
    const double affordable = std::max<double>(fewest_pairs, seconds_for_pairs / (2 * call_seconds));
    const double pairs = std::max<double>(fewest_pairs, std::min(wanted, affordable)) / jobs_of_a_proof;
    return 2 * static_cast<int>(std::ceil(pairs / 2));
}

// How many pairs tell the gain that the search found at the nearest sizes from none, beyond doubt; the plan's
// number if nothing is known of it
double pairs_needed(const PairRequest& request, const Plan& plan, const Cell& cell) {
    constexpr double standard_errors = 4;
    const auto needed_at = [&](const auto& measured) {
        const auto time = measured->second.find(request.algorithms.back());
        if (time == measured->second.end() || !time->second.gain) {
            return 0.0;
        }
        const models::Ratio& gain = *time->second.gain;
        const double reach = std::log(gain.interval.high / gain.interval.low) / 2 / width_of_interval;
        const double distance = std::log(gain.ratio / (1 + plan.min_gain));
        const double needed = std::pow(standard_errors * reach / std::max(distance, 1e-9), 2) *
                              static_cast<double>(time->second.samples);
        return distance > 0 ? needed : static_cast<double>(plan.verify_repetitions);
    };
    const auto above = cell.times.lower_bound(request.bytes);
    const double needed = std::max(above == cell.times.end() ? 0 : needed_at(above),
                                   above == cell.times.begin() ? 0 : needed_at(std::prev(above)));
    return needed > 0 ? std::min<double>(needed, plan.verify_repetitions) : plan.verify_repetitions;
}

// Of each algorithm; 0: as many as the benchmark makes by itself. That many are for the first size of a rule
// in a job: it opens the connections, and some algorithms of MPICH change after five calls.
int warm_up_of_pairs(const PairRequest& request, bool is_fresh_job) {
    if (request.calls_in_a_row > 1) {
        return 1;  // single calls were just measured
    }
    return is_fresh_job || request.is_first ? 0 : 2;
}

// By the measured sizes around it; the slowest one of all if this one was not measured there
double likely_call(const Cell& cell, std::size_t bytes, const std::string& algorithm) {
    const auto above = cell.times.lower_bound(bytes);
    for (const auto& size : {above, above == cell.times.begin() ? cell.times.end() : std::prev(above)}) {
        const CellTime* time = size != cell.times.end() ? time_of(size->second, algorithm) : nullptr;
        if (time) {
            return time->time.median_seconds *
                   std::min(1.0, static_cast<double>(bytes) / static_cast<double>(size->first));
        }
    }
    return slowest_call(cell, bytes);
}

}  // namespace

double wait_for_last(const models::ArrivalMix& arrivals) {
    constexpr double in_programs = 2;  // not known before they were measured
    double sum = 0;
    for (const models::Arrival& arrival : arrivals) {
        sum += arrival.pattern->is_recorded ? in_programs : arrival.pattern->has_width ? arrival.width : 0;
    }
    return arrivals.empty() ? 0 : sum / static_cast<double>(arrivals.size());
}

bool can_share_job(const PairRequest& before, const PairRequest& request) {
    if (request.job != before.job) {
        return false;
    }
    if (before.shares_job && request.shares_job) {
        return request.cell.network == before.cell.network && request.cell.layout == before.cell.layout;
    }
    return request.cell == before.cell && request.algorithms == before.algorithms &&
           request.bytes >= before.bytes;
}

double seconds_beyond_limit(double call_seconds) {
    constexpr double long_call = 0.05;
    return call_seconds * (call_seconds > long_call ? 10 : 20);
}

double slowest_call(const Cell& cell, std::size_t bytes) {
    constexpr double unknown = 0.001;
    const auto above = cell.times.upper_bound(bytes);
    if (above == cell.times.begin()) {
        return unknown;
    }
    double slowest = 0;
    for (const auto& [algorithm, time] : std::prev(above)->second) {
        slowest = std::max(slowest, time.time.median_seconds);
    }
    return slowest * static_cast<double>(bytes) / static_cast<double>(std::prev(above)->first);
}

double likely_seconds(const PairRequest& request, const Plan& plan, const Cell& cell) {
    constexpr double wait_for_start = 1.3;  // of a call's time, with the call
    constexpr double first_calls = 2;
    const double pairs = pairs_of_a_job(pairs_needed(request, plan, cell), slowest_call(cell, request.bytes),
                                        request.calls_in_a_row);
    double seconds = 0;
    for (const std::string& algorithm : request.algorithms) {
        seconds += ((wait_for_start + wait_for_last(request.arrival)) * pairs * request.calls_in_a_row +
                    first_calls) *
                   likely_call(cell, request.bytes, algorithm);
    }
    return seconds;
}

Group group_of(const PairRequest& request, Stage stage, const PlannedCollective& collective, const Plan& plan,
               const Cell& cell, bool is_fresh_job) {
    constexpr double never_precise = 1e-9;
    const double call_seconds = slowest_call(cell, request.bytes);
    const bool is_proof = stage == Stage::verify || stage == Stage::arrivals;
    const double wanted = is_proof ? pairs_needed(request, plan, cell) : plan.verify_repetitions;
    const int repetitions = pairs_of_a_job(wanted, call_seconds, request.calls_in_a_row);
    const double seconds =
        static_cast<double>(request.algorithms.size()) *
        ((1 + wait_for_last(request.arrival)) * repetitions * request.calls_in_a_row * call_seconds +
         seconds_beyond_limit(call_seconds));
    Group group;
    group.stage = stage;
    group.collective = collective;
    group.bytes = request.bytes;
    group.algorithms = request.algorithms;
    group.limits = {.precision = never_precise,
                    .min_repetitions = repetitions,
                    .max_repetitions = repetitions,
                    .max_seconds = seconds_for_late_starts + 2 * seconds,
                    .expected_seconds = seconds};
    group.with_ranks = stage == Stage::verify;
    group.by_tuning_file = is_proof;
    group.as_pairs = is_proof || stage == Stage::guidelines || stage == Stage::check ||
                     stage == Stage::audit || stage == Stage::audit_loaded;
    group.setting = request.setting;
    group.calls_in_a_row = request.calls_in_a_row;
    group.arrival = models::to_string(request.arrival);
    group.check_results = request.job == 0 && request.calls_in_a_row == 1 &&
                          (request.arrival.empty() || request.arrival == plan.mix);
    group.reproducible = is_proof ? plan.reproducible : models::Reproducible::any;
    group.exchange.warm_up = warm_up_of_pairs(request, is_fresh_job);
    return group;
}

}  // namespace tuner
