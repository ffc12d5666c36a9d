// SPDX-License-Identifier: MIT
#include "arrival.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace models {

namespace {

constexpr double smallest_width = 0.001;
constexpr double largest_width = 1000;  // a mistake: nothing of the call is seen beside such a wait

// Steele, Lea and Flood 2014 (SplitMix64): neighbouring numbers become independent ones
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

double uniform(std::uint64_t draw, int rank) {
    constexpr double step = 0x1p-53;
    return static_cast<double>(mixed(draw ^ mixed(static_cast<std::uint64_t>(rank))) >> 11) * step;
}

// The k-th of n at even distances from 0 to 1
double step_of(int k, int n) {
    return n > 1 ? static_cast<double>(k) / (n - 1) : 0;
}

constexpr ArrivalPattern patterns[] = {
    {"together", "all ranks at one moment", [](const ArrivingRank&) { return 0.0; }, false},
    {"one-late", "the last rank late",
     [](const ArrivingRank& who) { return who.rank == who.ranks - 1 ? 1.0 : 0.0; }},
    {"one-early", "all ranks late but rank 0",
     [](const ArrivingRank& who) { return who.rank == 0 ? 0.0 : 1.0; }},
    {"ascending", "each rank later than the one before it, by the same time",
     [](const ArrivingRank& who) { return step_of(who.rank, who.ranks); }},
    {"descending", "each rank earlier than the one before it, by the same time",
     [](const ArrivingRank& who) { return step_of(who.ranks - 1 - who.rank, who.ranks); }},
    {"random", "each rank late by chance (uniform), in each call anew",
     [](const ArrivingRank& who) { return uniform(who.draw, who.rank); }},
    {"half", "the upper half of the ranks late",
     [](const ArrivingRank& who) { return who.rank >= (who.ranks + 1) / 2 ? 1.0 : 0.0; }},
    {"by-node", "each node later than the one before it, by the same time",
     [](const ArrivingRank& who) { return step_of(who.node, who.nodes); }, true, 1, true},
    {"back-to-back", "calls in a row with nothing between", [](const ArrivingRank&) { return 0.0; }, false,
     10},
    {"recorded", "as in a recorded program, in each call as in one of its calls",
     [](const ArrivingRank&) { return 0.0; }, false, 1, false, true},
};

}  // namespace

std::span<const ArrivalPattern> arrival_patterns() {
    return patterns;
}

std::string arrival_pattern_names() {
    std::string names;
    for (const ArrivalPattern& pattern : patterns) {
        names += (names.empty() ? "" : ", ") + std::string(pattern.name);
    }
    return names;
}

Arrival parse_arrival(const std::string& text) {
    const std::size_t colon = text.find(':');
    const std::string name = text.substr(0, colon);
    const auto* const pattern =
        std::find_if(std::begin(patterns), std::end(patterns),
                     [&](const ArrivalPattern& candidate) { return candidate.name == name; });
    if (pattern == std::end(patterns)) {
        throw std::invalid_argument("there is no arrival pattern '" + name +
                                    "'; there are: " + arrival_pattern_names());
    }
    if (colon == std::string::npos) {
        return {pattern};
    }
    if (!pattern->has_width) {
        throw std::invalid_argument("the arrival pattern '" + name + "' has no width; omit '" +
                                    text.substr(colon) + "'");
    }
    const std::string number = text.substr(colon + 1);
    std::size_t end = 0;
    double width = 0;
    if (!number.empty() && number.find_first_not_of("0123456789.") == std::string::npos && number != ".") {
        width = std::stod(number, &end);
    }
    if (end == 0 || end != number.size() || !(width >= smallest_width && width <= largest_width)) {
        throw std::invalid_argument(
            "width of an arrival pattern: expected a number from 0.001 to 1000, "
            "such as one-late:0.5, got '" +
            text + "'");
    }
    return {pattern, width};
}

std::string to_string(const Arrival& arrival) {
    if (!arrival.pattern->has_width) {
        return std::string(arrival.pattern->name);
    }
    char number[32];
    std::snprintf(number, sizeof(number), "%g", arrival.width);
    return std::string(arrival.pattern->name) + ":" + number;
}

ArrivalMix parse_arrivals(const std::string& text) {
    ArrivalMix mix;
    for (std::size_t at = 0; at != std::string::npos;) {
        const std::size_t plus = text.find('+', at);
        mix.push_back(parse_arrival(text.substr(at, plus == std::string::npos ? plus : plus - at)));
        at = plus == std::string::npos ? plus : plus + 1;
    }
    if (mix.size() > 1 &&
        std::any_of(mix.begin(), mix.end(), [](const Arrival& a) { return a.pattern->calls_in_a_row > 1; })) {
        throw std::invalid_argument("calls in a row cannot take turns with other arrivals, got '" + text +
                                    "'; remove back-to-back");
    }
    return mix;
}

std::string to_string(const ArrivalMix& mix) {
    std::string text;
    for (const Arrival& arrival : mix) {
        text += (text.empty() ? "" : "+") + to_string(arrival);
    }
    return text;
}

const Arrival& arrival_at(const ArrivalMix& mix, std::size_t k) {
    return mix[k % mix.size()];
}

double mean_width(const ArrivalMix& mix) {
    double sum = 0;
    for (const Arrival& arrival : mix) {
        sum += arrival.pattern->has_width ? arrival.width : 0;
    }
    return mix.empty() ? 0 : sum / static_cast<double>(mix.size());
}

std::uint64_t arrival_draw(std::uint64_t seed, std::uint64_t k) {
    return mixed(mixed(seed) + k);
}

std::vector<double> arrival_delays(const Arrival& arrival, double unit, std::span<const int> node_of_rank,
                                   std::uint64_t draw) {
    const int ranks = static_cast<int>(node_of_rank.size());
    const int nodes =
        node_of_rank.empty() ? 0 : *std::max_element(node_of_rank.begin(), node_of_rank.end()) + 1;
    std::vector<double> delays;
    for (int rank = 0; rank < ranks; ++rank) {
        const ArrivingRank who = {rank, ranks, node_of_rank[static_cast<std::size_t>(rank)], nodes, draw};
        delays.push_back(arrival.width * unit * arrival.pattern->delay(who));
    }
    return delays;
}

}  // namespace models
