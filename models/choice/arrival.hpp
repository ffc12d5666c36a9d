// SPDX-License-Identifier: MIT
// How the ranks of a program arrive at a collective: together, as benchmarks let them, or in a pattern of
// delays, as imbalance does. The patterns are those of the field (Salimi Beni, Cosenza and Hunold 2024;
// Marendic et al. 2016); a delay is a share of the pattern's width, which counts in times of the call itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace models {

// A rank at one call. Nodes are counted in the order of their first ranks.
struct ArrivingRank {
    int rank;
    int ranks;
    int node;
    int nodes;
    std::uint64_t draw;  // of this call, for delays by chance; the same for all ranks
};

struct ArrivalPattern {
    std::string_view name;
    std::string_view meaning;
    double (*delay)(const ArrivingRank& who);  // 0 to 1: share of the width
    bool has_width = true;
    int calls_in_a_row = 1;    // after one start, with nothing between
    bool needs_nodes = false;  // with one, nobody is late
    bool is_recorded = false;  // its delays are those of a program
};

std::span<const ArrivalPattern> arrival_patterns();
std::string arrival_pattern_names();

struct Arrival {
    const ArrivalPattern* pattern;
    double width = 1;  // largest delay, in times of the call with the library's default
    bool operator==(const Arrival&) const = default;
};

// PATTERN or PATTERN:WIDTH, such as one-late:0.5. Throws std::invalid_argument with what is wrong.
Arrival parse_arrival(const std::string& text);
std::string to_string(const Arrival& arrival);

// Patterns that take turns from call to call. One that is listed twice has twice the calls.
using ArrivalMix = std::vector<Arrival>;
ArrivalMix parse_arrivals(const std::string& text);  // joined by +; throws as parse_arrival
std::string to_string(const ArrivalMix& mix);
// Of the k-th call
const Arrival& arrival_at(const ArrivalMix& mix, std::size_t k);
// The mean of the widths; those without count as 0
double mean_width(const ArrivalMix& mix);

// For the k-th call of a measurement
std::uint64_t arrival_draw(std::uint64_t seed, std::uint64_t k);
// Of each rank, in seconds; `unit` is the time of the call, `node_of_rank` counts nodes from 0
std::vector<double> arrival_delays(const Arrival& arrival, double unit, std::span<const int> node_of_rank,
                                   std::uint64_t draw);

}  // namespace models
