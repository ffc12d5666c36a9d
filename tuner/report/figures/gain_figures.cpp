// SPDX-License-Identifier: MIT
// Maps of gains (sizes x layouts of one network), and bars of changeovers (all networks and layouts of one
// collective below each other).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "axes.hpp"
#include "palette.hpp"

namespace tuner::report {

namespace {

// Between neighbouring sizes, in the middle as the eye sees it; at the ends as far outside as inside
std::vector<double> edges_of(const std::vector<SizeChoice>& sizes, const LogScale& x, const Frame& frame) {
    std::vector<double> edges = {x(static_cast<double>(sizes.front().bytes)) - 12};
    for (std::size_t i = 1; i < sizes.size(); ++i) {
        edges.push_back(
            (x(static_cast<double>(sizes[i - 1].bytes)) + x(static_cast<double>(sizes[i].bytes))) / 2);
    }
    edges.push_back(x(static_cast<double>(sizes.back().bytes)) + 12);
    for (double& edge : edges) {
        edge = std::clamp(edge, frame.left, frame.right);
    }
    return edges;
}

// Neighbouring sizes with the same choice
struct ChoiceRun {
    std::size_t first;
    std::size_t end;
    double gain;  // geometric mean of those that are known; 0: none is
};

ChoiceRun choice_run_from(const std::vector<SizeChoice>& sizes, std::size_t first) {
    std::size_t end = first;
    double sum_of_logs = 0;
    std::size_t known = 0;
    while (end < sizes.size() && sizes[end].by_rule == sizes[first].by_rule &&
           (!sizes[first].by_rule || sizes[end].runs == sizes[first].runs)) {
        if (!std::isnan(sizes[end].gain)) {
            sum_of_logs += std::log(sizes[end].gain);
            ++known;
        }
        ++end;
    }
    return {first, end, known == 0 ? 0 : std::exp(sum_of_logs / static_cast<double>(known))};
}

struct Row {
    double top;
    double height;
};

void draw_gain_labels(Drawing& drawing, const std::vector<SizeChoice>& sizes,
                      const std::vector<double>& edges, const Row& row) {
    for (std::size_t first = 0; first < sizes.size();) {
        const ChoiceRun run = choice_run_from(sizes, first);
        const double width = edges[run.end] - edges[first];
        const double middle = (edges[first] + edges[run.end]) / 2;
        if (sizes[first].by_rule) {
            drawing.rect({edges[first], row.top + row.height - 4}, width, 4,
                         fmt::format("class=\"{} fill\"", colour_class(sizes[first].runs)));
            const std::string gain = run.gain == 0 ? "" : percent_label(run.gain);
            drawing.label({middle, row.top + 13}, Anchor::middle, "halo",
                          fitting_name(sizes[first].runs, width));
            if (text_width(gain, font_size) + 4 <= width) {
                drawing.label({middle, row.top + 26}, Anchor::middle, "halo", gain);
            }
        } else if (width > 46) {
            drawing.label({middle, row.top + row.height / 2 + 4}, Anchor::middle, "ink small", "default");
        }
        first = run.end;
    }
}

void draw_gain_row(Drawing& drawing, const std::vector<SizeChoice>& sizes, const std::vector<double>& edges,
                   const Row& row) {
    std::map<std::string, std::string> paths;  // one for each colour: half the bytes
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        paths[gain_class(sizes[i].gain)] +=
            fmt::format("M{},{}h{}v{}h{}z", number(edges[i]), number(row.top),
                        number(edges[i + 1] - edges[i]), number(row.height), number(edges[i] - edges[i + 1]));
    }
    for (const auto& [colour, path] : paths) {
        drawing.path(path, fmt::format("class=\"{}\"", colour));
    }
    draw_gain_labels(drawing, sizes, edges, row);
}

// Rows below each other, with room for their names on the left
Plot plot_of_rows(std::string title, const std::vector<std::string>& names, double row_height) {
    constexpr double most_width = 240;
    double name_width = 0;
    for (const std::string& name : names) {
        name_width = std::max(name_width, text_width(name, font_size));
    }
    const Frame frame{std::min(name_width, most_width) + 12, 740, 4,
                      4 + row_height * static_cast<double>(names.size())};
    return Plot(std::move(title), 760, frame.bottom + 34, frame);
}

std::set<std::string> algorithms_of_rules(const CellPointers& cells) {
    std::set<std::string> algorithms;
    for (const ReportCell* cell : cells) {
        for (const SizeChoice& size : cell->sizes) {
            if (size.by_rule) {
                algorithms.insert(size.runs);
            }
        }
    }
    return algorithms;
}

std::vector<std::string> names_of(const CellPointers& cells, std::string (*name)(const CellKey& key)) {
    std::vector<std::string> names;
    for (const ReportCell* cell : cells) {
        names.push_back(name(cell->key));
    }
    return names;
}

}  // namespace

Figure draw_gains(const ReportData& data, const CellPointers& cells) {
    constexpr double row_height = 36;
    const auto layout_name = [](const CellKey& key) { return to_string(key.layout); };
    Plot plot = plot_of_rows(fmt::format("{} on {}: gain of tuned over default",
                                         collective_label(cells[0]->key), cells[0]->key.network),
                             names_of(cells, layout_name), row_height);
    const Frame& frame = plot.frame;
    const Range range = size_range_of(cells);
    const LogScale x(range.low, range.high, frame.left + 12, frame.right - 12);
    double top = frame.top;
    for (const ReportCell* cell : cells) {
        plot.drawing.label({frame.left - 6, top + row_height / 2 + 2}, Anchor::end, "ink",
                           to_string(cell->key.layout));
        if (!cell->sizes.empty()) {
            plot.drawing.open(fmt::format("data-cell=\"{}\"", cell - data.cells.data()));
            draw_gain_row(plot.drawing, cell->sizes, edges_of(cell->sizes, x, frame),
                          {top + 1, row_height - 2});
            plot.drawing.close();
        }
        top += row_height;
    }
    draw_size_axis(plot, x, false);
    for (std::size_t i = 0; i < gain_steps().size(); ++i) {
        plot.add_key(KeyEntry::Kind::box, fmt::format("g{}", i), gain_steps()[i].label);
    }
    for (KeyEntry& entry : algorithm_key(algorithms_of_rules(cells), KeyEntry::Kind::box)) {
        plot.figure.key.push_back(std::move(entry));
    }
    return plot.finish(fmt::format("data-kind=\"gains\" data-x=\"{}\"", x.attribute()));
}

namespace {

void draw_stretches(Drawing& drawing, const std::vector<Stretch>& stretches, const LogScale& x,
                    const Row& row, bool has_names) {
    for (const Stretch& stretch : stretches) {
        const double from = x(stretch.from_bytes);
        const double width = std::max(x(stretch.to_bytes) - from, 0.8);
        drawing.rect({from, row.top}, width, row.height,
                     fmt::format("class=\"{} fill{}\"", colour_class(stretch.algorithm),
                                 stretch.by_rule || !has_names ? "" : " pale"));
        if (has_names) {
            drawing.label({from + width / 2, row.top + row.height / 2 + 4}, Anchor::middle, "halo",
                          fitting_name(stretch.algorithm, width));
        }
    }
}

void draw_changeover_intervals(Drawing& drawing, const std::vector<Stretch>& stretches, const LogScale& x,
                               const Row& row) {
    for (std::size_t i = 1; i < stretches.size(); ++i) {
        const Stretch& stretch = stretches[i];
        if (!is_tuned_changeover(stretches[i - 1], stretch)) {
            continue;
        }
        drawing.line({x(stretch.from_bytes), row.top - 2}, {x(stretch.from_bytes), row.top + row.height + 2},
                     "class=\"axis\"");
        const models::Interval& interval = stretch.from_interval;
        if (interval.low > 0 && interval.high > interval.low) {
            drawing.line({x(std::max(interval.low, x.low())), row.top - 2},
                         {x(std::min(interval.high, x.high())), row.top - 2}, "class=\"axis\"");
        }
    }
}

}  // namespace

Figure draw_changeovers(const CellPointers& cells) {
    constexpr double row_height = 40;
    Plot plot = plot_of_rows(collective_label(cells[0]->key) + ": which algorithm, from which size on",
                             names_of(cells, place_label), row_height);
    const Frame& frame = plot.frame;
    const Range range = size_range_of(cells);
    const LogScale x(range.low, range.high, frame.left, frame.right);
    std::set<std::string> algorithms;
    double top = frame.top;
    for (const ReportCell* cell : cells) {
        const Row tuned{top + 5, 18};
        plot.drawing.label({frame.left - 6, top + 18}, Anchor::end, "ink", place_label(cell->key));
        plot.drawing.label({frame.left - 6, top + 32}, Anchor::end, "ink small", "by default");
        draw_stretches(plot.drawing, cell->tuned, x, tuned, true);
        draw_stretches(plot.drawing, cell->by_default, x, {top + 26, 6}, false);
        draw_changeover_intervals(plot.drawing, cell->tuned, x, tuned);
        for (const std::vector<Stretch>* stretches : {&cell->tuned, &cell->by_default}) {
            for (const Stretch& stretch : *stretches) {
                algorithms.insert(stretch.algorithm);
            }
        }
        top += row_height;
    }
    draw_size_axis(plot, x, false);
    plot.figure.key = algorithm_key(algorithms, KeyEntry::Kind::box);
    plot.add_key(KeyEntry::Kind::box, "cd fill pale", "pale: left to the library");
    return plot.finish("data-kind=\"changeovers\"");
}

}  // namespace tuner::report
