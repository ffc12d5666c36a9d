// SPDX-License-Identifier: MIT
#include "figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "svg.hpp"

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

std::size_t position_in(const ReportData& data, const ReportCell* cell) {
    return static_cast<std::size_t>(cell - data.cells.data());
}

using Figures = std::vector<NamedFigure>;

void add_changeovers(Figures& figures, const ReportData& data) {
    for (const CellPointers& cells : grouped(data.cells, is_same_collective)) {
        figures.push_back({"changeovers-" + collective_name(cells[0]->key), FigureKind::changeovers,
                           position_in(data, cells[0]), [cells] { return draw_changeovers(cells); }});
    }
}

void add_gains(Figures& figures, const ReportData& data) {
    const auto is_same_map = [](const CellKey& a, const CellKey& b) {
        return is_same_collective(a, b) && a.network == b.network;
    };
    for (const CellPointers& cells : grouped(data.cells, is_same_map)) {
        figures.push_back({"gains-" + collective_name(cells[0]->key) + "-" + slug(cells[0]->key.network),
                           FigureKind::gains, position_in(data, cells[0]),
                           [&data, cells] { return draw_gains(data, cells); }});
    }
}

void add_layout_maps(Figures& figures, const ReportData& data) {
    const std::vector<LayoutMap> maps = layout_maps(data);
    for (std::size_t i = 0; i < maps.size(); ++i) {
        const LayoutMap& map = maps[i];
        figures.push_back(
            {"layouts-" + slug(map.collective) + "-" + slug(map.network) + slug(mapping_with("-", map)),
             FigureKind::layouts, i, [map] { return draw_layout_map(map); }});
    }
}

void add_curves(Figures& figures, const ReportData& data) {
    for (const ReportCell& cell : data.cells) {
        if (!cell.sizes.empty()) {
            figures.push_back({"curves-" + collective_name(cell.key) + "-" + place_name(cell.key),
                               FigureKind::curves, position_in(data, &cell),
                               [&data, &cell] { return draw_curves(data, cell); }});
        }
    }
}

void add_comparisons(Figures& figures, const ReportData& data) {
    for (std::size_t i = 0; i < data.comparisons.size(); ++i) {
        const Comparison& comparison = data.comparisons[i];
        for (const ComparedPointers& cells : compared_collectives(comparison)) {
            figures.push_back({"comparison-" + collective_name(cells[0]->key) + "-" +
                                   slug(comparison.a.network) + "-" + slug(comparison.b.network),
                               FigureKind::comparison, i,
                               [&comparison, cells] { return draw_comparison(comparison, cells); }});
        }
    }
}

void add_distributions(Figures& figures, const ReportData& data) {
    for (std::size_t i = 0; i < data.distributions.size(); ++i) {
        figures.push_back({fmt::format("distribution-{}", i + 1), FigureKind::distribution, i,
                           [&data, i] { return draw_distribution(data.distributions[i], i); }});
        if (has_finishes(data.distributions[i])) {
            figures.push_back({fmt::format("finishes-{}", i + 1), FigureKind::finishes, i,
                               [&data, i] { return draw_finishes(data.distributions[i]); }});
        }
    }
}

void add_models(Figures& figures, const ReportData& data) {
    for (std::size_t i = 0; i < data.models.size(); ++i) {
        if (!data.models[i].times.empty()) {
            figures.push_back({"model-" + slug(data.models[i].network), FigureKind::model, i,
                               [&data, i] { return draw_model_fit(data.models[i]); }});
        }
    }
}

void add_exchanges(Figures& figures, const ReportData& data) {
    for (const ExchangePointers& curves : grouped_exchanges(data)) {
        const ExchangeKey& key = curves.front()->first;
        figures.push_back({"exchange-" + slug(key.exchange) + "-" + slug(to_string(key.layout)),
                           FigureKind::exchange, 0, [&data, curves] { return draw_exchange(data, curves); }});
    }
}

// Different names may become the same slug
void make_unique(Figures& figures) {
    std::map<std::string, int> uses;
    for (NamedFigure& figure : figures) {
        if (const int use = ++uses[figure.name]; use > 1) {
            figure.name += fmt::format("-{}", use);
        }
    }
}

}  // namespace

bool has_finishes(const Distribution& distribution) {
    return std::any_of(distribution.series.begin(), distribution.series.end(),
                       [](const Distribution::Series& series) { return !series.finish_of_rank.empty(); });
}

std::vector<NamedFigure> figures_of(const ReportData& data) {
    Figures figures;
    for (const auto add : {add_changeovers, add_gains, add_layout_maps, add_curves, add_comparisons,
                           add_distributions, add_models, add_exchanges}) {
        add(figures, data);
    }
    make_unique(figures);
    return figures;
}

}  // namespace tuner::report
