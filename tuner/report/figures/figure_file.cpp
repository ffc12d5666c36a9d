// SPDX-License-Identifier: MIT
// A figure inside of a page, and as a file of its own: with its title, its key and the style around it.
#include <fmt/format.h>

#include "axes.hpp"
#include "palette.hpp"

namespace tuner::report {

namespace {

constexpr double margin = 10;
constexpr double title_height = 26;
constexpr double key_row = 18;

// Rows of the key, from left to right as far as they fit
double draw_key(Drawing& drawing, const std::vector<KeyEntry>& key, double width, double top) {
    double x = margin;
    double y = top + key_row / 2;
    for (const KeyEntry& entry : key) {
        const double entry_width = 34 + text_width(entry.label, font_size);
        if (x > margin && x + entry_width > width - margin) {
            x = margin;
            y += key_row;
        }
        switch (entry.kind) {
            case KeyEntry::Kind::line:
                drawing.path(polyline({{x, y}, {x + 9, y}, {x + 18, y}}),
                             "class=\"" + entry.classes + " line\"");
                break;
            case KeyEntry::Kind::thin_line:
                drawing.line({x, y}, {x + 18, y}, "class=\"change-line\"");
                break;
            case KeyEntry::Kind::box:
            case KeyEntry::Kind::hatched_box:
            case KeyEntry::Kind::dot:
                draw_key_box(drawing, {x + 2, y - 5}, entry.kind, entry.classes);
                break;
        }
        drawing.text({x + 22, y + 4}, "class=\"ink\"", entry.label);
        x += entry_width;
    }
    return y + key_row - top;
}

}  // namespace

std::string svg_for_page(const Figure& figure) {
    return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\" {}>{}</svg>",
                       number(figure.width), number(figure.height), escaped(figure.title), figure.attributes,
                       figure.body);
}

std::string svg_file(const Figure& figure) {
    Drawing key;
    const double key_top = title_height + figure.height;
    const double key_height = figure.key.empty() ? 0 : draw_key(key, figure.key, figure.width, key_top);
    const double height = key_top + key_height + margin;
    Drawing title;
    title.text({margin, 18}, "class=\"ink title\"", figure.title);
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">"
        "<title>{2}</title><style>{3}</style>{4}<rect class=\"ground\" width=\"{0}\" height=\"{1}\"/>{5}"
        "<g transform=\"translate(0,{6})\">{7}</g>{8}</svg>\n",
        number(figure.width), number(height), escaped(figure.title), figure_style_light(),
        marker_definitions(), title.str(), number(title_height), figure.body, key.str());
}

}  // namespace tuner::report
