// SPDX-License-Identifier: MIT
// Prints how far the results of a tuning can be trusted: whole tunings on a simulated cluster, many times.
// The same seed gives the same figures. Exit code 1: a goal is missed.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>

#include "figures.hpp"
#include "noise.hpp"

namespace {

using namespace calibration;

// Too few of them say nothing; more take longer than a test of scripts/test may take
constexpr std::size_t quick_tunings = 24;

std::string list_of_figures() {
    std::string text = "Figures:\n";
    for (const Figure& figure : figures()) {
        text += fmt::format("  {:<20} {}\n", figure.name, figure.what);
    }
    return text;
}

void print_noise(const Noise& noise) {
    fmt::print(
        "  {:<12} repetition {:.1f}%, autocorrelation {:.2f}, outliers {:.1f}%, level {:.1f}% over {:.2g} s, "
        "jobs {:.1f}%\n",
        noise.name, 100 * noise.repetition_sd, noise.autocorrelation, 100 * noise.outlier_share,
        100 * noise.level_sd, noise.level_seconds, 100 * noise.ratio_of_jobs_sd);
}

void print_noises(const Options& options) {
    fmt::print("Noise (standard deviations):\n");
    for (const std::string& name : names_of_noises()) {
        print_noise(noise_named(name));
    }
    print_noise(noise_of(tuner::load_run(options.recorded)));
    fmt::print("\n");
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<Row> simulate(const std::vector<std::string>& wanted, const Options& options) {
    std::vector<Row> rows;
    for (const Figure& figure : figures()) {
        if (wanted.empty() || std::find(wanted.begin(), wanted.end(), figure.name) != wanted.end()) {
            const auto start = std::chrono::steady_clock::now();
            const std::vector<Row> found = figure.rows(options);
            rows.insert(rows.end(), found.begin(), found.end());
            fmt::print(stderr, "{}: {:.1f} s\n", figure.name, seconds_since(start));
        }
    }
    return rows;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Simulates whole tunings and prints how far their results can be trusted.");
    Options options;
    options.recorded = TESTS_DATA "/recorded";
    std::vector<std::string> wanted;
    app.add_option("--tunings", options.tunings, "how many are simulated for each figure (default: 200)")
        ->check(CLI::PositiveNumber);
    app.add_option("--seed", options.seed, "the same seed gives the same figures (default: 1)");
    app.add_option("--threads", options.threads, "(default: 1)")->check(CLI::PositiveNumber);
    app.add_option("--recorded", options.recorded, "run directory that noise is fitted to")
        ->check(CLI::ExistingDirectory);
    app.add_flag("--quick", options.is_quick, "a minute, and fails only if a goal is missed by far");
    std::vector<std::string> names;
    for (const Figure& figure : figures()) {
        names.push_back(figure.name);
    }
    app.add_option("--figure", wanted, "only these (default: all)")->check(CLI::IsMember(names));
    app.footer(list_of_figures());
    CLI11_PARSE(app, argc, argv);
    if (options.is_quick && app.count("--tunings") == 0) {
        options.tunings = quick_tunings;
    }
    print_noises(options);
    const std::vector<Row> rows = simulate(wanted, options);
    fmt::print("{}", table_of(rows));
    const auto missed = std::count_if(rows.begin(), rows.end(), [](const Row& row) { return !row.passes; });
    fmt::print("{} of {} goals missed\n", missed, rows.size());
    return missed == 0 ? 0 : 1;
}
