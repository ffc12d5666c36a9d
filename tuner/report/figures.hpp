// SPDX-License-Identifier: MIT
// The figures of a report, by name. Each is drawn once, by the same code for the page and for a file of its
// own; only title, key and style are put around it differently.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report_data.hpp"

namespace tuner::report {

struct KeyEntry {
    enum class Kind { line, box, thin_line };
    Kind kind;
    std::string classes;  // of its colour
    std::string label;
};

struct Figure {
    std::string title;
    double width = 0;
    double height = 0;
    std::string attributes;  // of the svg element, for the page's script
    std::string body;
    std::vector<KeyEntry> key;
};

enum class FigureKind { gains, changeovers, curves, distribution, model };

struct NamedFigure {
    std::string name;
    FigureKind kind;
    std::size_t cell;  // the first one that it shows, by position; of a distribution or model its position
    std::function<Figure()> draw;
};

// Names are made of letters, digits, '-' and '_', and each is there once. The data must outlive them.
std::vector<NamedFigure> figures_of(const ReportData& data);

std::string svg_for_page(const Figure& figure);
std::string svg_file(const Figure& figure);  // complete, with title, key and style

}  // namespace tuner::report
