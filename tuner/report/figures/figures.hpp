// SPDX-License-Identifier: MIT
// The figures of a report, by name. Each is drawn once, by the same code for the page and for a file of its
// own; only title, key and style are put around it differently.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "layout_maps.hpp"
#include "report_data.hpp"
#include "verdict.hpp"

namespace tuner::report {

struct KeyEntry {
    enum class Kind { line, box, thin_line, hatched_box, dot };
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
    std::string note = {};  // for the page: what to see, and why it matters
};

using CellPointers = std::vector<const ReportCell*>;        // of one collective
using ComparedPointers = std::vector<const ComparedCell*>;  // of one collective

Figure draw_gains(const ReportData& data, const CellPointers& cells);
Figure draw_changeovers(const CellPointers& cells);
Figure draw_curves(const ReportData& data, const ReportCell& cell);
Figure draw_comparison(const Comparison& comparison, const ComparedPointers& cells);
Figure draw_distribution(const Distribution& distribution, std::size_t position);
Figure draw_finishes(const Distribution& distribution);
// Lines of one exchange on one layout, a colour for each network. All are curves of `data.exchanges`.
using ExchangePointers = std::vector<const ExchangeCurves::value_type*>;
Figure draw_exchange(const ReportData& data, const ExchangePointers& curves);
Figure draw_model_fit(const NetworkModel& model);
// Which rule each job has: on the left its algorithm, on the right its gain
Figure draw_layout_map(const LayoutMap& map);

enum class FigureKind {
    gains,
    layouts,
    changeovers,
    curves,
    comparison,
    distribution,
    finishes,
    model,
    exchange
};

struct NamedFigure {
    std::string name;
    FigureKind kind;
    // The first cell that it shows, by position; of a map of layouts, comparison, distribution or model its
    // own position
    std::size_t cell;
    std::function<Figure()> draw;
};

inline constexpr std::size_t best_choice = 1;  // of choice_names: what comparisons show

// Names are made of letters, digits, '-' and '_', and each is there once. The data must outlive them.
std::vector<NamedFigure> figures_of(const ReportData& data);

bool has_finishes(const Distribution& distribution);

std::string svg_for_page(const Figure& figure);
std::string svg_file(const Figure& figure);  // complete, with title, key and style

}  // namespace tuner::report
