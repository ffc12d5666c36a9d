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

void draw_gain_labels(Drawing& drawing, const std::vector<SizeChoice>& sizes,
                      const std::vector<double>& edges, double top, double height) {
    for (std::size_t first = 0; first < sizes.size();) {
        std::size_t last = first;
        double sum_of_logs = 0;
        std::size_t known = 0;
        while (last < sizes.size() && sizes[last].by_rule == sizes[first].by_rule &&
               (!sizes[first].by_rule || sizes[last].runs == sizes[first].runs)) {
            if (!std::isnan(sizes[last].gain)) {
                sum_of_logs += std::log(sizes[last].gain);
                ++known;
            }
            ++last;
        }
        const double width = edges[last] - edges[first];
        const double middle = (edges[first] + edges[last]) / 2;
        if (sizes[first].by_rule) {
            drawing.rect({edges[first], top + height - 4}, width, 4,
                         fmt::format("class=\"{} fill\"", colour_class(sizes[first].runs)));
            const std::string gain =
                known == 0 ? "" : percent_label(std::exp(sum_of_logs / static_cast<double>(known)));
            drawing.text({middle, top + 13}, "class=\"halo\" text-anchor=\"middle\"",
                         fitting_name(sizes[first].runs, width));
            if (text_width(gain, font_size) + 4 <= width) {
                drawing.text({middle, top + 26}, "class=\"halo\" text-anchor=\"middle\"", gain);
            }
        } else if (width > 46) {
            drawing.text({middle, top + height / 2 + 4}, "class=\"ink small\" text-anchor=\"middle\"",
                         "default");
        }
        first = last;
    }
}

}  // namespace

Figure draw_gains(const ReportData& data, const CellPointers& cells) {
    constexpr double row_height = 36;
    Figure figure;
    figure.title = fmt::format("{} on {}: gain of tuned over default", collective_label(cells[0]->key),
                               cells[0]->key.network);
    double label_width = 0;
    for (const ReportCell* cell : cells) {
        label_width = std::max(label_width, text_width(to_string(cell->key.layout), font_size));
    }
    const Frame frame{label_width + 12, 740, 4, 4 + row_height * static_cast<double>(cells.size())};
    figure.width = 760;
    figure.height = frame.bottom + 34;
    const Range range = size_range_of(cells);
    const LogScale x(range.low, range.high, frame.left + 12, frame.right - 12);
    Drawing drawing;
    std::set<std::string> algorithms;
    double top = frame.top;
    for (const ReportCell* cell : cells) {
        const auto position = static_cast<std::size_t>(cell - data.cells.data());
        drawing.text({frame.left - 6, top + row_height / 2 + 2}, "class=\"ink\" text-anchor=\"end\"",
                     to_string(cell->key.layout));
        if (!cell->sizes.empty()) {
            const std::vector<double> edges = edges_of(cell->sizes, x, frame);
            std::map<std::string, std::string> cells_of_colour;  // one path for each colour: half the bytes
            for (std::size_t i = 0; i < cell->sizes.size(); ++i) {
                cells_of_colour[gain_class(cell->sizes[i].gain)] += fmt::format(
                    "M{},{}h{}v{}h{}z", number(edges[i]), number(top + 1), number(edges[i + 1] - edges[i]),
                    number(row_height - 2), number(edges[i] - edges[i + 1]));
                if (cell->sizes[i].by_rule) {
                    algorithms.insert(cell->sizes[i].runs);
                }
            }
            drawing.open(fmt::format("data-cell=\"{}\"", position));
            for (const auto& [colour, data_of_path] : cells_of_colour) {
                drawing.path(data_of_path, fmt::format("class=\"{}\"", colour));
            }
            draw_gain_labels(drawing, cell->sizes, edges, top + 1, row_height - 2);
            drawing.close();
        }
        top += row_height;
    }
    draw_size_axis(drawing, x, frame, false);
    figure.attributes = fmt::format("data-kind=\"gains\" data-x=\"{}\"", x.attribute());
    figure.body = drawing.str();
    for (std::size_t i = 0; i < gain_steps().size(); ++i) {
        figure.key.push_back({KeyEntry::Kind::box, fmt::format("g{}", i), gain_steps()[i].label});
    }
    const std::vector<KeyEntry> of_algorithms = algorithm_key(algorithms, KeyEntry::Kind::box);
    figure.key.insert(figure.key.end(), of_algorithms.begin(), of_algorithms.end());
    return figure;
}

namespace {

void draw_stretches(Drawing& drawing, const std::vector<Stretch>& stretches, const LogScale& x, double top,
                    double height, bool has_names) {
    for (const Stretch& stretch : stretches) {
        const double from = x(stretch.from_bytes);
        const double width = std::max(x(stretch.to_bytes) - from, 0.8);
        drawing.rect({from, top}, width, height,
                     fmt::format("class=\"{} fill{}\"", colour_class(stretch.algorithm),
                                 stretch.by_rule || !has_names ? "" : " pale"));
        if (has_names) {
            drawing.text({from + width / 2, top + height / 2 + 4}, "class=\"halo\" text-anchor=\"middle\"",
                         fitting_name(stretch.algorithm, width));
        }
    }
}

void draw_changeover_intervals(Drawing& drawing, const std::vector<Stretch>& stretches, const LogScale& x,
                               double top, double height) {
    for (std::size_t i = 1; i < stretches.size(); ++i) {
        const Stretch& stretch = stretches[i];
        if (!is_tuned_changeover(stretches[i - 1], stretch)) {
            continue;
        }
        drawing.line({x(stretch.from_bytes), top - 2}, {x(stretch.from_bytes), top + height + 2},
                     "class=\"axis\"");
        const models::Interval& interval = stretch.from_interval;
        if (interval.low > 0 && interval.high > interval.low) {
            drawing.line({x(std::max(interval.low, x.low())), top - 2},
                         {x(std::min(interval.high, x.high())), top - 2}, "class=\"axis\"");
        }
    }
}

}  // namespace

Figure draw_changeovers(const CellPointers& cells) {
    constexpr double row_height = 40;
    Figure figure;
    figure.title = collective_label(cells[0]->key) + ": which algorithm, from which size on";
    double label_width = 0;
    for (const ReportCell* cell : cells) {
        label_width = std::max(label_width, text_width(place_label(cell->key), font_size));
    }
    label_width = std::min(label_width, 240.0);
    const Frame frame{label_width + 12, 740, 4, 4 + row_height * static_cast<double>(cells.size())};
    figure.width = 760;
    figure.height = frame.bottom + 34;
    const Range range = size_range_of(cells);
    const LogScale x(range.low, range.high, frame.left, frame.right);
    Drawing drawing;
    std::set<std::string> algorithms;
    double top = frame.top;
    for (const ReportCell* cell : cells) {
        drawing.text({frame.left - 6, top + 18}, "class=\"ink\" text-anchor=\"end\"", place_label(cell->key));
        drawing.text({frame.left - 6, top + 32}, "class=\"ink small\" text-anchor=\"end\"", "by default");
        draw_stretches(drawing, cell->tuned, x, top + 5, 18, true);
        draw_stretches(drawing, cell->by_default, x, top + 26, 6, false);
        draw_changeover_intervals(drawing, cell->tuned, x, top + 5, 18);
        for (const std::vector<Stretch>* stretches : {&cell->tuned, &cell->by_default}) {
            for (const Stretch& stretch : *stretches) {
                algorithms.insert(stretch.algorithm);
            }
        }
        top += row_height;
    }
    draw_size_axis(drawing, x, frame, false);
    figure.attributes = "data-kind=\"changeovers\"";
    figure.body = drawing.str();
    figure.key = algorithm_key(algorithms, KeyEntry::Kind::box);
    figure.key.push_back({KeyEntry::Kind::box, "cd fill pale", "pale: left to the library"});
    return figure;
}

}  // namespace tuner::report
