// SPDX-License-Identifier: MIT
#include "palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "cells.hpp"
#include "schedule.hpp"

namespace tuner::report {

namespace {

// Okabe and Ito (2008), without black (the default's) and with Paul Tol's indigo in place of yellow, which
// cannot be seen on white. The dark row is the same hues, lighter.
struct Colour {
    const char* light;
    const char* dark;
    const char* mark;  // path of about 7 units around 0,0
};
constexpr std::array<Colour, 7> colours = {{
    {"#0072b2", "#4ba3e0", "M-3,0a3,3 0 1,0 6,0a3,3 0 1,0 -6,0z"},
    {"#d55e00", "#ff8a3d", "M-3,-3h6v6h-6z"},
    {"#009e73", "#2cc79b", "M0,-3.8L3.6,2.8H-3.6z"},
    {"#cc79a7", "#e79bc4", "M0,-4L4,0L0,4L-4,0z"},
    {"#e69f00", "#ffc14d", "M0,3.8L3.6,-2.8H-3.6z"},
    {"#56b4e9", "#8fd3ff", "M-1.2,-4h2.4v2.8h2.8v2.4h-2.8v2.8h-2.4v-2.8h-2.8v-2.4h2.8z"},
    {"#332288", "#a89cff", "M-2,-4h4v8h-4z"},
}};

// A loss is orange, no change grey, gains are blues (ColorBrewer's diverging scales, safe for colour-blind
// readers); on dark ground large gains are light.
struct GainColour {
    GainStep step;
    const char* light;
    const char* dark;
};
constexpr std::array<GainColour, 7> gain_colours = {{
    {{0, "loss over 2%"}, "#e08214", "#e08214"},
    {{0.98, "within 2%"}, "#e6e6e6", "#33383d"},
    {{1.02, "2 to 10%"}, "#d1e5f0", "#1d3c55"},
    {{1.10, "10 to 25%"}, "#92c5de", "#25577f"},
    {{1.25, "25 to 50%"}, "#4393c3", "#337fb9"},
    {{1.50, "50 to 100%"}, "#2166ac", "#6db3e8"},
    {{2.00, "over 2x"}, "#053061", "#cbe7ff"},
}};

// Colours such that the algorithms of one collective differ; of those, the one that is used least
std::map<std::string, std::size_t, std::less<>> colours_of_algorithms() {
    std::map<std::string, std::set<std::string>> neighbours;  // share a collective
    std::vector<std::string> names;                           // in the order of the table
    for (const models::Algorithm& a : models::algorithms()) {
        const std::string name(a.name);
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            names.push_back(name);
        }
        for (const models::Algorithm& b : models::algorithms()) {
            if (a.collective == b.collective && a.name != b.name) {
                neighbours[name].insert(std::string(b.name));
            }
        }
    }
    std::map<std::string, std::size_t, std::less<>> result;
    std::array<int, colours.size()> uses = {};
    for (const std::string& name : names) {
        std::array<bool, colours.size()> is_taken = {};
        for (const std::string& neighbour : neighbours[name]) {
            if (const auto found = result.find(neighbour); found != result.end()) {
                is_taken[found->second] = true;
            }
        }
        std::size_t best = colours.size();
        for (std::size_t i = 0; i < colours.size(); ++i) {
            if (!is_taken[i] && (best == colours.size() || uses[i] < uses[best])) {
                best = i;
            }
        }
        best %= colours.size();
        ++uses[best];
        result.emplace(name, best);
    }
    return result;
}

struct Theme {
    const char* text;
    const char* faint;   // grid
    const char* ground;  // behind the figure
    const char* tuned;   // the halo of what was chosen
    const char* Colour::*colour;
    const char* GainColour::*gain;
};
constexpr Theme light = {"#1c1f22", "#d9dde1", "#ffffff", "#f4d03f", &Colour::light, &GainColour::light};
constexpr Theme dark = {"#e4e7ea", "#3a4046", "#15181b", "#c9a70a", &Colour::dark, &GainColour::dark};

std::string colours_of(const Theme& theme) {
    std::string css = fmt::format(
        ".ink{{fill:{0}}}.axis{{stroke:{0}}}.grid{{stroke:{1}}}.ground{{fill:{2}}}.unknown{{fill:{1}}}"
        ".halo{{fill:{0};stroke:{2}}}.tuned{{stroke:{3}}}.tuned-key{{fill:{3}}}"
        ".change{{fill:{0}}}.change-line{{stroke:{0}}}.outlier{{stroke:{0}}}"
        ".plain,.cd.dots{{stroke:{0}}}.cd.line{{stroke:{0}}}.cd.fill{{fill:{0}}}.cd.bar{{stroke:{0}}}.cu."
        "fill{{fill:{1}}}.gu{{fill:none}}.empty{{fill:{2};stroke:{1}}}.hatch-line{{stroke:{2}}}"
        ".field-line{{stroke:{1}}}.dot{{stroke:{0}}}.dot-edge{{stroke:{2}}}",
        theme.text, theme.faint, theme.ground, theme.tuned);
    for (std::size_t i = 0; i < colours.size(); ++i) {
        css += fmt::format(".c{0}.line,.c{0}.bar,.c{0}.model,.c{0}.dots{{stroke:{1}}}.c{0}.fill{{fill:{1}}}",
                           i, colours[i].*theme.colour);
    }
    for (std::size_t i = 0; i < gain_colours.size(); ++i) {
        css += fmt::format(".g{}{{fill:{}}}", i, gain_colours[i].*theme.gain);
    }
    return css;
}

}  // namespace

std::string colour_class(std::string_view algorithm) {
    static const auto known = colours_of_algorithms();
    if (algorithm.empty()) {
        return "cu";
    }
    if (algorithm == default_algorithm) {
        return "cd";
    }
    if (const auto found = known.find(algorithm); found != known.end()) {
        return fmt::format("c{}", found->second);
    }
    // An algorithm of another library: the same name always has the same colour. FNV-1a
    std::uint32_t hash = 2166136261U;
    for (const char c : algorithm) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    }
    return fmt::format("c{}", hash % colours.size());
}

std::span<const GainStep> gain_steps() {
    static const std::vector<GainStep> steps = [] {
        std::vector<GainStep> result;
        for (const GainColour& row : gain_colours) {
            result.push_back(row.step);
        }
        return result;
    }();
    return steps;
}

std::string gain_class(double factor) {
    if (std::isnan(factor)) {
        return "gu";
    }
    std::size_t step = 0;
    while (step + 1 < gain_colours.size() && factor >= gain_colours[step + 1].step.from_factor) {
        ++step;
    }
    return fmt::format("g{}", step);
}

std::string figure_style_light() {
    std::string css =
        "text{font:11px 'DejaVu Sans','Liberation Sans',Arial,sans-serif}"
        ".title{font-size:13px;font-weight:bold}.small,.small text{font-size:9.5px}"
        ".axis,.grid,.line,.bar,.model,.change-line,.tuned,.dots,.plain{fill:none}.plain{stroke-width:1.6}"
        ".grid{stroke-width:.7}.line{stroke-width:1.6;stroke-linejoin:round}"
        ".cd.line{stroke-dasharray:5 3;stroke-width:1.8}.bar{stroke-width:1.2;opacity:.75}"
        ".model{stroke-width:.8;opacity:.85;stroke-dasharray:1.5 1.5}"
        ".tuned{stroke-width:9;stroke-linejoin:round;stroke-linecap:round;opacity:.55}.slim{stroke-width:5}"
        ".change{opacity:.1}.change-line{stroke-width:.8;stroke-dasharray:2 2}"
        ".halo{paint-order:stroke;stroke-width:3px;stroke-linejoin:round}"
        ".pale{opacity:.42}.dots{stroke-width:3.2;stroke-linecap:round;opacity:.6}"
        ".outlier{stroke-width:1.4}.veil{opacity:.45}"
        ".hatch{fill:url(#hatch)}.hatch-line{stroke-width:1.5}.field-line{fill:none}"
        ".dot,.dot-edge{stroke-linecap:round;stroke-width:4}.dot-edge{stroke-width:7}"
        ".over{pointer-events:none}";
    for (std::size_t i = 0; i < colours.size(); ++i) {
        css += fmt::format(
            ".c{0}.line{{marker-start:url(#m{0});marker-mid:url(#m{0});marker-end:url(#m{0})}}", i);
    }
    return css + colours_of(light);
}

std::string figure_style_dark() {
    return colours_of(dark);
}

std::string marker_definitions() {
    std::string text = "<defs>";
    for (std::size_t i = 0; i < colours.size(); ++i) {
        text += fmt::format(
            "<marker id=\"m{0}\" markerUnits=\"userSpaceOnUse\" markerWidth=\"8\" markerHeight=\"8\" "
            "viewBox=\"-4 -4 8 8\"><path class=\"c{0} fill\" transform=\"scale(.75)\" d=\"{1}\"/></marker>",
            i, colours[i].mark);
    }
    text +=
        "<pattern id=\"hatch\" width=\"4.5\" height=\"4.5\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate(45)\"><path class=\"hatch-line\" d=\"M2,0V4.5\"/></pattern>";
    return text + "</defs>";
}

}  // namespace tuner::report
