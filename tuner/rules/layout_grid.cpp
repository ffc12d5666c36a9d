// SPDX-License-Identifier: MIT
#include "layout_grid.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tuner {

namespace {

constexpr int all_counts_up_to = 16;
// Of sizes: steps, and coarser ones where there are many layouts
constexpr double size_factor = 1.25;
constexpr double coarse_size_factor = 3;
constexpr std::size_t many_layouts = 100;
constexpr std::size_t smallest_of_all_sizes = 8;  // rules that start here start at 0

// The cells that rules of a collective come from
std::vector<std::pair<Layout, const Cell*>> cells_for(const Cells& cells, const std::string& network,
                                                      const std::string& collective) {
    std::vector<std::pair<Layout, const Cell*>> found;
    for (const auto& [key, cell] : cells) {
        if (key.network == network && key.collective == collective && !cell.times.empty() &&
            is_for_rules(key)) {
            found.emplace_back(key.layout, &cell);
        }
    }
    return found;
}

std::vector<SizeStep> size_steps(std::size_t smallest, std::size_t largest, double factor) {
    std::vector<SizeStep> steps;
    for (std::size_t from = smallest; from < largest;) {
        const auto next = static_cast<std::size_t>(std::lround(static_cast<double>(from) * factor));
        const bool is_last = static_cast<double>(next) * std::sqrt(factor) > static_cast<double>(largest);
        steps.push_back({from, is_last ? largest : next - 1});
        from = is_last ? largest : next;
    }
    return steps;
}

// Is every size of the step in one of the rules of this layout?
bool is_covered(const SizeStep& step, const std::vector<const Rule*>& rules) {
    std::size_t next = step.from_bytes;
    for (const Rule* rule : rules) {  // by size
        if (rule->from_bytes <= next && rule->to_bytes >= next) {
            if (rule->to_bytes >= step.to_bytes) {
                return true;
            }
            next = rule->to_bytes + 1;
        }
    }
    return false;
}

}  // namespace

double CountStep::weight() const {
    return std::log2((last + 0.5) / (first - 0.5));
}

std::vector<CountStep> count_steps(int last) {
    std::vector<CountStep> steps;
    for (int first = 1; first <= last; first = steps.back().last + 1) {
        const auto power = static_cast<int>(std::bit_floor(static_cast<unsigned>(first)));
        const bool is_alone = first <= all_counts_up_to || first == power;
        const int end = is_alone ? first : first < power / 2 * 3 ? power / 2 * 3 - 1 : 2 * power - 1;
        steps.push_back({first, std::min(end, last)});
    }
    return steps;
}

LayoutGrid::LayoutGrid(const Cells& cells, const std::string& network, const std::string& collective,
                       const LayoutGains& gains, const std::vector<Rule>& measured, const Extent& extent,
                       const RangeLimits& limits)
    : nodes_(count_steps(extent.nodes)), ppn_(count_steps(extent.ppn)) {
    std::size_t smallest = no_end;
    std::size_t largest = 0;
    for (const auto& [layout, cell] : cells_for(cells, network, collective)) {
        smallest = std::min(smallest, std::max<std::size_t>(cell->times.begin()->first, 1));
        largest = std::max(largest, cell->times.rbegin()->first);
    }
    const bool is_large = nodes_.size() * ppn_.size() > many_layouts;
    sizes_ = size_steps(smallest, largest, is_large ? coarse_size_factor : size_factor);
    const std::array<int, 4> steps = this->extent();
    spots_.resize(static_cast<std::size_t>(steps[0]) * static_cast<std::size_t>(steps[1]) *
                  static_cast<std::size_t>(steps[2]) * static_cast<std::size_t>(steps[3]));
    algorithms_ = gains.algorithms(collective);
    find_area(cells, network, collective, extent, limits);
    predict(collective, gains, limits);
    mark_measured(cells, network, collective, measured);
    if (!sizes_.empty() && sizes_.front().from_bytes <= smallest_of_all_sizes) {
        sizes_.front().from_bytes = 0;
    }
}

std::array<int, 4> LayoutGrid::extent() const {
    return {static_cast<int>(nodes_.size()), static_cast<int>(ppn_.size()), static_cast<int>(kinds.size()),
            static_cast<int>(sizes_.size())};
}

std::size_t LayoutGrid::index(const Position& position) const {
    std::size_t index = 0;
    const std::array<int, 4> steps = extent();
    for (std::size_t axis = 0; axis < steps.size(); ++axis) {
        index = index * static_cast<std::size_t>(steps[axis]) + static_cast<std::size_t>(position.at[axis]);
    }
    return index;
}

Spot& LayoutGrid::spot(const Position& position) {
    return spots_[index(position)];
}

const Spot& LayoutGrid::spot(const Position& position) const {
    return spots_[index(position)];
}

std::vector<Position> LayoutGrid::positions() const {
    std::vector<Position> all;
    all.reserve(spots_.size());
    const std::array<int, 4> steps = extent();
    for (std::size_t i = 0; i < spots_.size(); ++i) {
        Position position;
        std::size_t rest = i;
        for (std::size_t axis = steps.size(); axis-- > 0;) {
            position.at[axis] = static_cast<int>(rest % static_cast<std::size_t>(steps[axis]));
            rest /= static_cast<std::size_t>(steps[axis]);
        }
        all.push_back(position);
    }
    return all;
}

const LayoutKind& LayoutGrid::kind_at(const Position& position) {
    return kinds[static_cast<std::size_t>(position.at[2])];
}

bool LayoutGrid::is_known_kind(const Position& position) const {
    const LayoutKind& kind = kind_at(position);
    return measured_kinds_.contains({kind.mapping, kind.is_uneven});
}

Layout LayoutGrid::layout_at(const Position& position) const {
    const auto step = [&](const std::vector<CountStep>& steps, std::size_t axis) {
        return steps[static_cast<std::size_t>(position.at[axis])];
    };
    return kind_at(position).layout(step(nodes_, 0).typical(), step(ppn_, 1).typical());
}

// Inside of what was measured, or so far outside of it that the model may still be believed. One node has no
// network: it must have been measured.
void LayoutGrid::find_area(const Cells& cells, const std::string& network, const std::string& collective,
                           const Extent& extent, const RangeLimits& limits) {
    int fewest_nodes = CountRange::no_last, most_nodes = 0, fewest_ppn = CountRange::no_last, most_ppn = 0;
    for (const auto& [layout, cell] : cells_for(cells, network, collective)) {
        fewest_nodes = std::min(fewest_nodes, layout.nodes);
        most_nodes = std::max(most_nodes, layout.nodes);
        fewest_ppn = std::min(fewest_ppn, layout.ppn);
        most_ppn = std::max(most_ppn, layout.ppn);
        measured_kinds_.insert({layout.mapping, !layout.is_even()});
    }
    const auto is_near = [&](int count, int fewest, int most) {
        return count * limits.beyond_factor >= fewest && count <= limits.beyond_factor * most;
    };
    for (const Position& position : positions()) {
        const Layout layout = layout_at(position);
        Spot& at = spot(position);
        const bool is_inside = fewest_nodes <= layout.nodes && layout.nodes <= most_nodes &&
                               fewest_ppn <= layout.ppn && layout.ppn <= most_ppn;
        const bool is_worth_it =
            extent.holds(layout) &&
            layout.ranks() <= (is_known_kind(position) ? most_ranks : most_ranks_of_other_kind);
        const bool is_close = is_near(layout.nodes, fewest_nodes, most_nodes) &&
                              is_near(layout.ppn, fewest_ppn, most_ppn) &&
                              (layout.nodes > 1 || fewest_nodes == 1);
        at.area = !is_worth_it ? Area::outside
                  : is_inside  ? Area::between
                  : is_close   ? Area::beyond
                               : Area::outside;
        at.weight = nodes_[static_cast<std::size_t>(position.at[0])].weight() *
                    ppn_[static_cast<std::size_t>(position.at[1])].weight() * kind_at(position).weight;
        at.is_trivial = at.is_covered =
            layout.ranks() == 1 || (kind_at(position).is_uneven && layout.is_even());
    }
}

// At the first and at the last size of each step, since the library's own choice may change in between
void LayoutGrid::predict(const std::string& collective, const LayoutGains& gains, const RangeLimits& limits) {
    const double needed = std::log1p(limits.min_gain);
    for (const Position& position : positions()) {
        Spot& at = spot(position);
        at.gains.assign(algorithms_.size(), {});
        if (at.area == Area::outside || at.is_trivial) {
            continue;
        }
        const SizeStep& sizes = sizes_[static_cast<std::size_t>(position.at[3])];
        std::vector<int> fine(algorithms_.size()), own(algorithms_.size());
        for (const std::size_t bytes : {sizes.from_bytes, sizes.to_bytes}) {
            for (const LayoutGain& gain : gains.at(collective, layout_at(position), bytes)) {
                const auto i = static_cast<std::size_t>(
                    std::find(algorithms_.begin(), algorithms_.end(), gain.algorithm) - algorithms_.begin());
                own[i] += gain.is_own;
                fine[i] += gain.is_own || gain.log_gain - limits.caution * gain.log_gain_error > needed;
                at.gains[i].gain += gain.log_gain / 2;
                at.seconds = gain.is_own ? std::max(at.seconds, gain.seconds) : at.seconds;
            }
        }
        for (std::size_t i = 0; i < algorithms_.size(); ++i) {
            at.gains[i].is_fine = fine[i] == 2;
            at.gains[i].is_own = own[i] == 2;
            at.best_gain = std::max(at.best_gain, at.gains[i].is_fine ? at.gains[i].gain : 0);
        }
    }
}

void LayoutGrid::mark_measured(const Cells& cells, const std::string& network, const std::string& collective,
                               const std::vector<Rule>& measured) {
    for (const auto& [layout, cell] : cells_for(cells, network, collective)) {
        const LayoutRange here = LayoutRange::exactly(layout);
        std::vector<const Rule*> rules;
        for (const Rule& rule : measured) {
            if (rule.network == network && rule.collective == collective && rule.where.holds(layout)) {
                rules.push_back(&rule);
            }
        }
        for (const Position& position : positions()) {
            const CountStep& nodes = nodes_[static_cast<std::size_t>(position.at[0])];
            const CountStep& ppn = ppn_[static_cast<std::size_t>(position.at[1])];
            const Layout at_most = {layout.nodes, layout.ppn, kind_at(position).mapping, layout.missing};
            if (layout.is_even() != kind_at(position).is_uneven && here.holds(at_most) &&
                nodes.first <= layout.nodes && layout.nodes <= nodes.last && ppn.first <= layout.ppn &&
                layout.ppn <= ppn.last) {
                Spot& at = spot(position);
                const bool has_rule = is_covered(sizes_[static_cast<std::size_t>(position.at[3])], rules);
                at.is_closed = at.is_closed || !has_rule;
                at.is_covered = !at.is_closed && layout.is_even();
            }
        }
    }
}

}  // namespace tuner
