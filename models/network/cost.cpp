// SPDX-License-Identifier: MIT
#include "cost.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace models {

namespace {

// Calls `visit(name, value)` for each parameter, in the order of the columns.
template <typename Visit>
void for_each_parameter(Parameters& parameters, Visit visit) {
    const auto visit_link = [&](const std::string& name, LinkCosts& link) {
        for (std::size_t i = 0; i < link.segments.size(); ++i) {
            const std::string of = i == 0 ? "" : "." + std::to_string(i + 1);
            visit(name + ".latency" + of, link.segments[i].latency_seconds);
            visit(name + ".byte" + of, link.segments[i].seconds_per_byte);
        }
        visit(name + ".gap", link.gap_seconds);
        visit(name + ".opposite", link.opposite_seconds_per_byte);
    };
    visit_link("between", parameters.between);
    visit_link("within", parameters.within);
    visit(std::string("combine"), parameters.combine_seconds_per_byte);
    visit(std::string("copy"), parameters.copy_seconds_per_byte);
    Contention& contention = parameters.contention;
    if (contention.has_streams) {
        visit(std::string("streams"), contention.stream_seconds_per_byte);
    }
    if (contention.has_one_machine) {
        visit(std::string("message.between"), contention.message_between_seconds);
        visit(std::string("message.within"), contention.message_within_seconds);
    }
}

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
          copied_(ranks_.size()) {}

    Load count(const Round& round) {
        std::fill(nodes_.begin(), nodes_.end(), Port{});
        std::fill(ranks_.begin(), ranks_.end(), Port{});
        std::fill(combined_.begin(), combined_.end(), 0.0);
        std::fill(copied_.begin(), copied_.end(), 0.0);
        Load load;
        const std::vector<double> exchanged = exchanged_bytes(round);
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
};

// The longest chain of messages that wait for each other, over all ranks
class LongestChain {
  public:
    explicit LongestChain(const RankPlacement& layout)
        : layout_(layout), chains_(static_cast<std::size_t>(layout.ranks())) {}

    void add(const Round& round) {
        next_ = chains_;
        for (const Message& message : round.messages()) {
            if (message.source == message.destination) {
                continue;
            }
            const auto source = static_cast<std::size_t>(message.source);
            const auto destination = static_cast<std::size_t>(message.destination);
            Hops longer = chains_[source];
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
    std::vector<Hops> chains_;
    std::vector<Hops> next_;
};

// What nodes have yet to send when they start a message: bytes of later rounds that they send without waiting
// for another node in between.
class WaitingBytes {
  public:
    explicit WaitingBytes(const RankPlacement& layout)
        : layout_(layout), bursts_(static_cast<std::size_t>(layout.ranks())) {}

    void add(const Round& round) {
        std::map<int, double> node_bytes;
        for (const Message& message : round.messages()) {
            if (is_between(message)) {
                node_bytes[node_of(message.source)] += static_cast<double>(message.bytes);
            }
        }
        busiest_.push_back(0);
        waiting_.emplace_back();
        for (const auto& [node, bytes] : node_bytes) {
            busiest_.back() = std::max(busiest_.back(), bytes);
        }
        for (const Message& message : round.messages()) {
            if (is_between(message)) {
                send(message, node_bytes.at(node_of(message.source)));
            }
        }
        receive(round);
    }

    double sum() const {
        double sum = 0;
        for (std::size_t round = 0; round < waiting_.size(); ++round) {
            double most = busiest_[round];
            for (const auto& [node, waiting] : waiting_[round]) {
                if (waiting.messages > 1) {
                    most = std::max(most, waiting.bytes);
                }
            }
            sum += most - busiest_[round];
        }
        return sum;
    }

  private:
    // What a rank sent, or the one of its node whose message it waited for, since they last waited for
    // another node
    struct Burst {
        std::vector<std::pair<std::size_t, double>> node_bytes;  // by round
        std::vector<std::pair<int, int>> streams;                // from rank to rank
    };
    struct Waiting {
        double bytes;  // with what the node sends in that round by itself
        int messages = 0;
    };

    int node_of(int rank) const { return layout_.node_of_rank[static_cast<std::size_t>(rank)]; }
    bool is_between(const Message& message) const {
        return node_of(message.source) != node_of(message.destination);
    }

    void send(const Message& message, double node_bytes) {
        const std::size_t now = busiest_.size() - 1;
        Burst& burst = bursts_[static_cast<std::size_t>(message.source)];
        const std::pair stream(message.source, message.destination);
        // a stream that is in use sends this after what it has already
        if (std::find(burst.streams.begin(), burst.streams.end(), stream) == burst.streams.end()) {
            burst.streams.push_back(stream);
            for (const auto& [round, bytes] : burst.node_bytes) {
                if (round != now) {
                    Waiting& waiting =
                        waiting_[round].try_emplace(node_of(message.source), Waiting{bytes}).first->second;
                    waiting.bytes += static_cast<double>(message.bytes);
                    ++waiting.messages;
                }
            }
        }
        if (burst.node_bytes.empty() || burst.node_bytes.back().first != now) {
            burst.node_bytes.emplace_back(now, node_bytes);
        }
    }

    // A rank that receives from another node has waited for it. A rank that receives within its node
    // continues from the sender's state.
    void receive(const Round& round) {
        std::vector<std::pair<int, Burst>> within;
        for (const Message& message : round.messages()) {
            if (!is_between(message) && message.source != message.destination) {
                within.emplace_back(message.destination, bursts_[static_cast<std::size_t>(message.source)]);
            }
        }
        for (auto& [rank, burst] : within) {
            bursts_[static_cast<std::size_t>(rank)] = std::move(burst);
        }
        for (const Message& message : round.messages()) {
            if (is_between(message)) {
                Burst& burst = bursts_[static_cast<std::size_t>(message.destination)];
                burst.node_bytes.clear();
                burst.streams.clear();
            }
        }
    }

    const RankPlacement& layout_;
    std::vector<Burst> bursts_;                    // of each rank
    std::vector<double> busiest_;                  // bytes of each round
    std::vector<std::map<int, Waiting>> waiting_;  // of each round, by node; only where something waits
};

double share_beyond(double limit, double bytes) {
    return bytes > limit ? 1 - limit / bytes : 0;
}

// Calls `add(column, number)` for what the rounds of a profile contribute.
template <typename Add>
void add_features(const Profile& profile, double bytes, const Parameters& segments, Add add) {
    const double scale = bytes / profile.unit_bytes;
    const std::size_t within_column = 2 * segments.between.segments.size() + 2;
    const std::size_t combine_column = within_column + 2 * segments.within.segments.size() + 2;
    for (const auto& [load, times] : profile.rounds) {
        const auto n = static_cast<double>(times);
        const auto add_link = [&](const LinkCosts& link, const Load::OfLink& of, double latency_share,
                                  bool is_slowest, std::size_t column) {
            if (of.messages == 0) {
                return;
            }
            const double message = scale * of.largest_message;
            const std::size_t segment = link.segment_of(message);
            add(column + 2 * segment, n * latency_share);
            if (is_slowest) {
                add(column + 2 * segment + 1, n * scale * of.bytes);
                add(column + 2 * link.segments.size(), n * (of.messages - 1));
                add(column + 2 * link.segments.size() + 1,
                    n * scale * of.exchanged_bytes * share_beyond(link.free_opposite_bytes, message));
            }
        };
        // What happens within nodes while messages go between them takes no time of its own.
        add_link(segments.between, load.between, profile.latency_share_between, true, 0);
        add_link(segments.within, load.within, profile.latency_share_within, load.between.messages == 0,
                 within_column);
        add(combine_column, n * scale * load.combined_bytes);
        add(combine_column + 1, n * scale * load.copied_bytes);
    }
    std::size_t column = combine_column + 2;
    if (segments.contention.has_streams) {
        add(column++, scale * profile.waiting_bytes);
    }
    if (segments.contention.has_one_machine) {
        add(column++, profile.messages_between);
        add(column++, profile.messages_within);
    }
}

}  // namespace

std::size_t LinkCosts::segment_of(double message_bytes) const {
    std::size_t i = 0;
    while (i + 1 < segments.size() && message_bytes > static_cast<double>(segments[i].up_to_bytes)) {
        ++i;
    }
    return i;
}

std::vector<std::string> Parameters::names() const {
    std::vector<std::string> names;
    for_each_parameter(const_cast<Parameters&>(*this),
                       [&](const std::string& name, const double&) { names.push_back(name); });
    return names;
}

std::vector<double> Parameters::values() const {
    std::vector<double> values;
    for_each_parameter(const_cast<Parameters&>(*this),
                       [&](const std::string&, const double& value) { values.push_back(value); });
    return values;
}

void Parameters::set_values(const std::vector<double>& values) {
    auto next = values.begin();
    for_each_parameter(*this, [&](const std::string&, double& value) { value = *next++; });
}

double& Parameters::at(std::string_view name) {
    double* found = nullptr;
    for_each_parameter(*this, [&](const std::string& other, double& value) {
        if (other == name) {
            found = &value;
        }
    });
    if (found == nullptr) {
        throw std::out_of_range("no parameter '" + std::string(name) + "'");
    }
    return *found;
}

Profile profile(const Algorithm& algorithm, const Call& call) {
    // A unit that divides evenly among the ranks, and among the largest power of two below
    constexpr std::size_t unit_for_rank = 4096;
    Call unit = call;
    unit.deciding_bytes = call.size_for_choice();
    unit.bytes = unit_for_rank * static_cast<std::size_t>(call.ranks());
    unit.element_bytes = 1;
    Profile profile;
    profile.unit_bytes = static_cast<double>(unit.bytes);
    LoadCounter counter(*call.layout);
    LongestChain chain(*call.layout);
    WaitingBytes waiting(*call.layout);
    int rounds_between = 0;
    int rounds_within = 0;
    for_each_round(algorithm.schedule(unit), [&](const Round& round) {
        const Load load = counter.count(round);
        rounds_between += load.between.messages > 0 ? 1 : 0;
        rounds_within += load.within.messages > 0 ? 1 : 0;
        ++profile.rounds[load];
        chain.add(round);
        waiting.add(round);
        for (const Message& message : round.messages()) {
            if (message.source != message.destination) {
                const auto node = [&](int rank) {
                    return call.layout->node_of_rank[static_cast<std::size_t>(rank)];
                };
                ++(node(message.source) == node(message.destination) ? profile.messages_within
                                                                     : profile.messages_between);
            }
        }
    });
    profile.waiting_bytes = waiting.sum();
    profile.latency_share_between =
        static_cast<double>(chain.longest().between) / std::max(rounds_between, 1);
    profile.latency_share_within = static_cast<double>(chain.longest().within) / std::max(rounds_within, 1);
    return profile;
}

std::vector<double> features(const Profile& profile, double bytes, const Parameters& segments) {
    std::vector<double> row(segments.names().size());
    add_features(profile, bytes, segments, [&](std::size_t column, double number) { row[column] += number; });
    return row;
}

double cost(const Profile& profile, double bytes, const Parameters& parameters) {
    const std::vector<double> values = parameters.values();
    double seconds = 0;
    add_features(profile, bytes, parameters,
                 [&](std::size_t column, double number) { seconds += number * values[column]; });
    return seconds;
}

const Profile& CostTable::profile_of(const Algorithm& algorithm, Call call) {
    call.layout = &layout_;
    Key key{algorithm.schedule, call.root, call.commutative, call.in_place,
            algorithm.parts == nullptr ? "" : algorithm.parts(call)};
    const auto known = profiles_.find(key);
    return known != profiles_.end()
               ? known->second
               : profiles_.emplace(std::move(key), profile(algorithm, call)).first->second;
}

double CostTable::seconds(const Algorithm& algorithm, Call call, const Parameters& parameters) {
    return cost(profile_of(algorithm, call), static_cast<double>(call.bytes), parameters);
}

}  // namespace models
