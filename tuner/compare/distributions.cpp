// SPDX-License-Identifier: MIT
#include "distributions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "case_json.hpp"
#include "command.hpp"
#include "error.hpp"
#include "saved_run.hpp"
#include "units.hpp"

namespace tuner {

namespace {

constexpr std::size_t bins = 20;

Json to_json(const std::optional<models::LogNormal>& fit) {
    return fit ? Json{{"shift_us", 1e6 * fit->shift},
                      {"median_above_us", 1e6 * fit->median},
                      {"sigma", fit->sigma},
                      {"distance", fit->distance}}
               : Json();
}

Json to_json(const models::Histogram& histogram) {
    return {{"first_edge_us", 1e6 * histogram.first_edge},
            {"bin_width_us", 1e6 * histogram.bin_width},
            {"counts", histogram.counts},
            {"beyond", histogram.beyond}};
}

Json to_json(const CaseDistribution& d) {
    Json shares = Json::object();
    for (std::size_t i = 0; i < models::far_factors.size(); ++i) {
        shares[fmt::format("{:g}", models::far_factors[i])] = d.tail.shares_beyond[i];
    }
    Json outliers = Json::array();
    for (const double seconds : d.outliers) {
        outliers.push_back(1e6 * seconds);
    }
    Json json = Json::object();
    add_case(json, d.key);
    json.update({{"samples", d.tail.count},
                 {"min_us", 1e6 * d.tail.min},
                 {"median_us", 1e6 * d.tail.median},
                 {"p90_us", 1e6 * d.tail.p90},
                 {"p99_us", 1e6 * d.tail.p99},
                 {"max_us", 1e6 * d.tail.max},
                 {"shares_beyond_times_min", shares},
                 {"outliers_us", outliers},
                 {"like_time_outs", d.tail.time_outs},
                 {"kernel_time_outs", d.kernel_time_outs ? Json(*d.kernel_time_outs) : Json()},
                 {"log_normal", to_json(d.log_normal)},
                 {"histogram", to_json(d.histogram)}});
    return json;
}

std::string place_of(const CaseKey& key) {
    return fmt::format("{} on {} {}", key.what, key.network, to_string(key.layout));
}

std::string row_of(const CaseDistribution& d) {
    std::string row =
        fmt::format("  {:<26} {:>7} {:>6} {:>9} {:>9} {:>9} {:>9}", d.key.way, bytes_text(d.key.bytes),
                    d.tail.count, seconds_text(d.tail.min), seconds_text(d.tail.median),
                    seconds_text(d.tail.p99), seconds_text(d.tail.max));
    for (const double share : d.tail.shares_beyond) {
        row += fmt::format(" {:>6.1f}%", 100 * share);
    }
    row += fmt::format(" {:>8} {:>9} {:>6}", d.outliers.size(), d.tail.time_outs,
                       d.kernel_time_outs ? std::to_string(*d.kernel_time_outs) : "-");
    return row + (d.log_normal ? fmt::format("  {} + {}, {:.2f}, {:.2f}", seconds_text(d.log_normal->shift),
                                             seconds_text(d.log_normal->median), d.log_normal->sigma,
                                             d.log_normal->distance)
                               : "  -");
}

}  // namespace

std::vector<CaseDistribution> distributions_of(const DistributionOptions& options) {
    if (!(options.outlier_factor > 1)) {
        throw usage_error("--factor: expected a number above 1, such as 5");
    }
    const SavedRun run(options.folder);
    std::vector<CaseDistribution> distributions;
    std::set<std::string> names;
    for (const auto& [key, measured] : measured_cases(run.data())) {
        names.insert(fmt::format("{} {} {}", key.network, to_string(key.layout), key.what));
        if (to_string(key).find(options.wanted) == std::string::npos) {
            continue;
        }
        const std::vector<double>& sorted = measured.sorted_seconds;
        CaseDistribution d{
            key, models::tail_of(sorted),     models::fit_log_normal(sorted), models::histogram(sorted, bins),
            {},  measured.about.tcp_time_outs};
        d.outliers.assign(
            std::upper_bound(sorted.begin(), sorted.end(), options.outlier_factor * d.tail.median),
            sorted.end());
        distributions.push_back(std::move(d));
    }
    if (distributions.empty() && !names.empty()) {
        throw usage_error(fmt::format("the run {} has no measured case with '{}' in its name; it has: {}",
                                      options.folder, options.wanted, fmt::join(names, ", ")));
    }
    if (distributions.empty()) {
        throw usage_error(fmt::format("the run {} has no measured case; try: changeover run --run {}",
                                      options.folder, shell_quoted(options.folder)));
    }
    return distributions;
}

Json to_json(const std::vector<CaseDistribution>& distributions, double outlier_factor) {
    Json cases = Json::array();
    for (const CaseDistribution& d : distributions) {
        cases.push_back(to_json(d));
    }
    return {{"format", "changeover-distributions"},
            {"version", 1},
            {"outlier_factor", outlier_factor},
            {"cases", cases}};
}

std::string to_text(const std::vector<CaseDistribution>& distributions, double outlier_factor) {
    std::string text = fmt::format(
        "Shares of the repetitions beyond so many times the shortest; outliers: above {:g} times the median; "
        "time-outs: those\nthat look like a retransmit time-out of TCP, and what the kernel counted; "
        "log-normal: shift + median above it, sigma,\ndistance (near 1 / sqrt(repetitions): it fits)\n",
        outlier_factor);
    std::string place;
    for (const CaseDistribution& d : distributions) {
        if (place_of(d.key) != place) {
            place = place_of(d.key);
            text += fmt::format("\n{}\n  {:<26} {:>7} {:>6} {:>9} {:>9} {:>9} {:>9}", place, "", "bytes", "n",
                                "min", "median", "p99", "max");
            for (const double factor : models::far_factors) {
                text += fmt::format(" {:>7}", fmt::format(">{:g}x", factor));
            }
            text += fmt::format(" {:>8} {:>9} {:>6}  {}\n", "outliers", "time-outs", "kernel", "log-normal");
        }
        text += row_of(d) + "\n";
    }
    return text;
}

}  // namespace tuner
