// SPDX-License-Identifier: MIT
// The cases whose repetitions are shown one by one.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "report_parts.hpp"

namespace tuner::report {

namespace {

constexpr std::size_t most_distributions_of_tails = 4;
constexpr std::size_t fewest_samples = 10;

Distribution::Series series_of(const RunData& run, Stage stage, const CellKey& cell, std::size_t bytes,
                               const std::string& algorithm) {
    Distribution::Series series{algorithm, {}, {}, 0, {}};
    for (const CaseRecord& record : run.cases) {
        if (record.stage == stage && record.bytes == bytes && record.algorithm == algorithm &&
            record.status == Status::measured && record.collective == cell.collective &&
            record.operation == cell.operation && record.network == cell.network &&
            record.layout == cell.layout) {
            series.sorted_seconds.insert(series.sorted_seconds.end(), record.samples_seconds.begin(),
                                         record.samples_seconds.end());
            series.finish_of_rank = record.rank_finish_seconds;
        }
    }
    if (!series.sorted_seconds.empty()) {
        std::sort(series.sorted_seconds.begin(), series.sorted_seconds.end());
        series.tail = models::tail_of(series.sorted_seconds);
        series.outliers = models::outliers(series.sorted_seconds).size();
    }
    return series;
}

void add_distribution(ReportData& data, const RunData& run, Stage stage, const CellKey& cell,
                      std::size_t bytes, const std::vector<std::string>& algorithms, const std::string& why) {
    const bool is_there =
        std::any_of(data.distributions.begin(), data.distributions.end(), [&](const Distribution& d) {
            return d.cell == cell && d.bytes == bytes && d.series.back().algorithm == algorithms.back();
        });
    Distribution distribution{cell, bytes, why, {}};
    for (const std::string& algorithm : algorithms) {
        Distribution::Series series = series_of(run, stage, cell, bytes, algorithm);
        if (!series.sorted_seconds.empty()) {
            distribution.series.push_back(std::move(series));
        }
    }
    if (!distribution.series.empty() && !is_there) {
        data.distributions.push_back(std::move(distribution));
    }
}

struct Candidate {
    const CaseRecord* record;
    models::Tail tail;
};

// Cases with time-outs, or with repetitions far beyond the shortest
std::vector<Candidate> cases_with_tails(const RunData& run) {
    std::vector<Candidate> candidates;
    std::vector<double> sorted;
    for (const CaseRecord& record : run.cases) {
        if (record.status == Status::measured && record.samples_seconds.size() >= fewest_samples) {
            sorted = record.samples_seconds;
            std::sort(sorted.begin(), sorted.end());
            const models::Tail tail = models::tail_of(sorted);
            if (tail.time_outs > 0 || tail.shares_beyond.front() > 0) {
                candidates.push_back({&record, tail});
            }
        }
    }
    return candidates;
}

void add_tails(ReportData& data, const RunData& run) {
    std::vector<Candidate> candidates = cases_with_tails(run);
    const std::size_t count = std::min(most_distributions_of_tails, candidates.size());
    std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(count),
                      candidates.end(), [](const Candidate& a, const Candidate& b) {
                          return std::tuple(a.tail.time_outs, a.tail.max / a.tail.median) >
                                 std::tuple(b.tail.time_outs, b.tail.max / b.tail.median);
                      });
    for (std::size_t i = 0; i < count; ++i) {
        const CaseRecord& r = *candidates[i].record;
        const models::Tail& tail = candidates[i].tail;
        add_distribution(
            data, run, r.stage, {r.network, r.layout, r.collective, r.operation}, r.bytes, {r.algorithm},
            tail.time_outs > 0
                ? "suspected retransmit time-outs"
                : fmt::format("the slowest repetition took {:.0f} times the median", tail.max / tail.median));
    }
}

}  // namespace

void add_distributions(ReportData& data, const RunData& run) {
    if (!data.gains.proofs.empty()) {
        const Proof& best = *data.gains.proofs.front();
        const Proof& least = *data.gains.proofs.back();
        add_distribution(data, run, Stage::verify, best.cell, best.bytes, {default_algorithm, best.algorithm},
                         "the largest verified gain");
        add_distribution(data, run, Stage::verify, least.cell, least.bytes,
                         {default_algorithm, least.algorithm}, "the smallest verified gain");
    }
    add_tails(data, run);
}

}  // namespace tuner::report
