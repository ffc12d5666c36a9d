// SPDX-License-Identifier: MIT
#include "exchange_headlines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "tails.hpp"
#include "units.hpp"

namespace tuner {

namespace {

// The value of a curve that stands for all of its sizes
enum class Of { smallest_size, largest_value, median_value };

double over_sizes(const ExchangeCurve& curve, const std::string& value, Of of) {
    std::vector<double> values;
    for (const auto& [bytes, point] : curve) {
        if (const auto found = point.values.find(value); found != point.values.end()) {
            values.push_back(found->second);
        }
    }
    if (of == Of::smallest_size) {
        return values.front();
    }
    std::sort(values.begin(), values.end());
    return of == Of::largest_value ? values.back() : models::median(values);
}

struct HeadlineRow {
    const char* value;
    const char* quantity;
    Of of;
    std::function<std::string(double)> text;
};
const std::vector<HeadlineRow> rows = {
    {"half_us", "latency", Of::smallest_size, [](double us) { return seconds_text(1e-6 * us); }},
    {"availability", "availability", Of::median_value,
     [](double share) { return fmt::format("{:.2f}", share); }},
    {"overlap", "overlap", Of::median_value,
     [](double share) { return fmt::format("{:.0f}%", 100 * share); }},
    {"megabytes_per_s", "bandwidth", Of::largest_value,
     [](double rate) { return fmt::format("{:.4g} MB/s", rate); }},
    {"messages_per_s", "message rate", Of::largest_value,
     [](double rate) { return fmt::format("{:.4g}/s", rate); }}};

bool has_value(const ExchangeCurve& curve, const char* value) {
    return std::any_of(curve.begin(), curve.end(),
                       [&](const auto& point) { return point.second.values.contains(value); });
}

// Rates are what a stream of messages is measured for; of all others the time is
bool is_told(const ExchangeKey& key, const HeadlineRow& row) {
    const bool is_rate = row.of == Of::largest_value;
    return is_rate == key.exchange.starts_with("bandwidth");
}

double share_beyond(const ExchangeCurve& curve) {
    double above = 0;
    double samples = 0;
    for (const auto& [bytes, point] : curve) {
        const models::Tail tail = models::tail_of(point.sorted_seconds);
        above += tail.shares_beyond.front() * static_cast<double>(tail.count);
        samples += static_cast<double>(tail.count);
    }
    return above / samples;
}

}  // namespace

const std::vector<QuantityFormat>& quantity_formats() {
    static const std::vector<QuantityFormat> formats = {
        {"half_us", "latency us", 2},        {"megabytes_per_s", "MB/s", 2},
        {"messages_per_s", "messages/s", 0}, {"overhead_us", "overhead us", 2},
        {"availability", "availability", 2}, {"overlap", "overlap", 2}};
    return formats;
}

std::string quantity_text(const QuantityFormat& format, double value) {
    return fmt::format("{:.{}f}", value, format.decimals);
}

std::vector<Headline> headlines_of(const ExchangeCurves& curves) {
    std::vector<Headline> headlines;
    for (const auto& [key, curve] : curves) {
        const double share = share_beyond(curve);
        bool is_empty = true;
        for (const HeadlineRow& row : rows) {
            if (has_value(curve, row.value) && is_told(key, row)) {
                const double value = over_sizes(curve, row.value, row.of);
                headlines.push_back({key, row.quantity, value, row.text(value), share});
                is_empty = false;
            }
        }
        if (is_empty) {
            const double seconds = curve.begin()->second.median_seconds;
            headlines.push_back({key, "time", seconds, seconds_text(seconds), share});
        }
    }
    return headlines;
}

std::string headlines_table(const ExchangeCurves& curves) {
    using Row = std::tuple<std::string, Layout, std::string, std::string>;
    std::map<Row, std::map<std::string, Headline>> rows_of_table;
    std::set<std::string> networks;
    for (const Headline& headline : headlines_of(curves)) {
        rows_of_table[{headline.key.exchange, headline.key.layout, headline.key.way, headline.quantity}]
            .emplace(headline.key.network, headline);
        networks.insert(headline.key.network);
    }
    if (networks.empty()) {
        return "";
    }
    std::string text = fmt::format("  {:<22} {:<8} {:<28} {:<13}", "exchange", "layout", "way", "");
    for (const std::string& network : networks) {
        text += fmt::format(" {:>14} {:>7}", network, fmt::format(">{:g}x", models::far_factors.front()));
    }
    for (const auto& [row, by_network] : rows_of_table) {
        const auto& [exchange, layout, way, quantity] = row;
        text += fmt::format("\n  {:<22} {:<8} {:<28} {:<13}", exchange, to_string(layout), way, quantity);
        for (const std::string& network : networks) {
            const auto found = by_network.find(network);
            text += found == by_network.end() ? fmt::format(" {:>14} {:>7}", "-", "-")
                                              : fmt::format(" {:>14} {:>6.1f}%", found->second.text,
                                                            100 * found->second.share_beyond);
        }
    }
    return text + "\n";
}

}  // namespace tuner
