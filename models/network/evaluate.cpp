// SPDX-License-Identifier: MIT
#include "evaluate.hpp"

#include <algorithm>

#include "exchanged_bytes.hpp"

namespace models {

namespace {

// When an interface of a node, or the memory port of a rank, is free
struct PortState {
    double out_free = 0;  // seconds since the start
    double in_free = 0;
    double exchanged_bytes = 0;  // in this round
};

class Evaluation {
  public:
    Evaluation(const RankPlacement& layout, const Parameters& parameters)
        : layout_(layout),
          parameters_(parameters),
          ready_(static_cast<std::size_t>(layout.ranks())),
          ports_(static_cast<std::size_t>(layout.nodes) + ready_.size()),
          exchanged_(layout.ranks()) {}

    void run(const Round& round) {
        count_exchanged(round);
        next_ready_ = ready_;
        for (const Message& message : round.messages()) {
            if (message.source == message.destination) {
                const double seconds = message.effect == Effect::store ? parameters_.copy_seconds_per_byte
                                                                       : parameters_.combine_seconds_per_byte;
                next_ready_[static_cast<std::size_t>(message.source)] +=
                    seconds * static_cast<double>(message.bytes);
            } else {
                transfer(message);
            }
        }
        ready_.swap(next_ready_);
    }

    double end() const { return *std::max_element(ready_.begin(), ready_.end()); }

  private:
    bool is_within(const Message& message) const { return node(message.source) == node(message.destination); }
    const LinkCosts& link(const Message& message) const {
        return is_within(message) ? parameters_.within : parameters_.between;
    }
    std::size_t node(int rank) const {
        return static_cast<std::size_t>(layout_.node_of_rank[static_cast<std::size_t>(rank)]);
    }
    PortState& port(int rank, bool within) {
        return ports_[within ? static_cast<std::size_t>(layout_.nodes + rank) : node(rank)];
    }

    void count_exchanged(const Round& round) {
        for (PortState& p : ports_) {
            p.exchanged_bytes = 0;
        }
        const std::vector<double>& exchanged = exchanged_.of(round);
        for (std::size_t i = 0; i < exchanged.size(); ++i) {
            const Message& message = round.messages()[i];
            if (message.source != message.destination) {
                const double beyond = std::max(0.0, exchanged[i] - link(message).free_opposite_bytes);
                port(message.source, is_within(message)).exchanged_bytes += beyond;
            }
        }
    }

    void transfer(const Message& message) {
        const bool within = is_within(message);
        const LinkCosts& of = link(message);
        const ProtocolSegment& segment = of.segments[of.segment_of(static_cast<double>(message.bytes))];
        const bool is_rendezvous = &segment != &of.segments.front();
        PortState& from = port(message.source, within);
        PortState& to = port(message.destination, within);
        const auto source = static_cast<std::size_t>(message.source);
        const auto destination = static_cast<std::size_t>(message.destination);

        const double seconds = segment.seconds_per_byte * static_cast<double>(message.bytes);
        const double may_start =
            is_rendezvous ? std::max(ready_[source], ready_[destination]) : ready_[source];
        const double start = std::max(may_start, from.out_free);
        from.out_free = start + seconds + of.gap_seconds;
        const double arrival = std::max(start + segment.latency_seconds, to.in_free) + seconds;
        to.in_free = arrival + of.gap_seconds;
        const double opposite =
            of.opposite_seconds_per_byte * std::max(from.exchanged_bytes, to.exchanged_bytes);
        const double combining =
            parameters_.combine_seconds_per_byte * static_cast<double>(message.combined_bytes());
        const double received = std::max(arrival + opposite, ready_[destination]) + combining;
        next_ready_[destination] = std::max(next_ready_[destination], received);
        next_ready_[source] = std::max(next_ready_[source], start + seconds);
    }

    const RankPlacement& layout_;
    const Parameters& parameters_;
    std::vector<double> ready_;  // of each rank: when it has finished what it did so far
    std::vector<double> next_ready_;
    std::vector<PortState> ports_;  // of the nodes, then of the ranks
    ExchangedBytes exchanged_;
};

}  // namespace

double evaluate(const Schedule& schedule, const RankPlacement& layout, const Parameters& parameters) {
    Evaluation evaluation(layout, parameters);
    for_each_round(schedule, [&](const Round& round) { evaluation.run(round); });
    return evaluation.end();
}

}  // namespace models
