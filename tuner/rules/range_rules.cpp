// SPDX-License-Identifier: MIT
#include "range_rules.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "layout_grid.hpp"

namespace tuner {

namespace {

constexpr std::size_t fewest_layouts = 3;

// What verification takes for a rule and layout, about: to start a job, and to call
constexpr double job_seconds = 1;
constexpr double calls_of_a_proof = 40;

// Collectives that enough layouts were measured of, and whether they have an operation
std::map<std::string, bool> collectives_of(const Cells& cells, const std::string& network) {
    std::map<std::string, bool> collectives;
    std::map<std::string, std::set<Layout>> layouts;
    for (const auto& [key, cell] : cells) {
        if (key.network == network && layouts[key.collective].insert(key.layout).second &&
            layouts[key.collective].size() == fewest_layouts) {
            collectives[key.collective] = !key.operation.empty();
        }
    }
    return collectives;
}

// A range of steps on each axis, both ends included
struct Box {
    std::array<int, 4> first;
    std::array<int, 4> last;
};

// Calls `visit` with each position of a box until it returns false; true: it never did
template <class Visit>
bool all_of_box(const Box& box, const Visit& visit) {
    Position at = {box.first};
    for (;;) {
        if (!visit(at)) {
            return false;
        }
        std::size_t axis = at.at.size();
        while (axis > 0 && at.at[axis - 1] == box.last[axis - 1]) {
            at.at[axis - 1] = box.first[axis - 1];
            --axis;
        }
        if (axis == 0) {
            return true;
        }
        ++at.at[axis - 1];
    }
}

// Covers a grid with boxes of one algorithm each, the one that gains most first
class Cover {
  public:
    Cover(LayoutGrid& grid, const RangeLimits& limits) : grid_(grid), limits_(limits) {
        for (const Position& at : grid_.positions()) {
            weight_of_all_ += grid_.spot(at).area == Area::outside ? 0 : grid_.spot(at).weight;
        }
    }

    struct Chosen {
        Box box;
        std::size_t algorithm;
        Area area;
        double benefit;  // mean gain over all jobs and sizes, logarithmic
        double gain;     // mean over what the rule changes, weighted by how many jobs there are
        double loss;     // against the best algorithm, the largest
        double seconds;  // of the library's own choice, the longest
    };

    // At most so many, and none that hardly matters to all jobs together
    std::vector<Chosen> boxes(std::size_t most) {
        std::vector<Chosen> chosen;
        while (chosen.size() < most) {
            std::optional<Chosen> best;
            for (const Position& seed : seeds()) {
                const Chosen box = grown(seed);
                if (!best || box.benefit > best->benefit) {
                    best = box;
                }
            }
            if (!best || best->benefit < least_benefit) {
                break;
            }
            all_of_box(best->box, [&](const Position& at) {
                grid_.spot(at).is_covered = true;
                return true;
            });
            chosen.push_back(*best);
        }
        return chosen;
    }

  private:
    // Logarithmic, as a mean over all jobs and sizes
    static constexpr double least_benefit = 0.0002;
    static constexpr std::size_t most_seeds = 100;

    // Where rules are missed most
    std::vector<Position> seeds() const {
        std::vector<Position> found;
        for (const Position& at : grid_.positions()) {
            const Spot& spot = grid_.spot(at);
            if (!spot.is_covered && !spot.is_closed && spot.best_gain > 0) {
                found.push_back(at);
            }
        }
        const auto missed = [&](const Position& at) {
            return grid_.spot(at).weight * grid_.spot(at).best_gain;
        };
        std::stable_sort(found.begin(), found.end(),
                         [&](const Position& a, const Position& b) { return missed(a) > missed(b); });
        found.resize(std::min(found.size(), most_seeds));
        return found;
    }

    // Also where an earlier rule holds: it may not survive verification
    bool is_fine(const Position& at, std::size_t algorithm, Area area) const {
        const Spot& spot = grid_.spot(at);
        if (spot.area != area || spot.is_trivial) {
            return spot.area == area;
        }
        const SpotGain& gain = spot.gains[algorithm];
        if (spot.is_covered) {
            return gain.is_own || gain.is_fine;
        }
        return gain.is_own ? spot.is_closed || spot.best_gain <= std::log1p(limits_.loss_bound)
                           : !spot.is_closed && gain.is_fine &&
                                 spot.best_gain - gain.gain <= std::log1p(limits_.loss_bound);
    }

    double benefit(const Box& box, std::size_t algorithm) const {
        double sum = 0;
        all_of_box(box, [&](const Position& at) {
            const Spot& spot = grid_.spot(at);
            sum += spot.is_covered ? 0 : spot.weight * spot.gains[algorithm].gain;
            return true;
        });
        return sum / weight_of_all_;
    }

    // One step in each direction of the axis, as long as the algorithm is fine in all of it
    bool grow(Box& box, std::size_t axis, std::size_t algorithm, Area area) const {
        bool has_grown = false;
        for (const int direction : {-1, 1}) {
            Box layer = box;
            const int next = direction < 0 ? box.first[axis] - 1 : box.last[axis] + 1;
            layer.first[axis] = layer.last[axis] = next;
            if (next >= 0 && next < grid_.extent()[axis] &&
                all_of_box(layer, [&](const Position& at) { return is_fine(at, algorithm, area); })) {
                (direction < 0 ? box.first[axis] : box.last[axis]) = next;
                has_grown = true;
            }
        }
        return has_grown;
    }

    // A rule for nodes that are not all full is also for those that are
    static Box start_of(const Position& seed) {
        Box box = {seed.at, seed.at};
        box.first[2] = std::min(box.first[2], LayoutGrid::block_kind);
        return box;
    }

    // In each order of the axes; the box that gains most
    Chosen grown(const Position& seed) const {
        const Spot& spot = grid_.spot(seed);
        std::size_t algorithm = 0;
        for (std::size_t i = 0; i < spot.gains.size(); ++i) {
            if (spot.gains[i].is_fine && spot.gains[i].gain == spot.best_gain) {
                algorithm = i;
            }
        }
        const Box start = start_of(seed);
        if (!all_of_box(start, [&](const Position& at) { return is_fine(at, algorithm, spot.area); })) {
            return {start, algorithm, spot.area, 0, 0, 0, 0};
        }
        std::array<std::size_t, 4> order = {0, 1, 2, 3};
        Box best = start;
        do {
            Box box = start;
            for (const std::size_t axis : order) {
                while (grow(box, axis, algorithm, spot.area)) {
                }
            }
            if (benefit(box, algorithm) > benefit(best, algorithm)) {
                best = box;
            }
        } while (std::next_permutation(order.begin(), order.end()));
        return described(best, algorithm, spot.area);
    }

    Chosen described(const Box& box, std::size_t algorithm, Area area) const {
        double weights = 0;
        double loss = 0;
        double seconds = 0;
        all_of_box(box, [&](const Position& at) {
            const Spot& spot = grid_.spot(at);
            seconds = std::max(seconds, spot.seconds);
            if (!spot.is_covered && !spot.gains[algorithm].is_own) {
                weights += spot.weight;
                loss = std::max(loss, spot.best_gain - spot.gains[algorithm].gain);
            }
            return true;
        });
        const double sum = benefit(box, algorithm);
        return {box, algorithm, area, sum, weights > 0 ? sum * weight_of_all_ / weights : 0, loss, seconds};
    }

    LayoutGrid& grid_;
    const RangeLimits& limits_;
    double weight_of_all_ = 0;
};

CountRange range_of(const std::vector<CountStep>& steps, int first, int last) {
    return {steps[static_cast<std::size_t>(first)].first, steps[static_cast<std::size_t>(last)].last};
}

Rule rule_of(const LayoutGrid& grid, const Cover::Chosen& chosen, const std::string& network,
             const std::string& collective, bool has_operation) {
    const auto& [first, last] = chosen.box;
    Rule rule;
    rule.network = network;
    rule.collective = collective;
    rule.operation = has_operation ? built_in_operation : "";
    rule.where.nodes = range_of(grid.nodes(), first[0], last[0]);
    rule.where.ppn = range_of(grid.ppn(), first[1], last[1]);
    rule.where.uneven =
        last[2] == LayoutGrid::uneven_kind && rule.where.nodes.last > 1 && rule.where.ppn.last > 1;
    if (first[2] == LayoutGrid::block_kind || last[2] < LayoutGrid::block_kind) {
        rule.where.mapping = LayoutGrid::kinds[static_cast<std::size_t>(first[2])].mapping;
    }
    rule.from_bytes = grid.sizes()[static_cast<std::size_t>(first[3])].from_bytes;
    rule.to_bytes = grid.sizes()[static_cast<std::size_t>(last[3])].to_bytes;
    rule.algorithm = grid.algorithms()[chosen.algorithm];
    rule.from_interval = {static_cast<double>(rule.from_bytes), static_cast<double>(rule.from_bytes)};
    rule.expected_gain = std::expm1(chosen.gain);
    rule.worst_loss = std::expm1(chosen.loss);
    rule.worth = chosen.benefit / (job_seconds + calls_of_a_proof * chosen.seconds);
    rule.basis = chosen.area == Area::between ? "between" : "beyond";
    return rule;
}

}  // namespace

bool has_enough_layouts(const Cells& cells, const std::string& network) {
    return !collectives_of(cells, network).empty();
}

std::vector<Rule> range_rules(const Cells& cells, const std::string& network, const LayoutGains& gains,
                              const std::vector<Rule>& measured, const Extent& extent,
                              const RangeLimits& limits) {
    std::vector<Rule> rules;
    for (const auto& [name, has_operation] : collectives_of(cells, network)) {
        const auto of_layouts = static_cast<std::size_t>(
            std::count_if(measured.begin(), measured.end(), [&, &collective = name](const Rule& rule) {
                return rule.network == network && rule.collective == collective;
            }));
        LayoutGrid grid(cells, network, name, gains, measured, extent, limits);
        const std::size_t most = limits.most_rules - std::min(limits.most_rules, of_layouts);
        for (const Cover::Chosen& chosen : Cover(grid, limits).boxes(most)) {
            rules.push_back(rule_of(grid, chosen, network, name, has_operation));
        }
    }
    return rules;
}

}  // namespace tuner
