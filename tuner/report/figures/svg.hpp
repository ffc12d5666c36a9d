// SPDX-License-Identifier: MIT
// The parts that figures are drawn with: text that is safe in HTML and SVG, logarithmic axes and their ticks,
// and a drawing that grows element by element. Colours are classes (palette); nothing here knows them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tuner::report {

// For HTML and XML, text and attributes alike. Control characters, which XML forbids, become U+FFFD.
std::string escaped(std::string_view text);

// JSON inside of a <script> element: nothing in it can end the element or start a comment.
std::string safe_in_script(std::string json);

// A part of a file name or an id: letters, digits and '-' stay, the rest becomes '_'
std::string slug(std::string_view text);

struct Point {
    double x;
    double y;
};

class LogScale {
  public:
    // Values from low to high, both above zero, are put between the positions. Equal ones get room around.
    LogScale(double low, double high, double from_position, double to_position);
    double operator()(double value) const;
    double low() const { return low_; }
    double high() const { return high_; }
    // from_position, to_position, log2(low), log2(high): what a script needs to turn a position into a value
    std::string attribute() const;

  private:
    double low_;
    double high_;
    double from_;
    double to_;
};

// Powers of two inside of the range, evenly spaced exponents, at most `most`
std::vector<double> byte_ticks(double low, double high, std::size_t most);
// Powers of ten inside of the range; with 2 and 5 between if there would be fewer than three; even steps if
// there still are
std::vector<double> time_ticks(double low, double high);

std::string size_label(double bytes);      // 4Ki, 1.5Mi: three digits
std::string percent_label(double factor);  // of 1.234: +23%; of 4 and more: 4.2x

// The part of a text that is at its position
enum class Anchor { start, middle, end };

class Drawing {
  public:
    // Attributes are given whole, such as class="axis", and go in as they are; texts are escaped.
    void line(Point from, Point to, std::string_view attributes);
    void rect(Point corner, double width, double height, std::string_view attributes);
    void text(Point at, std::string_view attributes, std::string_view content);
    void label(Point at, Anchor anchor, std::string_view classes, std::string_view content);
    void path(std::string_view data, std::string_view attributes);
    void open(std::string_view attributes);  // a group
    void open_line(std::string_view name);   // a group that the page's script finds by its name
    void close();
    void title(std::string_view content);  // the tooltip of the open group
    const std::string& str() const { return text_; }

  private:
    std::string text_;
};

std::string number(double value);                        // a coordinate: one digit behind the point at most
std::string polyline(const std::vector<Point>& points);  // relative: a third shorter

// Roughly how wide a text is in a sans-serif face
double text_width(std::string_view text, double font_size);

}  // namespace tuner::report
