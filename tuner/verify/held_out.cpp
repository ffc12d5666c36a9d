// SPDX-License-Identifier: MIT
#include "held_out.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "layout_grid.hpp"
#include "thresholds.hpp"
#include "verified_sizes.hpp"

namespace tuner {

namespace {

// The numbers of a range that a cluster has; of large ones, some
std::vector<int> counts_of(const CountRange& range, int most) {
    std::vector<int> counts;
    for (const CountStep& step : count_steps(std::min(range.last, most))) {
        if (range.holds(step.typical())) {
            counts.push_back(step.typical());
        }
    }
    return counts;
}

// Sizes that the rule is the first one for, and where the library by itself would run something else
std::vector<std::size_t> sizes_for(const Config& config, const Rule& rule, const Layout& layout,
                                   std::size_t count) {
    std::vector<std::size_t> fit;
    for (const std::size_t bytes : sizes_to_verify(rule, {}, 4 * count)) {
        if (find_rule(config, rule.network, layout, rule.collective, bytes) == &rule &&
            default_choice(rule.collective, layout, bytes) != rule.algorithm) {
            fit.push_back(bytes);
        }
    }
    std::vector<std::size_t> sizes;  // both ends, and evenly between
    for (std::size_t i = 0; i < count && !fit.empty(); ++i) {
        sizes.push_back(fit[count == 1 ? fit.size() / 2 : i * (fit.size() - 1) / (count - 1)]);
    }
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

double distance(const Layout& a, const Layout& b) {
    const double nodes = std::log2(static_cast<double>(a.nodes) / b.nodes);
    const double ppn = std::log2(static_cast<double>(a.ppn) / b.ppn);
    return std::hypot(nodes, ppn) + (a.mapping != b.mapping) + 0.5 * (a.is_even() != b.is_even());
}

std::vector<HeldOutLayout> candidates(const Config& config, const Rule& rule,
                                      const std::set<Layout>& measured, const HeldOutChoice& choice) {
    std::vector<HeldOutLayout> all;
    for (const int nodes : counts_of(rule.where.nodes, choice.extent.nodes)) {
        for (const int ppn : counts_of(rule.where.ppn, choice.extent.ppn)) {
            for (const Mapping mapping : {Mapping::block, Mapping::round_robin}) {
                for (const int missing : std::set<int>{0, 1, ppn / 2}) {
                    const Layout layout = {nodes, ppn, mapping, missing};
                    const bool has_mapping = nodes > 1 && ppn > 1;
                    if ((mapping != Mapping::block || missing > 0) && !has_mapping) {
                        continue;
                    }
                    if (choice.extent.holds(layout) && rule.where.holds(layout) &&
                        !measured.contains(layout) && layout.ranks() > 1) {
                        std::vector<std::size_t> sizes = sizes_for(config, rule, layout, choice.sizes);
                        if (!sizes.empty()) {
                            all.push_back({layout, std::move(sizes)});
                        }
                    }
                }
            }
        }
    }
    return all;
}

}  // namespace

std::vector<HeldOutLayout> held_out(const Config& config, const Rule& rule, const std::set<Layout>& measured,
                                    const HeldOutChoice& choice, const std::set<Layout>& preferred) {
    constexpr double preference = 2;
    std::vector<HeldOutLayout> left = candidates(config, rule, measured, choice);
    std::mt19937_64 random(choice.seed);
    std::shuffle(left.begin(), left.end(), random);
    std::vector<HeldOutLayout> chosen;
    const auto merit = [&](const HeldOutLayout& of) {  // how far it is from all before
        double least = 1;
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            const double apart = distance(of.layout, chosen[i].layout);
            least = i == 0 ? apart : std::min(least, apart);
        }
        return preferred.contains(of.layout) ? preference * least : least;
    };
    while (!left.empty() && chosen.size() < choice.layouts) {
        const auto next = std::max_element(
            left.begin(), left.end(),
            [&](const HeldOutLayout& a, const HeldOutLayout& b) { return merit(a) < merit(b); });
        chosen.push_back(std::move(*next));
        left.erase(next);
    }
    return chosen;
}

}  // namespace tuner
