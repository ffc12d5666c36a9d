// SPDX-License-Identifier: MIT
// What a trace says: calls of one kind (collective, algorithm, size, shape of the communicator) together, and
// over all calls, who was late. Arrival and departure orders and waits, times by stage and link class, costs,
// critical paths and interfaces as in Bongo, Anshus and Bjorndalen, "Collective Communication Performance
// Analysis Within the Communication System" (2004), for any schedule of messages.
#pragma once

#include <optional>

#include "breakdown.hpp"
#include "cluster.hpp"
#include "network_parameters.hpp"

namespace tuner::trace {

// Of a communicator
struct Shape {
    int ranks = 0;
    int nodes = 0;
    std::optional<Layout> layout;  // if it is a regular one

    auto operator<=>(const Shape&) const = default;
};
Shape shape_of(const Communicator& communicator);
std::string to_string(const Shape& shape);  // 4x2, or 7 ranks on 3 nodes

struct KindKey {
    std::string collective;
    std::string algorithm;
    std::uint64_t bytes = 0;
    Shape shape;
    bool is_nonblocking = false;

    auto operator<=>(const KindKey&) const = default;
};
std::string to_string(const KindKey& key);

// How often each rank came first, second ... : with more than 64 ranks, in as many equal groups of positions
struct Orders {
    std::vector<std::vector<std::size_t>> counts;  // by rank of the communicator and position
    std::vector<std::size_t> last;                 // by rank: how often it was the last one
    std::vector<std::vector<double>>
        wait_seconds;  // by rank: arrival: until the last; departure: since the first
};

struct LinkTimes {
    std::size_t messages = 0;
    double bytes = 0;
    std::vector<double> transfer_seconds;  // both ends were there
    std::vector<double> wait_seconds;      // the receiver had to wait for the sender
    std::vector<double> pass_on_seconds;   // since the sender last received something
};

struct StageTimes {
    LinkTimes links[2];        // by Link
    double busiest_bytes = 0;  // through the busiest interface, in the busier direction; sum over the calls
    double busiest_exchanged_bytes = 0;       // of these, what the same two ranks also sent the other way
    std::map<int, std::size_t> busiest_node;  // how often

    const LinkTimes& at(Link link) const { return links[static_cast<std::size_t>(link)]; }
    LinkTimes& at(Link link) { return links[static_cast<std::size_t>(link)]; }
};

struct NodeLink {
    int from = 0;
    int to = 0;
    auto operator<=>(const NodeLink&) const = default;
};

struct CriticalPaths {
    Breakdown costs;
    std::size_t messages = 0;
    std::map<NodeLink, double> link_seconds;  // between nodes
    std::map<int, double> rank_seconds;       // by world rank: what it did by itself

    double between_nodes_seconds() const;
};

struct Kind {
    KindKey key;
    std::vector<std::uint32_t> calls;
    std::vector<double> seconds;          // of a call: from the last arrival to the last departure
    std::vector<double> whole_seconds;    // from the first arrival
    std::vector<double> latency_seconds;  // from the last arrival to the first departure
    Breakdown costs;                      // sum over ranks and calls
    std::vector<Breakdown> costs_of_rank;
    // Of typical calls: the middle half by their time, since one that was disturbed outweighs a hundred
    // others
    std::size_t typical_calls = 0;
    Breakdown typical_costs;  // sum over ranks
    Orders arrivals;
    Orders departures;
    std::vector<StageTimes> stages;
    // by rank, stage (and the rest at the end): sums over typical calls, without `late`
    std::vector<std::vector<double>> stage_seconds;
    CriticalPaths path;  // of typical calls

    double total_seconds() const { return costs.total(); }
    std::uint32_t median_call() const;  // the one to show
};

// By world rank, over all calls
struct RankArrivals {
    int rank = 0;
    std::size_t calls = 0;
    std::size_t last = 0;
    std::vector<double> behind_seconds;  // when it was the last: behind the median arrival
    double caused_seconds = 0;           // that others waited until it entered
};

// What dominates the critical paths, if anything does
struct Critical {
    enum class What { node, link, rank } what;
    int node = 0;  // or rank
    NodeLink link;
    double share = 0;   // of the paths' time between nodes; of a rank, of the paths' whole time
    double slower = 0;  // its messages take so many times as long as others of their size; 0: not known
};

struct Analysis {
    std::vector<Kind> kinds;  // the most time first
    std::vector<RankArrivals> arrivals;
    CriticalPaths path;
    std::optional<Critical> critical;
    Breakdown costs;
    double program_seconds = 0;  // from MPI_Init to the end, mean of the ranks
    std::size_t calls = 0;       // that were analysed
    std::size_t calls_left_out = 0;

    // The rank that was last most often, if that made others wait
    const RankArrivals* late_rank() const;
};

Analysis analyse(const Matched& matched);

double median_of(std::vector<double> samples);  // 0 if there are none

}  // namespace tuner::trace
