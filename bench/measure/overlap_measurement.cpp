// SPDX-License-Identifier: MIT
#include "overlap_measurement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "overlap.hpp"
#include "sizes.hpp"

namespace bench {

namespace {

constexpr const char* scheme_names[] = {"time", "work"};
constexpr int most_tests = 65;       // of a search
constexpr double worthwhile = 0.98;  // the overhead must fall below this part for the search to go on

// Of one case, the same on all ranks; not a number: it could not be measured
double median_of(const CaseResult& result, int rank) {
    double median = std::numeric_limits<double>::quiet_NaN();
    if (rank == 0 && result.status == Status::measured && !result.repetitions.empty()) {
        median = median_seconds(result);
    }
    MPI_Bcast(&median, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return median;
}

class Measuring {
  public:
    Measuring(Session& session, const GroupSpec& group, const Settings& settings)
        : session_(session), group_(group), settings_(settings) {
        settings_.metric = Metric::max;  // the rank that spends most
    }

    AlgorithmOverlap blocking() {
        const CaseResult result = measure({0, 0, 0});
        return {result, median_of(result, session_.rank()), {}};
    }
    Overlap overlap(double blocking_seconds, Scheme scheme, std::size_t interval) {
        const int tests = tests_for(group_.bytes, interval);
        const std::vector<double> parameters = {1e6 * blocking_seconds, static_cast<double>(tests),
                                                scheme == Scheme::work ? 1.0 : 0.0};
        const CaseResult result = measure(parameters);
        const double overhead = median_of(result, session_.rank());
        return {
            scheme, interval, tests, parameters, result, overhead, overlap_of(blocking_seconds, overhead)};
    }

  private:
    CaseResult measure(const std::vector<double>& parameters) {
        group_.parameters = parameters;
        const std::vector<CaseResult> results = session_.measure(group_, settings_);
        return results.empty() ? CaseResult() : results.front();
    }

    Session& session_;
    GroupSpec group_;
    Settings settings_;
};

}  // namespace

const char* to_string(Scheme scheme) {
    return scheme_names[static_cast<std::size_t>(scheme)];
}

Scheme scheme_named(const std::string& name) {
    for (const Scheme scheme : {Scheme::time, Scheme::work}) {
        if (name == to_string(scheme)) {
            return scheme;
        }
    }
    throw std::invalid_argument("there is no scheme '" + name + "'; there are time and work");
}

OverlapPlan overlap_plan(const std::vector<std::string>& schemes, const std::vector<std::string>& intervals) {
    OverlapPlan plan = {{}, {}, false};
    std::transform(schemes.begin(), schemes.end(), std::back_inserter(plan.schemes), scheme_named);
    for (const std::string& interval : intervals) {
        if (interval == search_interval_name) {
            plan.search_interval = true;
        } else {
            plan.intervals.push_back(models::parse_size(interval));
        }
    }
    return plan;
}

void check_overlap(const Pattern& pattern) {
    if (is_nonblocking(pattern)) {
        return;
    }
    std::string names;
    for (const Pattern& known : nonblocking_patterns()) {
        names += (names.empty() ? "" : ", ") + std::string(known.name);
    }
    throw std::invalid_argument("overlap is for nonblocking collectives: " + names);
}

std::vector<AlgorithmOverlap> measure_overlap(Session& session, const GroupSpec& group,
                                              const Settings& settings, const OverlapPlan& plan) {
    constexpr double never = std::numeric_limits<double>::infinity();
    std::vector<AlgorithmOverlap> results;
    for (const std::string& algorithm : group.algorithms) {
        GroupSpec alone = group;
        alone.algorithms = {algorithm};
        Measuring measuring(session, alone, settings);
        AlgorithmOverlap& result = results.emplace_back(measuring.blocking());
        if (std::isnan(result.blocking_seconds)) {
            continue;
        }
        for (const Scheme scheme : plan.schemes) {
            std::size_t best = result.overlaps.size();
            double least = never;
            const auto measure = [&](std::size_t interval) {
                const Overlap& overlap = result.overlaps.emplace_back(
                    measuring.overlap(result.blocking_seconds, scheme, interval));
                if (overlap.overhead_seconds < least) {
                    least = overlap.overhead_seconds;
                    best = result.overlaps.size() - 1;
                }
                return std::isnan(overlap.overhead_seconds) ? never : overlap.overhead_seconds;
            };
            for (const std::size_t interval : plan.intervals) {
                measure(interval);
            }
            for (std::size_t interval = group.bytes;
                 plan.search_interval && interval > 0 && tests_for(group.bytes, interval) <= most_tests;
                 interval /= 2) {
                const double before = least;
                if (measure(interval) > worthwhile * before && interval < group.bytes / 4) {
                    break;
                }
            }
            if (least < never) {
                result.overlaps[best].is_best = true;
            }
        }
    }
    return results;
}

}  // namespace bench
