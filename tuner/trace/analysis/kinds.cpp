// SPDX-License-Identifier: MIT
// Names and shapes of calls of one kind.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "analysis.hpp"
#include "rank_placement.hpp"
#include "statistics.hpp"
#include "units.hpp"

namespace tuner::trace {

double seconds_from_ns(std::int64_t ns) {
    return 1e-9 * static_cast<double>(ns);
}

double median_of(std::vector<double> samples) {
    std::sort(samples.begin(), samples.end());
    return samples.empty() ? 0 : models::median(samples);
}

Shape shape_of(const Communicator& communicator) {
    Shape shape;
    shape.ranks = static_cast<int>(communicator.nodes.size());
    std::map<int, int> number;  // nodes in the order of their first rank
    std::vector<int> nodes;
    for (const int node : communicator.nodes) {
        nodes.push_back(number.try_emplace(node, static_cast<int>(number.size())).first->second);
    }
    shape.nodes = static_cast<int>(number.size());
    if (shape.nodes > 0) {
        shape.layout = layout_of(models::RankPlacement(std::move(nodes)));
    }
    return shape;
}

std::string to_string(const Shape& shape) {
    return shape.layout
               ? tuner::to_string(*shape.layout)
               : fmt::format("{} ranks on {} node{}", shape.ranks, shape.nodes, shape.nodes == 1 ? "" : "s");
}

std::string to_string(const KindKey& key) {
    return fmt::format("{}/{} {} {}{}", key.collective, key.algorithm.empty() ? "?" : key.algorithm,
                       bytes_text(key.bytes), to_string(key.shape),
                       key.is_nonblocking ? " (nonblocking)" : "");
}

double CriticalPaths::between_nodes_seconds() const {
    double sum = 0;
    for (const auto& [link, length] : link_seconds) {
        sum += length;
    }
    return sum;
}

std::uint32_t Kind::median_call() const {
    std::vector<std::size_t> order(calls.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2);
    std::nth_element(order.begin(), middle, order.end(),
                     [&](std::size_t a, std::size_t b) { return seconds[a] < seconds[b]; });
    return calls[*middle];
}

}  // namespace tuner::trace
