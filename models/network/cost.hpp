// SPDX-License-Identifier: MIT
// What a schedule costs, as counts that the parameters of a network multiply: a linear form, so that fitting
// is a linear problem. Latencies count along the longest chain of messages that wait for each other; bytes
// count, round by round, at the busiest network interface, which all ranks of a node share. With one rank a
// node and a power of two this is the textbook formula.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "profile.hpp"

namespace models {

// Latency and time per byte of messages up to a size: LogGP's L + 2o and G, or Hockney's alpha and beta.
struct ProtocolSegment {
    std::size_t up_to_bytes;  // of one message; the last segment has no end
    double latency_seconds = 0;
    double seconds_per_byte = 0;
};

// Of one kind of link. Segments are those of the library's protocols (eager, rendezvous).
struct LinkCosts {
    std::vector<ProtocolSegment> segments = {{no_end}};
    // of each further message of a round through the same interface (LogGP's g)
    double gap_seconds = 0;
    // of each byte that the same two ranks send the other way at the same time: 0 for full duplex,
    // seconds_per_byte for half
    double opposite_seconds_per_byte = 0;
    // this many bytes of each message are exchanged at full duplex: a window that needs no acknowledgement
    double free_opposite_bytes = 0;

    static constexpr std::size_t no_end = static_cast<std::size_t>(-1);

    std::size_t segment_of(double message_bytes) const;  // its position
};

// What messages lose to each other. Fitted only where it is switched on: with few layouts it cannot be
// separated from latency.
struct Contention {
    // The streams of a node that sends three or more messages without waiting share the interface, so that
    // the first message arrives late: time for each byte that is still to be sent when a message starts. With
    // two messages, the first has enough of a lead to lose nothing.
    bool has_streams = false;
    double stream_seconds_per_byte = 0;
    // Nodes that are one machine (simulated, network namespaces) share its cores: time for each message of
    // any rank.
    bool has_one_machine = false;
    double message_between_seconds = 0;
    double message_within_seconds = 0;
};

// One set for each network
struct Parameters {
    LinkCosts between;  // the nodes
    LinkCosts within;   // a node
    double combine_seconds_per_byte = 0;
    double copy_seconds_per_byte = 0;
    Contention contention;

    // Names and values in the order of the columns of `features`
    std::vector<std::string> names() const;
    std::vector<double> values() const;
    void set_values(const std::vector<double>& values);
    // By name, such as `between.latency`; throws std::out_of_range for an unknown name.
    double& at(std::string_view name);
};

// One number for each parameter: the cost is their scalar product.
std::vector<double> features(const Profile& profile, double bytes, const Parameters& segments);
double cost(const Profile& profile, double bytes, const Parameters& parameters);

// Costs of many sizes and algorithms on one layout: computes each profile once.
class CostTable {
  public:
    explicit CostTable(RankPlacement layout) : layout_(std::move(layout)) {}
    const RankPlacement& layout() const { return layout_; }
    // `call` is on this table's layout
    double seconds(const Algorithm& algorithm, Call call, const Parameters& parameters);
    const Profile& profile_of(const Algorithm& algorithm, Call call);

  private:
    RankPlacement layout_;
    // What a profile depends on: the schedule, root, commutative, in place, parts, bytes if it has segments
    using Key = std::tuple<Schedule (*)(const Call&), int, bool, bool, std::string, std::size_t>;
    std::map<Key, Profile> profiles_;
};

}  // namespace models
