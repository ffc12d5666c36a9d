// SPDX-License-Identifier: MIT
#include "overlap_measurement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "overlap.hpp"
#include "statistics.hpp"

namespace bench {

namespace {

constexpr const char* scheme_names[] = {"time", "work"};
constexpr int most_tests = 65;       // of a search
constexpr double worthwhile = 0.98;  // the overhead must fall below this part for the search to go on

// The median of one case, the same on all ranks; not a number: it could not be measured
double median_of_case(Session& session, const GroupSpec& group, const Settings& settings,
                      std::string& problem) {
    const std::vector<CaseResult> results = session.measure(group, settings);
    double median = std::numeric_limits<double>::quiet_NaN();
    if (session.rank() == 0) {
        const CaseResult& result = results.front();
        if (result.status == Status::measured && !result.repetitions.empty()) {
            std::vector<double> seconds;
            for (const Repetition& repetition : result.repetitions) {
                seconds.push_back(repetition.seconds);
            }
            std::sort(seconds.begin(), seconds.end());
            median = models::median(seconds);
        } else {
            problem =
                result.algorithm + ": " + (result.reason.empty() ? "no valid repetition" : result.reason);
        }
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

    // Without computation
    double blocking(std::string& problem) {
        group_.parameters = {0, 0, 0};
        return median_of_case(session_, group_, settings_, problem);
    }
    double overhead(double blocking_seconds, Scheme scheme, int tests, std::string& problem) {
        group_.parameters = {1e6 * blocking_seconds, static_cast<double>(tests),
                             scheme == Scheme::work ? 1.0 : 0.0};
        return median_of_case(session_, group_, settings_, problem);
    }

  private:
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

std::vector<Overlap> measure_overlap(Session& session, const GroupSpec& group, const Settings& settings,
                                     const OverlapPlan& plan, std::vector<std::string>& problems) {
    std::vector<Overlap> results;
    for (const std::string& algorithm : group.algorithms) {
        GroupSpec alone = group;
        alone.algorithms = {algorithm};
        Measuring measuring(session, alone, settings);
        std::string problem;
        const double blocking = measuring.blocking(problem);
        if (std::isnan(blocking)) {
            problems.push_back(problem);
            continue;
        }
        for (const Scheme scheme : plan.schemes) {
            const std::size_t first = results.size();
            const auto measure = [&](std::size_t interval) {
                const int tests = tests_for(group.bytes, interval);
                const double overhead = measuring.overhead(blocking, scheme, tests, problem);
                if (std::isnan(overhead)) {
                    problems.push_back(problem);
                    return std::numeric_limits<double>::infinity();
                }
                results.push_back({algorithm, group.bytes, scheme, interval, tests, blocking, overhead,
                                   overlap_of(blocking, overhead)});
                return overhead;
            };
            double best = std::numeric_limits<double>::infinity();
            for (const std::size_t interval : plan.intervals) {
                best = std::min(best, measure(interval));
            }
            for (std::size_t interval = group.bytes;
                 plan.search_interval && interval > 0 && tests_for(group.bytes, interval) <= most_tests;
                 interval /= 2) {
                const double overhead = measure(interval);
                if (overhead > worthwhile * best && interval < group.bytes / 4) {
                    break;
                }
                best = std::min(best, overhead);
            }
            const auto least = std::min_element(
                results.begin() + static_cast<std::ptrdiff_t>(first), results.end(),
                [](const Overlap& a, const Overlap& b) { return a.overhead_seconds < b.overhead_seconds; });
            if (least != results.end()) {
                least->is_best = true;
            }
        }
    }
    return results;
}

}  // namespace bench
