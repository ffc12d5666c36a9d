// SPDX-License-Identifier: MIT
// What people ask of a network first, one number for each exchange: latency, bandwidth, message rate,
// availability, overlap, and how often a repetition takes far longer than the shortest.
#pragma once

#include <string>
#include <vector>

#include "exchange_curves.hpp"

namespace tuner {

// How a value of the benchmark is called and written
struct QuantityFormat {
    const char* value;    // the benchmark's name
    const char* heading;  // of a column
    int decimals;
};
const std::vector<QuantityFormat>& quantity_formats();  // in the order of columns
std::string quantity_text(const QuantityFormat& format, double value);

struct Headline {
    ExchangeKey key;
    std::string quantity;  // latency, bandwidth ...
    double value = 0;
    std::string text;         // of the value, with its unit
    double share_beyond = 0;  // of the repetitions of all sizes: far above the shortest
};
std::vector<Headline> headlines_of(const ExchangeCurves& curves);

// For people: a row for each, a column for each network; empty if nothing was measured
std::string headlines_table(const ExchangeCurves& curves);

}  // namespace tuner
