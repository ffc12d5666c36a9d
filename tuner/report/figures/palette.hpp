// SPDX-License-Identifier: MIT
// The colours of figures, as style sheets for light and dark. An algorithm has the same colour and mark in
// every figure of every report: they depend on the table of all algorithms, not on what a run measured.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tuner::report {

// The class of an algorithm's colour: `c0` and so on; `cd` for the default, `cu` if it is unknown
std::string colour_class(std::string_view algorithm);

// A step of the scale of gains, from its factor (default / tuned) on
struct GainStep {
    double from_factor;
    const char* label;
};
std::span<const GainStep> gain_steps();
std::string gain_class(double factor);  // g0 ...; factor that is not a number: gu

// Style of all figures; complete by itself, so that a single SVG file can carry it
std::string figure_style_light();
// What is to be put inside of a media query behind it
std::string figure_style_dark();

// <defs> with the marks of lines, one for each colour, so that colour is never the only difference; and with
// the hatching of areas
std::string marker_definitions();

}  // namespace tuner::report
