// SPDX-License-Identifier: MIT
// A collective, or an exchange of messages, as the benchmark sees it: how to call it, what its message size
// means, what its result must be. One file for each in collectives/ or exchanges/, one name in patterns.cpp;
// what a collective needs is in its row of models/schedules/collectives.cpp.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectives.hpp"

namespace bench {

class Clock;
struct Arguments;
using StartCall = void(const Arguments&, MPI_Request*);  // of a nonblocking collective

// The arguments of one call, ready to use
struct Arguments {
    MPI_Comm comm;
    const void* send;  // or MPI_IN_PLACE
    void* receive;     // or MPI_IN_PLACE
    int count;         // elements, as the pattern's message size says
    MPI_Datatype datatype;
    MPI_Op operation;
    int root;
    const int* counts;         // of the v versions: `count` for each rank
    const int* displacements;  // multiples of `count`

    // of exchanges; between two ranks, these are `root` and `peer`
    int rank = 0;
    int peer = 0;
    std::size_t variant = 0;                  // position in the pattern's table
    std::span<const double> parameters = {};  // in the order of the pattern's table
    const Clock* clock = nullptr;
    double* seconds = nullptr;      // in place of the whole call, what this rank timed; left alone by most
    std::span<double> values = {};  // at the root, what else a repetition finds: see the pattern's table
    StartCall* start = nullptr;     // of a nonblocking collective
};

// Where an element of the result comes from: element `index` of the contributions of ranks first ... last,
// combined (or copied, if it is one rank).
struct Origin {
    int first;
    int last;
    std::size_t index;
};
inline constexpr Origin undefined_origin = {0, -1, 0};

// A call as one rank sees it
struct RankCall {
    int rank;
    int ranks;
    int root;
    std::size_t count;
    int peer = -1;
    std::size_t variant = 0;
    std::span<const double> parameters = {};

    bool is_party() const { return rank == root || rank == peer; }
};

enum class InPlace {
    no,
    everywhere,
    at_root,
    one_buffer,  // always: the root's receive buffer is its send buffer, too (bcast)
};

// What is the time of a repetition, of the times of all ranks?
enum class Metric {
    last_finish,
    root,  // of several pairs, the slowest
    mean,
    median,
    min,
    max,
    span,
    arrival  // from the root's moment to the peer's; of several pairs, the slowest
};

// Who takes part in an exchange
enum class Parties { pairs, all };

// What a request may set, as a number
struct ParameterSpec {
    const char* name;  // with its unit
    double value;      // by default
    double smallest;
    const char* meaning;
};

// What the buffers of a call hold on a rank, in elements
struct Contents {
    InPlace in_place;
    std::size_t (*send_count)(const RankCall&);
    std::size_t (*receive_count)(const RankCall&);
    // In place: the element of this rank's contribution that is at a position of the receive buffer before
    // the call (undefined: none)
    Origin (*in_place_input)(const RankCall&, std::size_t position);
    // The element of the result at a position of the receive buffer
    Origin (*result)(const RankCall&, std::size_t position);
};

struct Pattern {
    std::string name;
    models::SizeDefinition size;
    bool has_message = true;
    bool has_root = false;
    bool combines = false;  // has an operation
    Contents contents;
    void (*call)(const Arguments&);
    StartCall* start = nullptr;  // of the nonblocking version; nullptr: there is none

    // Ways to make the call that are the pattern's own; empty: the library has algorithms for it
    std::vector<const char*> variants = {};
    std::vector<ParameterSpec> parameters = {};

    // of exchanges
    Parties parties = Parties::pairs;
    std::optional<Metric> metric = {};  // where only one makes sense
    // Messages of the message size that a repetition of each pair, or of all ranks, carries. nullptr: a rate
    // of them means nothing
    double (*messages)(const RankCall&) = nullptr;
    bool is_round_trip = false;            // half of its time is the usual latency
    std::vector<const char*> values = {};  // that the root finds besides the time; with their units

    bool is_exchange() const { return !variants.empty(); }
    // The root of each pair is timed, its peer answers, the others wait
    bool has_pairs() const { return is_exchange() && parties == Parties::pairs; }
    std::size_t variant_of(const std::string& name) const;  // its position
};

// A collective; its row in models/schedules/collectives.cpp has the rest. `start`: its nonblocking version
Pattern collective(std::string_view name, const Contents& contents, void (*call)(const Arguments&),
                   StartCall* start);

const std::vector<const Pattern*>& patterns();
const std::deque<Pattern>& nonblocking_patterns();  // which are among them
bool is_nonblocking(const Pattern& pattern);
const Pattern* find_pattern(const std::string& name);  // nullptr if there is none
std::string pattern_names();

// One more pattern, and its nonblocking version, while this object exists: for tests
class AddedPattern {
  public:
    explicit AddedPattern(const Pattern& pattern);
    ~AddedPattern();
    AddedPattern(const AddedPattern&) = delete;
    AddedPattern& operator=(const AddedPattern&) = delete;
};

}  // namespace bench
