// SPDX-License-Identifier: MIT
#include "profile.hpp"

#include <algorithm>
#include <utility>

#include "exchanged_bytes.hpp"
#include "waiting_bytes.hpp"

namespace models {

namespace {

// What passes one port, an interface of a node or the memory port of a rank, in one round
struct Port {
    double out_bytes = 0;
    double in_bytes = 0;
    int out_messages = 0;
    int in_messages = 0;
    double exchanged_bytes = 0;
};

class LoadCounter {
  public:
    explicit LoadCounter(const RankPlacement& layout)
        : layout_(layout),
          nodes_(static_cast<std::size_t>(layout.nodes)),
          ranks_(static_cast<std::size_t>(layout.ranks())),
          combined_(ranks_.size()),
          copied_(ranks_.size()),
          exchanged_(layout.ranks()) {}

    Load count(const Round& round) {
        std::fill(nodes_.begin(), nodes_.end(), Port{});
        std::fill(ranks_.begin(), ranks_.end(), Port{});
        std::fill(combined_.begin(), combined_.end(), 0.0);
        std::fill(copied_.begin(), copied_.end(), 0.0);
        Load load;
        const std::vector<double>& exchanged = exchanged_.of(round);
        for (std::size_t i = 0; i < exchanged.size(); ++i) {
            const Message& message = round.messages()[i];
            const auto source = static_cast<std::size_t>(message.source);
            const auto destination = static_cast<std::size_t>(message.destination);
            const auto bytes = static_cast<double>(message.bytes);
            combined_[destination] += static_cast<double>(message.combined_bytes());
            if (source == destination) {
                copied_[source] += message.effect == Effect::store ? bytes : 0;
                continue;
            }
            const int source_node = layout_.node_of_rank[source];
            const int destination_node = layout_.node_of_rank[destination];
            if (source_node == destination_node) {
                pass(ranks_[source], ranks_[destination], bytes, exchanged[i], load.within);
            } else {
                pass(nodes_[static_cast<std::size_t>(source_node)],
                     nodes_[static_cast<std::size_t>(destination_node)], bytes, exchanged[i], load.between);
            }
        }
        find_busiest(nodes_, load.between);
        find_busiest(ranks_, load.within);
        load.combined_bytes = *std::max_element(combined_.begin(), combined_.end());
        load.copied_bytes = *std::max_element(copied_.begin(), copied_.end());
        return load;
    }

  private:
    static void pass(Port& from, Port& to, double bytes, double exchanged, Load::OfLink& load) {
        from.out_bytes += bytes;
        from.exchanged_bytes += exchanged;
        to.in_bytes += bytes;
        ++from.out_messages;
        ++to.in_messages;
        load.largest_message = std::max(load.largest_message, bytes);
    }
    static void find_busiest(const std::vector<Port>& ports, Load::OfLink& load) {
        for (const Port& port : ports) {
            const double bytes = std::max(port.out_bytes, port.in_bytes);
            if (std::pair(bytes, port.exchanged_bytes) > std::pair(load.bytes, load.exchanged_bytes)) {
                load.bytes = bytes;
                load.exchanged_bytes = port.exchanged_bytes;
            }
            load.messages = std::max({load.messages, port.out_messages, port.in_messages});
        }
    }

    const RankPlacement& layout_;
    std::vector<Port> nodes_;
    std::vector<Port> ranks_;
    std::vector<double> combined_;
    std::vector<double> copied_;
    ExchangedBytes exchanged_;
};

// The longest chain of messages that wait for each other, over all ranks
class LongestChain {
  public:
    LongestChain(const RankPlacement& layout, const Representatives& representatives)
        : layout_(layout),
          representatives_(representatives),
          chains_(static_cast<std::size_t>(layout.ranks())) {}

    void add(const Round& round) {
        next_ = chains_;
        for (const Message& message : round.messages()) {
            if (message.source == message.destination || !representatives_.is_one(message.destination)) {
                continue;
            }
            const auto source = static_cast<std::size_t>(message.source);
            const auto destination = static_cast<std::size_t>(message.destination);
            Hops longer = chains_[static_cast<std::size_t>(representatives_.of(message.source))];
            ++(layout_.node_of_rank[source] == layout_.node_of_rank[destination] ? longer.within
                                                                                 : longer.between);
            if (longer.length() > next_[destination].length()) {
                next_[destination] = longer;
            }
        }
        chains_.swap(next_);
    }

    struct Hops {
        int between = 0;
        int within = 0;
        // Which chain is the longest depends on the latencies, which are not known here. Within a node they
        // are nearly always several times shorter, but not zero.
        int length() const { return 8 * between + within; }
    };
    Hops longest() const {
        return *std::max_element(chains_.begin(), chains_.end(),
                                 [](const Hops& x, const Hops& y) { return x.length() < y.length(); });
    }

  private:
    const RankPlacement& layout_;
    const Representatives& representatives_;
    std::vector<Hops> chains_;  // of representatives
    std::vector<Hops> next_;
};

// A call of a size that divides evenly among the ranks, and among the largest power of two below; loads scale
// with it. How many segments there are does not: then it is the call itself.
Call unit_call(const Algorithm& algorithm, const Call& call) {
    constexpr std::size_t unit_for_rank = 4096;
    Call unit = call;
    if (algorithm.segment_bytes > 0) {
        return unit;
    }
    unit.deciding_bytes = call.size_for_choice();
    unit.bytes = unit_for_rank * static_cast<std::size_t>(call.ranks());
    unit.element_bytes = 1;
    return unit;
}

// Messages of all ranks
struct MessageCounts {
    int between = 0;
    int within = 0;
};
MessageCounts count_messages(const Round& round, const RankPlacement& layout,
                             const Representatives& representatives) {
    const auto node = [&](int rank) { return layout.node_of_rank[static_cast<std::size_t>(rank)]; };
    MessageCounts counts;
    for (const Message& message : round.messages()) {
        if (message.source != message.destination && representatives.is_one(message.source)) {
            (node(message.source) == node(message.destination) ? counts.within : counts.between) +=
                representatives.ranks_of_each();
        }
    }
    return counts;
}

}  // namespace

Profile profile(const Algorithm& algorithm, const Call& call) {
    const Call unit = unit_call(algorithm, call);
    const RankPlacement& layout = *call.layout;
    const Schedule schedule = algorithm.schedule(unit);
    const Representatives representatives = models::representatives(schedule, layout);
    Profile profile;
    profile.unit_bytes = static_cast<double>(unit.bytes);
    LoadCounter counter(layout);
    LongestChain chain(layout, representatives);
    WaitingBytes waiting(layout, representatives);
    int rounds_between = 0;
    int rounds_within = 0;
    for_each_distinct_round(schedule, representatives, [&](const Round& round, int times) {
        const MessageCounts counts = count_messages(round, layout, representatives);
        profile.rounds[counter.count(round)] += times;
        profile.messages_between += static_cast<double>(times) * counts.between;
        profile.messages_within += static_cast<double>(times) * counts.within;
        rounds_between += counts.between > 0 ? times : 0;
        rounds_within += counts.within > 0 ? times : 0;
        waiting.add(round, times);
        for (int i = 0; i < times; ++i) {
            chain.add(round);
        }
    });
    profile.waiting_bytes = waiting.sum();
    profile.latency_share_between =
        static_cast<double>(chain.longest().between) / std::max(rounds_between, 1);
    profile.latency_share_within = static_cast<double>(chain.longest().within) / std::max(rounds_within, 1);
    return profile;
}

}  // namespace models
