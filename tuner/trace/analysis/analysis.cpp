// SPDX-License-Identifier: MIT
#include "analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>

#include "rank_placement.hpp"
#include "statistics.hpp"
#include "units.hpp"

namespace tuner::trace {

namespace {

constexpr std::size_t most_positions = 64;
constexpr std::int64_t never = INT64_MIN;

double seconds(std::int64_t ns) {
    return 1e-9 * static_cast<double>(ns);
}

// `at`: when each participant came or left
void add_orders(Orders& orders, const std::vector<std::int64_t>& at, std::int64_t reference_ns, int sign,
                std::vector<std::size_t>& order) {
    const std::size_t ranks = at.size();
    orders.counts.resize(ranks, std::vector<std::size_t>(std::min(ranks, most_positions)));
    orders.last.resize(ranks);
    orders.wait_seconds.resize(ranks);
    order.resize(ranks);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return at[a] < at[b]; });
    for (std::size_t position = 0; position < ranks; ++position) {
        const std::size_t rank = order[position];
        ++orders.counts[rank][position * orders.counts[rank].size() / ranks];
        orders.wait_seconds[rank].push_back(seconds(sign * (reference_ns - at[rank])));
    }
    ++orders.last[order.back()];
}

class Analyser {
  public:
    explicit Analyser(const Matched& matched) : matched_(matched), call_(matched) {
        for (const RankTrace& rank : matched.trace->ranks) {
            result_.arrivals.push_back({rank.rank(), 0, 0, {}, 0});
            const FileHeader& header = rank.header;
            if (is_possible_time(header.started_ns) && is_possible_time(header.ended_ns)) {
                result_.program_seconds += seconds(header.ended_ns - header.started_ns) /
                                           static_cast<double>(matched.trace->ranks.size());
            }
        }
        for (const Communicator& communicator : matched.communicators) {
            shapes_.push_back(shape_of(communicator));
        }
    }

    Analysis run() {
        find_typical();
        for (std::uint32_t call = 0; call < matched_.calls.size(); ++call) {
            if (!matched_.is_outermost(call)) {
                continue;
            }
            if (call_.load(call)) {
                ++result_.calls;
                add(call);
            } else {
                ++result_.calls_left_out;
            }
        }
        for (auto& [key, kind] : kinds_) {
            if (kind.typical_calls == 0) {
                continue;  // its messages are damaged
            }
            for (std::vector<double>& sums : kind.stage_seconds) {
                sums.insert(sums.end() - 1, kind.stages.size() + 1 - sums.size(), 0.0);
            }
            result_.costs += kind.costs;
            result_.kinds.push_back(std::move(kind));
        }
        std::stable_sort(result_.kinds.begin(), result_.kinds.end(),
                         [](const Kind& a, const Kind& b) { return a.total_seconds() > b.total_seconds(); });
        result_.critical = find_critical();
        return std::move(result_);
    }

  private:
    KindKey key_of(const Call& call) const {
        return {std::string(call.collective), std::string(call.algorithm), call.bytes,
                shapes_[call.communicator], call.is_nonblocking};
    }

    // The calls of each kind that are between the quartiles of their times
    void find_typical() {
        std::map<KindKey, std::vector<std::pair<std::int64_t, std::uint32_t>>> times;
        for (std::uint32_t call = 0; call < matched_.calls.size(); ++call) {
            if (!matched_.is_outermost(call) || !matched_.calls[call].is_complete) {
                continue;
            }
            std::int64_t last_in = INT64_MIN;
            std::int64_t last_out = INT64_MIN;
            for (const Participant& p : matched_.participants_of(call)) {
                last_in = std::max(last_in, p.enter_ns);
                last_out = std::max(last_out, p.exit_ns);
            }
            times[key_of(matched_.calls[call])].emplace_back(last_out - last_in, call);
        }
        is_typical_.assign(matched_.calls.size(), false);
        for (auto& [key, of_kind] : times) {
            std::sort(of_kind.begin(), of_kind.end());
            const std::size_t quarter = of_kind.size() / 4;
            for (std::size_t i = quarter; i < of_kind.size() - quarter; ++i) {
                is_typical_[of_kind[i].second] = true;
            }
        }
    }

    void add(std::uint32_t number) {
        const Call& call = matched_.calls[number];
        KindKey key = key_of(call);
        Kind& kind = kinds_[key];
        if (kind.calls.empty()) {
            kind.key = std::move(key);
            kind.costs_of_rank.resize(call_.participants().size());
            kind.stage_seconds.resize(call_.participants().size());
        }
        kind.calls.push_back(number);
        add_times(kind);
        add_late_ranks();
        add_stages(kind);
        if (is_typical_[number]) {
            ++kind.typical_calls;
            for (const Breakdown& costs : call_.breakdowns()) {
                kind.typical_costs += costs;
            }
            add_rank_stages(kind);
            add_path(kind.path);
        }
        add_path(result_.path);
    }

    void add_times(Kind& kind) {
        const auto participants = call_.participants();
        enters_.clear();
        exits_.clear();
        for (const Participant& p : participants) {
            enters_.push_back(p.enter_ns);
            exits_.push_back(p.exit_ns);
        }
        const auto [first_in, last_in] = std::minmax_element(enters_.begin(), enters_.end());
        const auto [first_out, last_out] = std::minmax_element(exits_.begin(), exits_.end());
        kind.seconds.push_back(seconds(*last_out - *last_in));
        kind.whole_seconds.push_back(seconds(*last_out - *first_in));
        kind.latency_seconds.push_back(seconds(*first_out - *last_in));
        for (std::size_t i = 0; i < participants.size(); ++i) {
            kind.costs += call_.breakdowns()[i];
            kind.costs_of_rank[i] += call_.breakdowns()[i];
        }
        add_orders(kind.departures, exits_, *first_out, -1, order_);
        add_orders(kind.arrivals, enters_, *last_in, 1, order_);
        if (participants.size() > 1) {
            const std::size_t last = order_.back();
            for (const Participant& p : participants) {
                ++result_.arrivals[p.rank].calls;
            }
            RankArrivals& late = result_.arrivals[participants[last].rank];
            ++late.last;
            late.behind_seconds.push_back(seconds(enters_[last] - enters_[order_[(order_.size() - 1) / 2]]));
        }
    }

    void add_late_ranks() {
        for (const auto& waits : call_.late_waits()) {
            for (const LateWait& wait : waits) {
                const std::uint32_t rank = call_.participants()[static_cast<std::size_t>(wait.cause)].rank;
                result_.arrivals[rank].caused_seconds += seconds(wait.to_ns - wait.from_ns);
            }
        }
    }

    // Bytes of a stage through the interfaces of the nodes
    struct Through {
        double out = 0;
        double in = 0;
        double exchanged = 0;
    };

    void add_stages(Kind& kind) {
        received_.assign(call_.participants().size(), {});
        for (const Message& m : call_.messages()) {
            received_[static_cast<std::size_t>(call_.participant_of(m.destination))].push_back(
                m.receive_ended_ns);
        }
        for (auto& times : received_) {
            std::sort(times.begin(), times.end());
        }
        through_.clear();
        exchanges_.clear();
        for (const Message& m : call_.messages()) {
            if (m.stage > kind.stages.size()) {
                kind.stages.resize(m.stage);
            }
            LinkTimes& link =
                kind.stages[m.stage - 1].at(m.is_between_nodes ? Link::between_nodes : Link::within_node);
            ++link.messages;
            link.bytes += static_cast<double>(m.bytes);
            link.transfer_seconds.push_back(m.transfer_seconds());
            link.wait_seconds.push_back(seconds(std::max<std::int64_t>(
                0, std::min(m.send_posted_ns, m.receive_ended_ns) - m.receive_posted_ns)));
            const auto source = static_cast<std::size_t>(call_.participant_of(m.source));
            const auto& times = received_[source];
            const auto behind = std::upper_bound(times.begin(), times.end(), m.send_posted_ns);
            const std::int64_t since =
                behind == times.begin() ? call_.participants()[source].enter_ns : *(behind - 1);
            link.pass_on_seconds.push_back(seconds(m.send_posted_ns - since));
            if (m.is_between_nodes) {
                through_[{m.stage, matched_.node_of(m.source)}].out += static_cast<double>(m.bytes);
                through_[{m.stage, matched_.node_of(m.destination)}].in += static_cast<double>(m.bytes);
                exchanges_[{m.stage, m.source, m.destination}] += static_cast<double>(m.bytes);
            }
        }
        for (const auto& [pair, bytes] : exchanges_) {
            const auto& [stage, source, destination] = pair;
            if (const auto back = exchanges_.find({stage, destination, source}); back != exchanges_.end()) {
                through_[{stage, matched_.node_of(source)}].exchanged += std::min(bytes, back->second);
            }
        }
        auto next = through_.begin();
        while (next != through_.end()) {
            const std::uint32_t stage = next->first.first;
            auto busiest = next;
            for (; next != through_.end() && next->first.first == stage; ++next) {
                if (std::max(next->second.out, next->second.in) >
                    std::max(busiest->second.out, busiest->second.in)) {
                    busiest = next;
                }
            }
            kind.stages[stage - 1].busiest_bytes += std::max(busiest->second.out, busiest->second.in);
            kind.stages[stage - 1].busiest_exchanged_bytes += busiest->second.exchanged;
            ++kind.stages[stage - 1].busiest_node[busiest->first.second];
        }
    }

    // When each rank had done with each stage; time that it waited for late ranks is taken out
    void add_rank_stages(Kind& kind) {
        const std::size_t stages = kind.stages.size();
        ended_.assign(call_.participants().size(), std::vector<std::int64_t>(stages, never));
        for (const Message& m : call_.messages()) {
            const auto note = [&](std::uint32_t rank, std::int64_t at) {
                std::int64_t& ended =
                    ended_[static_cast<std::size_t>(call_.participant_of(rank))][m.stage - 1];
                ended = std::max(ended, at);
            };
            note(m.source, m.send_ended_ns);
            note(m.destination, m.receive_ended_ns);
        }
        for (std::size_t i = 0; i < ended_.size(); ++i) {
            const Participant& p = call_.participants()[i];
            std::vector<double>& sums = kind.stage_seconds[i];
            sums.insert(sums.empty() ? sums.end() : sums.end() - 1, stages + 1 - sums.size(), 0.0);
            std::int64_t at = p.enter_ns;
            for (std::size_t stage = 0; stage <= stages; ++stage) {
                const std::int64_t to =
                    stage == stages ? p.exit_ns : std::min(std::max(ended_[i][stage], at), p.exit_ns);
                if (stage == stages || ended_[i][stage] != never) {
                    sums[stage] += seconds(to - at - late_between(i, at, to));
                    at = to;
                }
            }
        }
    }

    std::int64_t late_between(std::size_t participant, std::int64_t from, std::int64_t to) const {
        std::int64_t sum = 0;
        for (const LateWait& wait : call_.late_waits()[participant]) {
            sum += std::max<std::int64_t>(0, std::min(to, wait.to_ns) - std::max(from, wait.from_ns));
        }
        return sum;
    }

    void add_path(CriticalPaths& paths) {
        paths.costs += call_.path_costs();
        for (const PathStep& step : call_.path()) {
            const double length = seconds(step.to_ns - step.from_ns);
            if (step.message == nullptr) {
                paths.rank_seconds[matched_.world_rank_of(
                    call_.participants()[static_cast<std::size_t>(step.participant)].rank)] += length;
                continue;
            }
            ++paths.messages;
            if (step.message->is_between_nodes) {
                paths.link_seconds[{matched_.node_of(step.message->source),
                                    matched_.node_of(step.message->destination)}] += length;
            }
        }
    }

    // A share that is at least half way from what equal ones would have to all of it
    static bool dominates(double share, double equal_share) {
        return share >= equal_share + (1 - equal_share) / 2;
    }

    bool is_on(const Message& m, const NodeLink& link) const {
        return matched_.node_of(m.source) == link.from && matched_.node_of(m.destination) == link.to;
    }
    bool touches(const Message& m, int node) const {
        return matched_.node_of(m.source) == node || matched_.node_of(m.destination) == node;
    }

    // Shares alone do not tell: where all links are equal, each call's path may well stay on one. What
    // dominates must be slower than the rest, too, if there is a rest.
    std::optional<Critical> find_critical() const {
        constexpr double clearly_slower = 1.3;
        constexpr double nearly = 0.9;  // of the largest share
        const double between = result_.path.between_nodes_seconds();
        const double whole = result_.path.costs.total();
        for (const auto& [rank, length] : result_.path.rank_seconds) {
            if (dominates(length / whole, 1 / static_cast<double>(matched_.trace->ranks.size()))) {
                return Critical{Critical::What::rank, rank, {}, length / whole, 0};
            }
        }
        if (between <= 0 || between < whole / 2) {
            return std::nullopt;  // the network is not what takes the time
        }
        std::map<int, double> share_of_node;
        NodeLink link;
        double link_share = 0;
        for (const auto& [of, length] : result_.path.link_seconds) {
            share_of_node[of.from] += length / between;
            share_of_node[of.to] += length / between;
            if (length / between > link_share) {
                link = of;
                link_share = length / between;
            }
        }
        std::set<NodeLink> links;
        std::set<int> nodes;
        for (const Message& m : matched_.messages) {
            if (m.is_between_nodes) {
                links.insert({matched_.node_of(m.source), matched_.node_of(m.destination)});
                nodes.insert({matched_.node_of(m.source), matched_.node_of(m.destination)});
            }
        }
        const auto is_on_link = [&](const Message& m) { return is_on(m, link); };
        const auto no_message = [](const Message&) { return false; };
        double largest = 0;
        for (const auto& [node, share] : share_of_node) {
            largest = std::max(largest, share);
        }
        // A slow node makes all of its links slow, also those that the paths did not take
        std::optional<Critical> found;
        for (const auto& [node, share] : share_of_node) {
            const auto at_node = [&, n = node](const Message& m) { return touches(m, n); };
            const double elsewhere = slower(at_node, is_on_link);
            if (nodes.size() > 2 && share >= nearly * largest &&
                dominates(share, 2 / static_cast<double>(nodes.size())) &&
                (elsewhere >= clearly_slower || elsewhere == 0) && (!found || elsewhere > found->slower)) {
                found = Critical{Critical::What::node, node, {}, share, slower(at_node, no_message)};
            }
        }
        if (!found && links.size() > 1 && dominates(link_share, 1 / static_cast<double>(links.size()))) {
            const double ratio = slower(is_on_link, no_message);
            if (ratio >= clearly_slower) {
                found = Critical{Critical::What::link, 0, link, link_share, ratio};
            }
        }
        return found;
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
    CallAnalysis call_;
    Analysis result_;
    std::vector<Shape> shapes_;
    std::vector<bool> is_typical_;  // by call
    std::map<KindKey, Kind> kinds_;
    std::vector<std::int64_t> enters_;
    std::vector<std::int64_t> exits_;
    std::vector<std::size_t> order_;
    std::vector<std::vector<std::int64_t>> received_;
    std::vector<std::vector<std::int64_t>> ended_;
    std::map<std::pair<std::uint32_t, int>, Through> through_;  // by stage and node
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, double>
        exchanges_;  // by stage and ranks
};

}  // namespace

Analysis analyse(const Matched& matched) {
    return Analyser(matched).run();
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
    if (shape.nodes > 0 && shape.ranks % shape.nodes == 0) {
        const int ppn = shape.ranks / shape.nodes;
        for (const Mapping mapping : {Mapping::block, Mapping::round_robin}) {
            const Layout layout = {shape.nodes, ppn, mapping};
            if (!shape.layout && placement_of(layout).node_of_rank == nodes) {
                shape.layout = layout;
            }
        }
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

const RankArrivals* Analysis::late_rank() const {
    constexpr double smallest_share = 0.1;  // of the time in collectives: less is not worth a word
    const RankArrivals* worst = nullptr;
    for (const RankArrivals& rank : arrivals) {
        if (rank.caused_seconds > smallest_share * costs.total() &&
            (worst == nullptr || rank.caused_seconds > worst->caused_seconds)) {
            worst = &rank;
        }
    }
    return worst;
}

}  // namespace tuner::trace
