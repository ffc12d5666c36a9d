// SPDX-License-Identifier: MIT
#include "trial.hpp"

#include <algorithm>
#include <cmath>

#include "decide.hpp"

namespace tuner {

namespace {

constexpr std::size_t fewest_pairs_of_a_job = 2;

const CaseRecord* record_of(const std::vector<CaseRecord>& records, const std::string& algorithm) {
    const auto found = std::find_if(records.begin(), records.end(), [&](const CaseRecord& record) {
        return record.algorithm == algorithm && record.status == Status::measured;
    });
    return found == records.end() ? nullptr : &*found;
}

// The two sides of a group
struct PairOfRecords {
    const CaseRecord* by_default;
    const CaseRecord* tuned;

    std::size_t pairs() const {
        return by_default && tuned
                   ? std::min(by_default->samples_seconds.size(), tuned->samples_seconds.size())
                   : 0;
    }
    models::JobRatio ratio() const {
        return models::ratio_in_job(std::span(by_default->samples_seconds).first(pairs()),
                                    std::span(tuned->samples_seconds).first(pairs()));
    }
    bool has_large_skew() const {
        const auto is_large = [](const CaseRecord& record) {
            std::vector<double> sorted = record.samples_seconds;
            std::sort(sorted.begin(), sorted.end());
            return record.start_skew_seconds > large_skew * models::median(sorted);
        };
        return is_large(*by_default) || is_large(*tuned);
    }
};

PairOfRecords pair_of(const std::vector<CaseRecord>& records, const std::string& algorithm) {
    return {record_of(records, default_algorithm), record_of(records, algorithm)};
}

// One size in the job that runs. False: the time is up.
bool measure_size(Trial& trial, TrialSize& size, const MeasurePairs& measure) {
    const std::string& algorithm = trial.rule.algorithm;
    PairRequest request = {
        cell_of(trial.rule), size.bytes, {default_algorithm, algorithm}, static_cast<int>(trial.jobs)};
    request.shares_job = trial.shares_jobs;
    request.is_first = &size == &trial.sizes.front();
    const std::vector<CaseRecord> records = measure(request);
    const PairOfRecords pair = pair_of(records, algorithm);
    if (pair.pairs() < fewest_pairs_of_a_job) {
        return !records.empty();
    }
    const bool is_same = pair.by_default->used == algorithm;
    const bool needs_rows = trial.has_rows && !is_same && trial.jobs < jobs_with_rows &&
                            (trial.jobs == 0 ? pair.has_large_skew() : size.in_a_row.size() == trial.jobs);
    if (needs_rows) {
        request.calls_in_a_row = calls_in_a_row;
        const std::vector<CaseRecord> of_rows = measure(request);
        const PairOfRecords rows = pair_of(of_rows, algorithm);
        if (rows.pairs() < fewest_pairs_of_a_job) {
            return !of_rows.empty();
        }
        size.in_a_row.push_back(rows.ratio());
    }
    size.jobs.push_back(pair.ratio());
    size.is_same = size.is_same || is_same;
    return true;
}

void forget_last_job(Trial& trial) {
    for (TrialSize& size : trial.sizes) {
        size.jobs.resize(std::min(size.jobs.size(), trial.jobs));
        size.in_a_row.resize(std::min(size.in_a_row.size(), trial.jobs));
    }
}

}  // namespace

std::optional<models::JobRatio> ratio_of(const std::vector<CaseRecord>& records,
                                         const std::string& algorithm) {
    const PairOfRecords pair = pair_of(records, algorithm);
    return pair.pairs() < fewest_pairs_of_a_job ? std::nullopt : std::optional(pair.ratio());
}

void run_job(Trial& trial, const MeasurePairs& measure, std::size_t enough) {
    bool has_news = trial.sizes.empty();
    for (TrialSize& size : trial.sizes) {
        if (!trial.is_complete(size)) {
            continue;  // failed before: it will not be proven
        }
        if (!measure_size(trial, size, measure)) {
            trial.is_out_of_time = true;
            break;
        }
        has_news = true;
    }
    if (trial.is_out_of_time && (trial.jobs >= enough || !has_news)) {
        forget_last_job(trial);
    } else {
        ++trial.jobs;
    }
}

std::vector<models::JobRatio> means_of_jobs(std::span<const TrialSize* const> sizes,
                                            std::vector<models::JobRatio> TrialSize::*kind) {
    std::vector<models::JobRatio> jobs;
    std::vector<models::JobRatio> of_job;
    for (std::size_t job = 0; !sizes.empty() && job < (sizes.front()->*kind).size(); ++job) {
        of_job.clear();
        for (const TrialSize* size : sizes) {
            of_job.push_back((size->*kind)[job]);
        }
        jobs.push_back(models::mean_of(of_job));
    }
    return jobs;
}

Proof proof_of(const Trial& trial, const TrialSize& size, const models::JobVariance& between_jobs) {
    const models::AcrossJobs all = models::across_jobs(size.jobs, between_jobs);
    Proof proof;
    proof.cell = cell_of(trial.rule);
    proof.bytes = size.bytes;
    proof.algorithm = trial.rule.algorithm;
    proof.ratio = {std::exp(all.log_ratio), all.interval()};
    proof.p_faster = all.p_not_above(0);
    proof.p_slower = 1 - proof.p_faster;
    for (const models::JobRatio& job : size.jobs) {
        proof.job_ratios.push_back(std::exp(job.log_ratio));
    }
    if (!size.in_a_row.empty()) {
        const models::AcrossJobs rows = models::across_jobs(size.in_a_row, between_jobs);
        proof.in_a_row = models::Ratio{std::exp(rows.log_ratio), rows.interval()};
    }
    proof.is_same = size.is_same;
    return proof;
}

}  // namespace tuner
