// SPDX-License-Identifier: MIT
#include "critical.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>

namespace tuner::trace {

namespace {

constexpr double clearly_slower = 1.3;
constexpr double nearly = 0.9;  // of the largest share

// A share that is at least half way from what equal ones would have to all of it
bool dominates(double share, double equal_share) {
    return share >= equal_share + (1 - equal_share) / 2;
}

// Shares of the paths' time between nodes
struct Shares {
    std::map<int, double> of_node;  // a link counts for both of its nodes
    double largest_of_node = 0;
    NodeLink largest_link;
    double of_largest_link = 0;
};

Shares shares_of(const CriticalPaths& paths) {
    const double between = paths.between_nodes_seconds();
    Shares shares;
    for (const auto& [link, length] : paths.link_seconds) {
        shares.of_node[link.from] += length / between;
        shares.of_node[link.to] += length / between;
        if (length / between > shares.of_largest_link) {
            shares.largest_link = link;
            shares.of_largest_link = length / between;
        }
    }
    for (const auto& [node, share] : shares.of_node) {
        shares.largest_of_node = std::max(shares.largest_of_node, share);
    }
    return shares;
}

bool no_message(const Message&) {
    return false;
}

// Shares alone do not tell: where all links are equal, each call's path may well stay on one. What
// dominates must be slower than the rest, too, if there is a rest.
class CriticalFinder {
  public:
    CriticalFinder(const Matched& matched, const CriticalPaths& paths) : matched_(matched), paths_(paths) {}

    std::optional<Critical> find() const {
        const double between = paths_.between_nodes_seconds();
        const double whole = paths_.costs.total();
        if (const std::optional<Critical> rank = find_rank(whole)) {
            return rank;
        }
        if (between <= 0 || between < whole / 2) {
            return std::nullopt;  // the network is not what takes the time
        }
        const Shares shares = shares_of(paths_);
        const std::optional<Critical> node = find_node(shares);
        return node ? node : find_link(shares);
    }

  private:
    std::optional<Critical> find_rank(double whole_seconds) const {
        const double equal_share = 1 / static_cast<double>(matched_.trace->ranks.size());
        for (const auto& [rank, length] : paths_.rank_seconds) {
            if (dominates(length / whole_seconds, equal_share)) {
                return Critical{Critical::What::rank, rank, {}, length / whole_seconds, 0};
            }
        }
        return std::nullopt;
    }

    // A slow node makes all of its links slow, also those that the paths did not take
    std::optional<Critical> find_node(const Shares& shares) const {
        const std::size_t nodes = nodes_with_messages().size();
        const auto is_on_link = [&](const Message& m) { return is_on(m, shares.largest_link); };
        std::optional<Critical> found;
        for (const auto& [node, share] : shares.of_node) {
            const auto at_node = [&, n = node](const Message& m) { return touches(m, n); };
            const double elsewhere = slower(at_node, is_on_link);
            if (nodes > 2 && share >= nearly * shares.largest_of_node &&
                dominates(share, 2 / static_cast<double>(nodes)) &&
                (elsewhere >= clearly_slower || elsewhere == 0) && (!found || elsewhere > found->slower)) {
                found = Critical{Critical::What::node, node, {}, share, slower(at_node, no_message)};
            }
        }
        return found;
    }

    std::optional<Critical> find_link(const Shares& shares) const {
        const std::size_t links = links_with_messages().size();
        if (links < 2 || !dominates(shares.of_largest_link, 1 / static_cast<double>(links))) {
            return std::nullopt;
        }
        const double ratio =
            slower([&](const Message& m) { return is_on(m, shares.largest_link); }, no_message);
        if (ratio < clearly_slower) {
            return std::nullopt;
        }
        return Critical{Critical::What::link, 0, shares.largest_link, shares.of_largest_link, ratio};
    }

    NodeLink link_of(const Message& m) const {
        return {matched_.node_of(m.source), matched_.node_of(m.destination)};
    }
    bool is_on(const Message& m, const NodeLink& link) const { return link_of(m) == link; }
    bool touches(const Message& m, int node) const {
        return link_of(m).from == node || link_of(m).to == node;
    }

    std::set<NodeLink> links_with_messages() const {
        std::set<NodeLink> links;
        for (const Message& m : matched_.messages) {
            if (m.is_between_nodes) {
                links.insert(link_of(m));
            }
        }
        return links;
    }

    std::set<int> nodes_with_messages() const {
        std::set<int> nodes;
        for (const NodeLink& link : links_with_messages()) {
            nodes.insert({link.from, link.to});
        }
        return nodes;
    }

    // How much longer the chosen messages take than others of their size (within a factor of two): median; 0
    // if there are no others. Those to be left out are on neither side.
    template <class Chosen, class LeftOut>
    double slower(Chosen is_chosen, LeftOut is_left_out) const {
        std::map<int, std::array<std::vector<double>, 2>> by_size;
        for (const Message& m : matched_.messages) {
            if (m.is_between_nodes && !is_left_out(m)) {
                by_size[static_cast<int>(std::bit_width(m.bytes))][is_chosen(m) ? 1 : 0].push_back(
                    m.transfer_seconds());
            }
        }
        std::vector<double> ratios;
        for (auto& [width, times] : by_size) {
            const double others = median_of(std::move(times[0]));
            if (others > 0 && !times[1].empty()) {
                const std::size_t count = times[1].size();
                ratios.insert(ratios.end(), count, median_of(std::move(times[1])) / others);
            }
        }
        return median_of(std::move(ratios));
    }

    const Matched& matched_;
    const CriticalPaths& paths_;
};

}  // namespace

std::optional<Critical> find_critical(const Matched& matched, const CriticalPaths& paths) {
    return CriticalFinder(matched, paths).find();
}

}  // namespace tuner::trace
