// SPDX-License-Identifier: MIT
// A profile as it is defined: every message of every rank in every round, without anything that saves time.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "profile.hpp"

class PlainProfile {
  public:
    PlainProfile(const models::Algorithm& algorithm, const models::Call& call)
        : layout_(*call.layout), chains_(layout_.node_of_rank.size()), bursts_(chains_.size()) {
        models::Call unit = call;
        if (algorithm.segment_bytes == 0) {  // how many segments there are depends on the size
            unit.deciding_bytes = call.size_for_choice();
            unit.bytes = 4096 * static_cast<std::size_t>(call.ranks());
            unit.element_bytes = 1;
        }
        profile_.unit_bytes = static_cast<double>(unit.bytes);
        models::for_each_round(algorithm.schedule(unit), [&](const models::Round& round) { add(round); });
        finish();
    }
    const models::Profile& get() const { return profile_; }

  private:
    using Load = models::Load;
    using Message = models::Message;
    using Round = models::Round;

    struct Port {
        double out_bytes = 0;
        double in_bytes = 0;
        double exchanged_bytes = 0;
        int out_messages = 0;
        int in_messages = 0;
    };
    struct Hops {
        int between = 0;
        int within = 0;
        int length() const { return 8 * between + within; }
    };
    // What a rank, or those of its node that it heard from, sent since they heard from another node
    struct Burst {
        std::map<std::size_t, double> node_bytes;  // by round
        std::set<std::pair<int, int>> streams;     // from rank to rank
    };
    struct Waiting {
        double bytes = 0;
        int messages = 0;
    };

    int node(int rank) const { return layout_.node_of_rank[static_cast<std::size_t>(rank)]; }
    static bool is_local(const Message& message) { return message.source == message.destination; }
    bool is_between(const Message& message) const {
        return node(message.source) != node(message.destination);
    }

    void add(const Round& round) {
        const Load load = load_of(round);
        ++profile_.rounds[load];
        rounds_between_ += load.between.messages > 0 ? 1 : 0;
        rounds_within_ += load.within.messages > 0 ? 1 : 0;
        for (const Message& message : round.messages()) {
            if (!is_local(message)) {
                ++(is_between(message) ? profile_.messages_between : profile_.messages_within);
            }
        }
        lengthen_chains(round);
        send(round);
        receive(round);
    }

    static double exchanged(const Round& round, const Message& message) {
        std::size_t back = 0;
        for (const Message& other : round.messages()) {
            const bool is_answer = other.source == message.destination && other.destination == message.source;
            back += is_answer ? other.bytes : 0;
        }
        return static_cast<double>(std::min(message.bytes, back));
    }

    Load load_of(const Round& round) const {
        Load load;
        std::map<int, Port> nodes;
        std::map<int, Port> ranks;
        std::map<int, double> combined;
        std::map<int, double> copied;
        for (const Message& message : round.messages()) {
            const auto bytes = static_cast<double>(message.bytes);
            (message.effect == models::Effect::store ? copied : combined)[message.destination] +=
                message.effect == models::Effect::store && !is_local(message) ? 0 : bytes;
            if (is_local(message)) {
                continue;
            }
            const bool between = is_between(message);
            Port& from = between ? nodes[node(message.source)] : ranks[message.source];
            Port& to = between ? nodes[node(message.destination)] : ranks[message.destination];
            from.out_bytes += bytes;
            from.exchanged_bytes += exchanged(round, message);
            ++from.out_messages;
            to.in_bytes += bytes;
            ++to.in_messages;
            Load::OfLink& link = between ? load.between : load.within;
            link.largest_message = std::max(link.largest_message, bytes);
        }
        find_busiest(nodes, load.between);
        find_busiest(ranks, load.within);
        for (const auto& [rank, bytes] : combined) {
            load.combined_bytes = std::max(load.combined_bytes, bytes);
        }
        for (const auto& [rank, bytes] : copied) {
            load.copied_bytes = std::max(load.copied_bytes, bytes);
        }
        return load;
    }

    static void find_busiest(const std::map<int, Port>& ports, Load::OfLink& load) {
        for (const auto& [number, port] : ports) {
            const std::pair busier(std::max(port.out_bytes, port.in_bytes), port.exchanged_bytes);
            std::tie(load.bytes, load.exchanged_bytes) =
                std::max(busier, std::pair(load.bytes, load.exchanged_bytes));
            load.messages = std::max({load.messages, port.out_messages, port.in_messages});
        }
    }

    void lengthen_chains(const Round& round) {
        const std::vector<Hops> before = chains_;
        for (const Message& message : round.messages()) {
            Hops longer = before[static_cast<std::size_t>(message.source)];
            Hops& chain = chains_[static_cast<std::size_t>(message.destination)];
            ++(is_between(message) ? longer.between : longer.within);
            if (!is_local(message) && longer.length() > chain.length()) {
                chain = longer;
            }
        }
    }

    void send(const Round& round) {
        std::map<int, double> node_bytes;
        for (const Message& message : round.messages()) {
            node_bytes[node(message.source)] += is_between(message) ? static_cast<double>(message.bytes) : 0;
        }
        const std::size_t now = busiest_.size();
        busiest_.push_back(0);
        waiting_.emplace_back();
        for (const auto& [number, bytes] : node_bytes) {
            busiest_.back() = std::max(busiest_.back(), bytes);
        }
        for (const Message& message : round.messages()) {
            if (!is_between(message)) {
                continue;
            }
            Burst& burst = bursts_[static_cast<std::size_t>(message.source)];
            const bool is_new = burst.streams.emplace(message.source, message.destination).second;
            for (const auto& [earlier, bytes] : burst.node_bytes) {
                if (is_new && earlier != now) {
                    Waiting& waiting =
                        waiting_[earlier].try_emplace(node(message.source), Waiting{bytes}).first->second;
                    waiting.bytes += static_cast<double>(message.bytes);
                    ++waiting.messages;
                }
            }
            burst.node_bytes[now] = node_bytes[node(message.source)];
        }
    }

    void receive(const Round& round) {
        const std::vector<Burst> before = bursts_;
        for (const Message& message : round.messages()) {
            if (!is_between(message) && !is_local(message)) {
                bursts_[static_cast<std::size_t>(message.destination)] =
                    before[static_cast<std::size_t>(message.source)];
            }
        }
        for (const Message& message : round.messages()) {
            if (is_between(message)) {
                bursts_[static_cast<std::size_t>(message.destination)] = {};
            }
        }
    }

    void finish() {
        for (std::size_t round = 0; round < busiest_.size(); ++round) {
            double most = busiest_[round];
            for (const auto& [number, waiting] : waiting_[round]) {
                most = std::max(most, waiting.messages > 1 ? waiting.bytes : 0);
            }
            profile_.waiting_bytes += most - busiest_[round];
        }
        Hops longest;
        for (const Hops& chain : chains_) {
            longest = chain.length() > longest.length() ? chain : longest;
        }
        profile_.latency_share_between = static_cast<double>(longest.between) / std::max(rounds_between_, 1);
        profile_.latency_share_within = static_cast<double>(longest.within) / std::max(rounds_within_, 1);
    }

    const models::RankPlacement& layout_;
    models::Profile profile_;
    int rounds_between_ = 0;
    int rounds_within_ = 0;
    std::vector<Hops> chains_;  // of each rank
    std::vector<Burst> bursts_;
    std::vector<double> busiest_;                  // node, of each round
    std::vector<std::map<int, Waiting>> waiting_;  // of each round, by node
};
