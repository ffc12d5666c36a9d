// SPDX-License-Identifier: MIT
// All that a report shows, gathered from a run directory: what was gained, the choice at every measured size,
// what the model says, where times scatter, how it was measured, and what is missing. No drawing, no markup.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arrival_flips.hpp"
#include "audit.hpp"
#include "compare.hpp"
#include "network_changes.hpp"
#include "plan.hpp"
#include "prediction.hpp"
#include "tails.hpp"
#include "verify.hpp"

namespace tuner::report {

// What a tuned library does at one size that was measured for deciding or verified
struct SizeChoice {
    std::size_t bytes;
    std::string runs;  // the algorithm; empty: left to the library, which cannot tell
    bool by_rule;
    double gain;       // default / tuned; not a number: one of them was not measured
    bool is_verified;  // in pairs, not used for deciding
};

// Neighbouring sizes with one algorithm
struct Stretch {
    double from_bytes;
    double to_bytes;
    std::string algorithm;  // empty: unknown
    bool by_rule;
    models::Interval from_interval;  // where the changeover to it may be
};

// The best algorithm other than the default, for cells that keep the default
struct NearMiss {
    std::string algorithm;
    std::size_t bytes = 0;
    double gain = 1;  // default / it
    std::string why;  // it was not taken
};

struct ReportCell {
    CellKey key;
    Cell measured;
    std::vector<SizeChoice> sizes;
    std::vector<Stretch> tuned;       // what a tuned library does, from the smallest to the largest size
    std::vector<Stretch> by_default;  // what it does by itself
    // seconds by size, for each algorithm that the model knows
    std::map<std::string, std::map<std::size_t, double>> predicted;
    std::optional<NearMiss> near_miss;  // there is no rule here
};

// Samples of one size, of one algorithm or of two that were measured together
struct Distribution {
    CellKey cell;
    std::size_t bytes;
    std::string why;  // it is shown
    struct Series {
        std::string algorithm;
        std::vector<double> sorted_seconds;
        models::Tail tail;
        std::size_t outliers;
        std::vector<double> finish_of_rank;  // seconds, medians; empty: not known
    };
    std::vector<Series> series;
};

struct NetworkModel {
    std::string network;
    std::optional<models::NetworkFit> fit;
    std::vector<Prediction::Explained> times;
    std::string problem;        // why there is no fit
    std::string without_model;  // algorithms (fit_quality.hpp)
};

// What the jobs on one network and layout said
struct Place {
    std::string network;
    Layout layout;
    Json header;  // of the first job; null: none ever started
    std::string command_line;
    std::size_t jobs = 0;
    std::size_t samples = 0;
    std::size_t invalid = 0;  // repetitions
    double sync_error_us = 0;
    std::optional<long> tcp_time_outs;  // counted by the kernel while the jobs ran
};

// Cases that are less precise than the plan wants
struct Doubtful {
    CellKey cell;
    std::size_t cases = 0;
    std::size_t of = 0;
    double worst_precision = 0;
    std::string setting;  // to raise
};

struct Problem {
    std::string what;
    std::string remedy;  // may be empty
};

struct Gains {
    std::vector<const Proof*> proofs;  // of sizes that a rule holds for, the best first
    double geometric_mean = 1;
    std::size_t changed_sizes = 0;  // measured sizes with a rule, of
    std::size_t sizes = 0;
    double mean_of_changed = 1;  // geometric, at the sizes that were used for deciding
};

struct ReportData {
    std::string folder;
    Manifest manifest;
    Cluster cluster;
    Plan plan;
    Config config;
    bool has_config = false;
    std::vector<Proof> proofs;
    Gains gains;
    std::vector<ReportCell> cells;  // by collective and operation, network, layout
    std::vector<NetworkModel> models;
    NetworkParameters network_parameters;
    ExchangeCurves exchanges;
    std::vector<Comparison> comparisons;           // of its networks, or with another run
    std::vector<std::string> comparison_problems;  // what could not be compared, and why
    std::vector<Distribution> distributions;
    std::optional<Audit> audit;  // of the performance guidelines; nothing: there was none
    std::vector<Place> places;
    std::vector<Doubtful> doubtful;
    std::vector<std::string> coarse;  // changeovers that are known less well than the plan wants
    std::vector<Problem> problems;
    std::vector<NetworkChange> network_changes;
    ArrivalFlips flips;  // of the best algorithm, with the pattern of arrival
    double benchmark_seconds = 0;
    std::size_t cases = 0;
    std::size_t samples = 0;

    ReportData() = default;
    ReportData(ReportData&&) = default;  // `gains` points into `proofs`
    ReportData(const ReportData&) = delete;
};

// `against`: another run to compare it with; empty: its own networks are compared with the first one. Throws
// an Error if there is no run.
ReportData gather(const std::string& folder, const std::string& against = "");

// What the answer is known less well for, the most important first, in words
std::vector<std::string> known_less_well(const ReportData& data);

std::string collective_label(const CellKey& key);  // allreduce, or allreduce (user)
bool is_same_collective(const CellKey& a, const CellKey& b);

}  // namespace tuner::report
