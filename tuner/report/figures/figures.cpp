// SPDX-License-Identifier: MIT
#include "figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "axes.hpp"
#include "palette.hpp"

namespace tuner::report {

namespace {

std::vector<ComparedPointers> compared_collectives(const Comparison& comparison) {
    std::vector<ComparedPointers> groups;
    for (const ComparedCell& cell : comparison.cells) {
        const auto same = std::find_if(groups.begin(), groups.end(), [&](const ComparedPointers& group) {
            return is_same_collective(group[0]->key, cell.key);
        });
        (same == groups.end() ? groups.emplace_back() : *same).push_back(&cell);
    }
    return groups;
}

// Runs of neighbouring cells that belong together
template <class Same>
std::vector<CellPointers> grouped(const std::vector<ReportCell>& cells, const Same& is_same) {
    std::vector<CellPointers> groups;
    for (const ReportCell& cell : cells) {
        if (cell.sizes.empty()) {
            continue;
        }
        if (groups.empty() || !is_same(groups.back().front()->key, cell.key)) {
            groups.emplace_back();
        }
        groups.back().push_back(&cell);
    }
    return groups;
}

// Curves of one exchange and layout, of all networks. Of the many ways of a ping-pong the first one is
// enough for a figure; the tables have all. Where there is one size, there is nothing to draw.
std::vector<ExchangePointers> grouped_exchanges(const ReportData& data) {
    std::map<std::pair<std::string, Layout>, ExchangePointers> groups;
    for (const auto& curve : data.exchanges) {
        const ExchangeKey& key = curve.first;
        const bool is_other_way = key.exchange.starts_with("ping_pong") && key.way != "send";
        const bool is_alone = key.way.ends_with(" alone");
        if (curve.second.size() > 1 && !is_other_way && !is_alone) {
            groups[{key.exchange, key.layout}].push_back(&curve);
        }
    }
    std::vector<ExchangePointers> found;
    for (auto& [key, curves] : groups) {
        found.push_back(std::move(curves));
    }
    return found;
}

std::string collective_name(const CellKey& key) {
    return slug(key.operation.empty() || key.operation == "sum" ? key.collective
                                                                : key.collective + "-" + key.operation);
}

std::string place_name(const CellKey& key) {
    return slug(key.network) + "-" + slug(to_string(key.layout));
}

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
                drawing.rect({x + 2, y - 5}, 14, 10,
                             "class=\"" + entry.classes + (entry.classes[0] == 'c' ? " fill\"" : "\""));
                break;
        }
        drawing.text({x + 22, y + 4}, "class=\"ink\"", entry.label);
        x += entry_width;
    }
    return y + key_row - top;
}
}  // namespace

std::string side_label(const ComparedSide& side, const ComparedSide& other) {
    return side.run == other.run ? side.network : side.network + " of " + side.run;
}

bool has_finishes(const Distribution& distribution) {
    return std::any_of(distribution.series.begin(), distribution.series.end(),
                       [](const Distribution::Series& series) { return !series.finish_of_rank.empty(); });
}

std::vector<NamedFigure> figures_of(const ReportData& data) {
    std::vector<NamedFigure> figures;
    const auto position = [&](const ReportCell* cell) {
        return static_cast<std::size_t>(cell - data.cells.data());
    };
    for (const CellPointers& cells : grouped(data.cells, is_same_collective)) {
        figures.push_back({"changeovers-" + collective_name(cells[0]->key), FigureKind::changeovers,
                           position(cells[0]), [cells] { return draw_changeovers(cells); }});
    }
    const auto is_same_map = [](const CellKey& a, const CellKey& b) {
        return is_same_collective(a, b) && a.network == b.network;
    };
    for (const CellPointers& cells : grouped(data.cells, is_same_map)) {
        figures.push_back({"gains-" + collective_name(cells[0]->key) + "-" + slug(cells[0]->key.network),
                           FigureKind::gains, position(cells[0]),
                           [&data, cells] { return draw_gains(data, cells); }});
    }
    for (const ReportCell& cell : data.cells) {
        if (!cell.sizes.empty()) {
            figures.push_back({"curves-" + collective_name(cell.key) + "-" + place_name(cell.key),
                               FigureKind::curves, position(&cell),
                               [&data, &cell] { return draw_curves(data, cell); }});
        }
    }
    for (std::size_t i = 0; i < data.comparisons.size(); ++i) {
        const Comparison& comparison = data.comparisons[i];
        for (const ComparedPointers& cells : compared_collectives(comparison)) {
            figures.push_back({"comparison-" + collective_name(cells[0]->key) + "-" +
                                   slug(comparison.a.network) + "-" + slug(comparison.b.network),
                               FigureKind::comparison, i,
                               [&comparison, cells] { return draw_comparison(comparison, cells); }});
        }
    }
    for (std::size_t i = 0; i < data.distributions.size(); ++i) {
        figures.push_back({fmt::format("distribution-{}", i + 1), FigureKind::distribution, i,
                           [&data, i] { return draw_distribution(data.distributions[i], i); }});
        if (has_finishes(data.distributions[i])) {
            figures.push_back({fmt::format("finishes-{}", i + 1), FigureKind::finishes, i,
                               [&data, i] { return draw_finishes(data.distributions[i]); }});
        }
    }
    for (std::size_t i = 0; i < data.models.size(); ++i) {
        if (!data.models[i].times.empty()) {
            figures.push_back({"model-" + slug(data.models[i].network), FigureKind::model, i,
                               [&data, i] { return draw_model_fit(data.models[i]); }});
        }
    }
    for (const ExchangePointers& curves : grouped_exchanges(data)) {
        const ExchangeKey& key = curves.front()->first;
        figures.push_back({"exchange-" + slug(key.exchange) + "-" + slug(to_string(key.layout)),
                           FigureKind::exchange, 0, [&data, curves] { return draw_exchange(data, curves); }});
    }
    std::map<std::string, int> uses;
    for (NamedFigure& figure : figures) {
        if (const int use = ++uses[figure.name]; use > 1) {
            figure.name += fmt::format("-{}", use);
        }
    }
    return figures;
}

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
