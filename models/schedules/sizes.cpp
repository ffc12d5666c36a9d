// SPDX-License-Identifier: MIT
#include "sizes.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <stdexcept>

namespace bench {

namespace {

struct Unit {
    const char* name;
    int shift;
};
constexpr Unit units[] = {{"", 0}, {"Ki", 10}, {"Mi", 20}, {"Gi", 30}};

std::invalid_argument bad(const std::string& text) {
    return std::invalid_argument(
        "'" + text + "' is not a message size; write 64, 4Ki, 1Mi, a list 64,4Ki or a range 8:1Mi:x2");
}

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == separator) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

void add_range(const std::string& text, std::set<std::size_t>& sizes) {
    const auto parts = split(text, ':');
    if (parts.size() == 1) {
        sizes.insert(parse_size(parts[0]));
        return;
    }
    if (parts.size() != 3 || parts[2].size() < 2 || (parts[2][0] != 'x' && parts[2][0] != '+')) {
        throw bad(text);
    }
    const std::size_t last = parse_size(parts[1]);
    const std::size_t step = parse_size(parts[2].substr(1));
    const bool multiply = parts[2][0] == 'x';
    const std::size_t first = parse_size(parts[0]);
    if (step < (multiply ? 2U : 1U) || (multiply && first == 0) || first > last) {
        throw bad(text);
    }
    for (std::size_t size = first; size <= last; size = multiply ? size * step : size + step) {
        sizes.insert(size);
    }
}

}  // namespace

std::size_t parse_size(const std::string& text) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || text.empty()) {
        throw bad(text);
    }
    const std::string unit(end, text.data() + text.size());
    for (const auto& row : units) {
        if (unit == row.name) {
            if (number > (std::size_t{1} << 40) >> row.shift) {
                throw std::invalid_argument("'" + text + "' is more than a message can have");
            }
            return number << row.shift;
        }
    }
    throw bad(text);
}

std::string size_text(std::size_t bytes) {
    const Unit* unit = std::begin(units);
    for (const Unit& row : units) {
        unit = bytes != 0 && bytes % (std::size_t{1} << row.shift) == 0 ? &row : unit;
    }
    return std::to_string(bytes >> unit->shift) + unit->name;
}

std::vector<std::size_t> parse_sizes(const std::string& text) {
    std::set<std::size_t> sizes;
    for (const std::string& part : split(text, ',')) {
        add_range(part, sizes);
    }
    return {sizes.begin(), sizes.end()};
}

std::size_t next_refinement(const std::vector<Point>& by_size, std::size_t granularity, double tolerance) {
    double worst = tolerance;
    std::size_t next = 0;
    const auto consider = [&](std::size_t a, std::size_t b, double error) {
        std::size_t middle = (a + b) / 2;
        middle -= middle % granularity;
        // a gap of less than an eighth of its size tells nothing new
        if (error > worst && middle > a && middle < b && b - a > b / 8) {
            worst = error;
            next = middle;
        }
    };
    for (std::size_t i = 1; i + 1 < by_size.size(); ++i) {
        const Point& before = by_size[i - 1];
        const Point& here = by_size[i];
        const Point& after = by_size[i + 1];
        const double part =
            static_cast<double>(here.size - before.size) / static_cast<double>(after.size - before.size);
        const double line = before.time + part * (after.time - before.time);
        const double error = std::abs(here.time - line) / here.time;
        // the bend is in the wider of the two gaps, as far as can be seen
        if (here.size - before.size > after.size - here.size) {
            consider(before.size, here.size, error);
        } else {
            consider(here.size, after.size, error);
        }
    }
    return next;
}

}  // namespace bench
