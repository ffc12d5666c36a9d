// SPDX-License-Identifier: MIT
#include "svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tuner::report {

namespace {

constexpr double mean_character_width = 0.54;  // of the font size; DejaVu Sans, Liberation Sans, Arial

}  // namespace

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            case '\'':
                result += "&#39;";
                break;
            default:
                const bool is_control = static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
                result += is_control || c == 0x7f ? std::string("\uFFFD") : std::string(1, c);
        }
    }
    return result;
}

std::string safe_in_script(std::string json) {
    // '<' is only inside of strings in JSON; without it there is neither </script nor <!--
    std::string result;
    result.reserve(json.size());
    for (const char c : json) {
        if (c == '<') {
            result += "\\u003c";
        } else {
            result += c;
        }
    }
    return result;
}

std::string slug(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const bool is_plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
        result += is_plain ? c : '_';
    }
    return result;
}

LogScale::LogScale(double low, double high, double from_position, double to_position)
    : low_(low), high_(high), from_(from_position), to_(to_position) {
    if (!(high_ > low_)) {
        low_ /= 2;
        high_ = 4 * low_;
    }
}

double LogScale::operator()(double value) const {
    return from_ + (to_ - from_) * std::log(value / low_) / std::log(high_ / low_);
}

std::string LogScale::attribute() const {
    return fmt::format("{} {} {:.6g} {:.6g}", number(from_), number(to_), std::log2(low_), std::log2(high_));
}

std::vector<double> byte_ticks(double low, double high, std::size_t most) {
    const int first = static_cast<int>(std::ceil(std::log2(low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log2(high) + 1e-9));
    std::vector<double> ticks;
    for (int step = 1; last >= first; ++step) {
        if (static_cast<std::size_t>((last - first) / step + 1) <= std::max<std::size_t>(most, 1)) {
            for (int exponent = first; exponent <= last; exponent += step) {
                ticks.push_back(std::exp2(exponent));
            }
            break;
        }
    }
    return ticks;
}

namespace {

std::vector<double> ticks_of_decades(double low, double high, std::initializer_list<double> digits) {
    std::vector<double> ticks;
    for (int exponent = static_cast<int>(std::floor(std::log10(low)));
         exponent <= static_cast<int>(std::ceil(std::log10(high))); ++exponent) {
        for (const double digit : digits) {
            const double tick = digit * std::pow(10.0, exponent);
            if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) {
                ticks.push_back(tick);
            }
        }
    }
    return ticks;
}

// About four, at multiples of 1, 2 or 5 times a power of ten
std::vector<double> even_ticks(double low, double high) {
    const double rough_step = (high - low) / 4;
    const double decade = std::pow(10.0, std::floor(std::log10(rough_step)));
    const double digit = rough_step / decade;
    const double step = decade * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
    std::vector<double> ticks;
    for (double i = std::ceil(low / step); i * step <= high; ++i) {
        ticks.push_back(i * step);
    }
    return ticks;
}

}  // namespace

std::vector<double> time_ticks(double low, double high) {
    for (const auto& digits : {std::initializer_list<double>{1}, std::initializer_list<double>{1, 2, 5}}) {
        std::vector<double> ticks = ticks_of_decades(low, high, digits);
        if (ticks.size() >= 3) {
            return ticks;
        }
    }
    return even_ticks(low, high);
}

std::string size_label(double bytes) {
    constexpr struct {
        double factor;
        const char* unit;
    } units[] = {{0x1p30, "Gi"}, {0x1p20, "Mi"}, {0x1p10, "Ki"}};
    for (const auto& [factor, unit] : units) {
        if (bytes >= factor) {
            return fmt::format("{:.3g}{}", bytes / factor, unit);
        }
    }
    return fmt::format("{:.0f}", bytes);
}

std::string percent_label(double factor) {
    if (factor >= 4) {
        return fmt::format("{:.{}f}x", factor, factor < 100 ? 1 : 0);
    }
    return fmt::format("{:+.0f}%",
                       std::round(100 * (factor - 1)) + 0.0);  // never -0
}

std::string number(double value) {
    std::string text = fmt::format("{:.1f}", value);
    if (text.ends_with(".0")) {
        text.resize(text.size() - 2);
    }
    return text == "-0" ? "0" : text;
}

std::string polyline(const std::vector<Point>& points) {
    std::string data;
    long last_x = 0;  // in tenths, as written: rounding does not add up
    long last_y = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const long x = std::lround(10 * points[i].x);
        const long y = std::lround(10 * points[i].y);
        data += i == 0 ? "M" : i == 1 ? "l" : " ";
        data +=
            number(static_cast<double>(x - last_x) / 10) + "," + number(static_cast<double>(y - last_y) / 10);
        last_x = x;
        last_y = y;
    }
    return data;
}

double text_width(std::string_view text, double size) {
    return mean_character_width * size * static_cast<double>(text.size());
}

void Drawing::line(Point from, Point to, std::string_view attributes) {
    text_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>", number(from.x), number(from.y),
                         number(to.x), number(to.y), attributes);
}

void Drawing::rect(Point corner, double width, double height, std::string_view attributes) {
    text_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>", number(corner.x),
                         number(corner.y), number(width), number(height), attributes);
}

void Drawing::text(Point at, std::string_view attributes, std::string_view content) {
    text_ += fmt::format("<text x=\"{}\" y=\"{}\"{}{}>{}</text>", number(at.x), number(at.y),
                         attributes.empty() ? "" : " ", attributes, escaped(content));
}

void Drawing::label(Point at, Anchor anchor, std::string_view classes, std::string_view content) {
    constexpr const char* anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    text(at, fmt::format("class=\"{}\"{}", classes, anchors[static_cast<std::size_t>(anchor)]), content);
}

void Drawing::path(std::string_view data, std::string_view attributes) {
    text_ += fmt::format("<path d=\"{}\" {}/>", data, attributes);
}

void Drawing::open(std::string_view attributes) {
    text_ += fmt::format("<g {}>", attributes);
}

void Drawing::open_line(std::string_view name) {
    open(fmt::format("data-line=\"{}\"", escaped(name)));
}

void Drawing::close() {
    text_ += "</g>";
}

void Drawing::title(std::string_view content) {
    text_ += "<title>" + escaped(content) + "</title>";
}

}  // namespace tuner::report
