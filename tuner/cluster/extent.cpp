// SPDX-License-Identifier: MIT
#include "extent.hpp"

#include <algorithm>
#include <cmath>

#include "error.hpp"

namespace tuner {

bool Extent::holds(const Layout& layout) const {
    return layout.nodes <= nodes && layout.ppn <= ppn && (ranks == 0 || layout.ranks() <= ranks);
}

Extent extent_of(const Cluster& cluster) {
    if (cluster.hosts.empty()) {
        return {};
    }
    const auto fewest = std::min_element(cluster.hosts.begin(), cluster.hosts.end(),
                                         [](const Host& a, const Host& b) { return a.slots < b.slots; });
    Extent extent = {static_cast<int>(cluster.hosts.size()), fewest->slots};
    if (cluster.is_faked()) {
        extent.ranks = extent.ppn;
        for (const Layout& layout : cluster.layouts) {
            extent.ranks = std::max(extent.ranks, layout.ranks());
        }
    }
    return extent;
}

std::vector<Layout> all_layouts(const Extent& extent) {
    std::vector<Layout> all;
    for (int nodes = 1; nodes <= extent.nodes; ++nodes) {
        for (int ppn = 1; ppn <= extent.ppn; ++ppn) {
            const Layout layout = {nodes, ppn};
            if (layout.ranks() > 1 && extent.holds(layout)) {
                all.push_back(layout);
            }
        }
    }
    return all;
}

std::vector<Layout> corner_layouts(const Extent& extent) {
    const int full = extent.ranks == 0 ? extent.ppn : std::min(extent.ppn, extent.ranks / extent.nodes);
    const int middle = static_cast<int>(std::lround(std::sqrt(2.0 * extent.ppn)));  // of 2 and the most
    const Layout of_one_node[] = {{1, extent.ppn}, {1, 2}, {1, middle}};
    const Layout of_nodes[] = {{1, extent.ppn}, {extent.nodes, 1}, {extent.nodes, full}};
    std::vector<Layout> corners;
    for (const Layout& layout : extent.nodes == 1 ? of_one_node : of_nodes) {
        if (layout.ranks() > 1 && extent.holds(layout) &&
            std::find(corners.begin(), corners.end(), layout) == corners.end()) {
            corners.push_back(layout);
        }
    }
    return corners;
}

void choose_layouts(Cluster& cluster) {
    cluster.chooses_layouts = true;
    cluster.layouts.clear();
    cluster.layouts = corner_layouts(extent_of(cluster));
    if (cluster.layouts.empty()) {
        throw usage_error(
            cluster.is_allocated
                ? "the allocation of Slurm is for one rank, and a layout needs at least 2 ranks; ask "
                  "for more, such as --nodes=4 --ntasks-per-node=8"
                : "the cluster has one host with one slot, and a layout needs at least 2 ranks; "
                  "name more \"hosts\", or raise \"slots\"");
    }
}

}  // namespace tuner
