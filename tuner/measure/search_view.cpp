// SPDX-License-Identifier: MIT
#include "search_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "size_choice.hpp"
#include "units.hpp"

namespace tuner {

namespace {

struct LayoutProgress {
    std::string place;
    int grids = 0;
    int over = 0;
    int all = 0;
};

std::string range_text(std::size_t from, std::size_t to) {
    return from == to ? bytes_text(from) : bytes_text(from) + " to " + bytes_text(to);
}

}  // namespace

std::vector<std::string> layout_lines(std::span<const CellProgress> cells) {
    std::vector<LayoutProgress> layouts;
    std::size_t width = 0;
    for (const CellProgress& cell : cells) {
        const std::string place = cell.key.network + " " + to_string(cell.key.layout);
        auto layout = std::find_if(layouts.begin(), layouts.end(),
                                   [&](const LayoutProgress& known) { return known.place == place; });
        if (layout == layouts.end()) {
            layout = layouts.insert(layouts.end(), {place});
        }
        width = std::max(width, place.size());
        ++layout->all;
        layout->grids += cell.is_grid_known || cell.is_over;
        layout->over += cell.is_over;
    }
    std::vector<std::string> lines;
    for (const LayoutProgress& layout : layouts) {
        lines.push_back(fmt::format("{:<{}}  grids {} of {}, cells {} of {}", layout.place, width,
                                    layout.grids, layout.all, layout.over, layout.all));
    }
    return lines;
}

std::optional<double> expected_loss_of(std::span<const CellProgress> cells) {
    double sum = 0;
    for (const CellProgress& cell : cells) {
        if (!cell.expected_loss) {
            return std::nullopt;
        }
        sum += *cell.expected_loss;
    }
    return cells.empty() ? std::nullopt : std::optional(sum / static_cast<double>(cells.size()));
}

std::string best_line(const Cell& cell) {
    std::string text;
    std::string last;
    std::size_t from = 0;
    std::size_t to = 0;
    const auto end_range = [&] {
        if (!last.empty()) {
            text += fmt::format("{}{} {}", text.empty() ? "best so far: " : ", ", range_text(from, to), last);
        }
    };
    for (const auto& [bytes, times] : cell.times) {
        const std::string best = best_of(times).name;
        if (best != last) {
            end_range();
            last = best;
            from = bytes;
        }
        to = bytes;
    }
    end_range();
    return text;
}

}  // namespace tuner
