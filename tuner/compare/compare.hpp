// SPDX-License-Identifier: MIT
// `changeover compare`: two networks of a run, or two runs, side by side. Who is faster by how much and
// where, how the changeovers move, what a message costs, and the tails. The samples of the two come from
// different jobs: they are not paired, and what differs from job to job is in the ratios.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cells.hpp"
#include "comparison.hpp"
#include "conditions.hpp"
#include "decide.hpp"
#include "exchange_curves.hpp"
#include "network_parameters.hpp"
#include "tails.hpp"

namespace tuner {

struct CompareOptions {
    std::string run;  // not empty: `a` and `b` are networks of it; else they are runs
    std::string a;
    std::string b;
    std::vector<std::string> networks = {};  // of two runs: one name for both, or one for each; none: all
    double margin = 0.05;                    // smaller differences are ignored: jobs differ by as much
};

// One of the two: a network of a run
struct ComparedSide {
    std::string run;  // folder
    std::string network;
    std::string created;
    std::string config;  // in words
    bool is_simulated = false;
};

struct Condition {
    std::string name;
    std::string a;
    std::string b;  // empty: not there
};

// What one side chose at a size
struct ChosenCase {
    std::string algorithm;  // that ran
    models::Interval interval;
    models::Tail tail;  // with the median
};

enum class Winner { neither, a, b };

struct ComparedChoice {
    std::optional<ChosenCase> a;
    std::optional<ChosenCase> b;
    std::optional<models::Ratio> ratio;  // b / a
    double p = 1;                        // of the rank-sum test, corrected for the sizes of the cell
    Winner winner = Winner::neither;
};

inline constexpr std::array choice_names = {"default", "best", "tuned"};

struct ComparedSize {
    std::size_t bytes = 0;
    std::array<ComparedChoice, choice_names.size()> choices;
};

// Neighbouring sizes with the same winner
struct WonRange {
    Winner winner = Winner::neither;
    std::size_t from_bytes = 0;
    std::size_t to_bytes = 0;
    double ratio = 1;  // b / a, geometric mean of its sizes
};

struct ChangeoverPoint {
    double bytes = 0;
    models::Interval interval = {0, 0};
};

// From one algorithm to another, as decided on each side by itself
struct ComparedChangeover {
    std::string from;
    std::string to;
    std::optional<ChangeoverPoint> a;
    std::optional<ChangeoverPoint> b;

    bool has_moved() const;  // both have it, and their intervals do not overlap
};

struct ComparedCell {
    CellKey key;  // without network
    std::vector<ComparedSize> sizes;
    std::array<std::vector<WonRange>, choice_names.size()> won;
    std::vector<ChosenRange> chosen_a;  // as decided on each side by itself
    std::vector<ChosenRange> chosen_b;
    std::vector<ComparedChangeover> changeovers;  // between these
    std::vector<std::string> only_a;              // sizes and algorithms, in words
    std::vector<std::string> only_b;
};

struct ComparedLayout {
    Layout layout;
    KernelCounters a;
    KernelCounters b;
};

struct ComparedMessage {
    Link link = Link::between_nodes;
    std::size_t bytes = 0;
    models::Ratio ratio;  // b / a of the one-way times
};

struct ComparedExchangeSize {
    std::size_t bytes = 0;
    ExchangePoint a;
    ExchangePoint b;
    models::Tail tail_a = {};
    models::Tail tail_b = {};
    models::Ratio ratio = {};  // b / a of the times
    double p = 1;              // of the rank-sum test, corrected for the sizes of the exchange
    Winner winner = Winner::neither;
};

struct ComparedExchange {
    ExchangeKey key;  // without network
    std::vector<ComparedExchangeSize> sizes;
};

struct Comparison {
    ComparedSide a;
    ComparedSide b;
    double margin = 0;
    double loss_bound = 0;  // of the decided ranges
    std::vector<Condition> differing;
    std::vector<std::string> same;  // conditions
    std::vector<ComparedCell> cells;
    std::vector<std::string> only_a;  // cells, in words
    std::vector<std::string> only_b;
    std::vector<ComparedLayout> layouts;
    NetworkParameters parameters;  // the network is A or B
    std::vector<ComparedMessage> messages;
    std::vector<ComparedExchange> exchanges;  // that the plans of both asked for
};

// One for each pair of networks. `only`: networks that have no counterpart, in words.
struct Comparisons {
    std::vector<Comparison> pairs;
    std::vector<std::string> only;
};

Comparisons compare(const CompareOptions& options);

Json to_json(const Comparisons& comparisons);
std::string to_text(const Comparisons& comparisons);

}  // namespace tuner
