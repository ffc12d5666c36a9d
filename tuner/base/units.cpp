// SPDX-License-Identifier: MIT
#include "units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "error.hpp"
#include "sizes.hpp"

namespace tuner {

namespace {

constexpr struct {
    const char* name;
    double seconds;
} time_units[] = {{"h", 3600}, {"m", 60}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};

// A number at the start of the text; takes it and the letters behind it off. False: there is none.
bool take(std::string& text, double& number, std::string& unit) {
    const char* const end = text.data() + text.size();
    const auto [next, problem] = std::from_chars(text.data(), end, number);
    if (problem != std::errc()) {
        return false;
    }
    const char* last = next;
    while (last < end && std::isalpha(static_cast<unsigned char>(*last))) {
        ++last;
    }
    unit.assign(next, last);
    text.erase(0, static_cast<std::size_t>(last - text.data()));
    return true;
}

}  // namespace

std::size_t parse_bytes(const std::string& text) {
    try {
        return models::parse_size(text);
    } catch (const std::invalid_argument&) {
        throw usage_error(
            fmt::format("'{}' is not a message size; write bytes, such as 512, 4Ki or 1Mi", text));
    }
}

std::string memory_text(std::size_t bytes) {
    if (bytes < 1024) {
        return fmt::format("{} bytes", bytes);
    }
    constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB"};
    double number = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    for (; number >= 1024 && unit + 1 < std::size(units); ++unit) {
        number /= 1024;
    }
    return fmt::format("{:.1f} {}", number, units[unit]);
}

double parse_seconds(const std::string& text) {
    const auto bad = [&] {
        return usage_error(fmt::format(
            "'{}' is not a time; write a number and its unit, such as 500us, 90s, 10m or 1h30m", text));
    };
    double total = 0;
    std::string rest = text;
    do {
        double number = 0;
        std::string unit;
        if (!take(rest, number, unit) || !(number >= 0)) {
            throw bad();
        }
        const auto* row = std::find_if(std::begin(time_units), std::end(time_units),
                                       [&](const auto& candidate) { return unit == candidate.name; });
        if (row == std::end(time_units)) {
            throw bad();
        }
        total += number * row->seconds;
    } while (!rest.empty());
    if (!(total > 0) || !std::isfinite(total)) {
        throw bad();
    }
    return total;
}

double parse_share(const std::string& text) {
    double number = 0;
    std::string unit;
    std::string rest = text;
    const bool is_number = take(rest, number, unit) && unit.empty() && (rest.empty() || rest == "%");
    const double share = rest == "%" ? number / 100 : number;
    if (!is_number || !(share >= 0 && share <= 1)) {
        throw usage_error(fmt::format("'{}' is not a share; write a number and %, such as 1% or 0.5%", text));
    }
    return share;
}

std::string bytes_text(std::size_t bytes) {
    return models::size_text(bytes);
}

std::string seconds_text(double seconds) {
    if (seconds >= 99.5) {
        const long whole = std::lround(seconds);
        return whole >= 3600 ? fmt::format("{}h{:02}m", whole / 3600, whole / 60 % 60)
                             : fmt::format("{}m{:02}s", whole / 60, whole % 60);
    }
    for (const char* unit : {"s", "ms", "us"}) {
        if (seconds >= 0.9995 || std::string(unit) == "us" || seconds <= 0) {
            return fmt::format("{:.3g} {}", seconds, unit);
        }
        seconds *= 1e3;
    }
    return {};
}

}  // namespace tuner
