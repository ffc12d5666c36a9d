// SPDX-License-Identifier: MIT
// A collective, or an exchange of messages, as the benchmark sees it: how to call it, what its message size
// means, what its result must be. One file for each, one row in patterns.cpp.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bench {

class Clock;

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
};

// Where an element of the result comes from: element `index` of the contributions of ranks first ... last,
// combined (or copied, if it is one rank).
struct Origin {
    int first;
    int last;
    std::size_t index;
};
inline constexpr Origin undefined_origin = {0, -1, 0};

struct Place {
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

struct Pattern {
    const char* name;
    const char* size_meaning;  // of the message size
    const char* osu_column;    // the same in the tables of the OSU and Intel benchmarks
    const char* imb_column;
    bool has_message;  // all but the barrier
    bool has_root;
    bool combines;  // has an operation
    InPlace in_place;

    // Elements of the two buffers on a rank
    std::size_t (*send_count)(const Place&);
    std::size_t (*receive_count)(const Place&);
    // In place: the element of this rank's contribution that stands at a position of the receive buffer
    // before the call (undefined: none)
    Origin (*in_place_input)(const Place&, std::size_t position);
    // The element of the result at a position of the receive buffer
    Origin (*result)(const Place&, std::size_t position);
    void (*call)(const Arguments&);

    // Ways to make the call that are the pattern's own; empty: the library has algorithms for it
    std::vector<const char*> variants = {};
    std::vector<ParameterSpec> parameters = {};

    // of exchanges
    Parties parties = Parties::pairs;
    std::optional<Metric> metric = {};  // where only one makes sense
    // Messages of the message size that a repetition of each pair, or of all ranks, carries. nullptr: a rate
    // of them means nothing
    double (*messages)(const Place&) = nullptr;
    bool is_round_trip = false;            // half of its time is the usual latency
    std::vector<const char*> values = {};  // that the root finds besides the time; with their units

    bool is_exchange() const { return !variants.empty(); }
    // The root of each pair is timed, its peer answers, the others wait
    bool has_pairs() const { return is_exchange() && parties == Parties::pairs; }
    std::size_t variant_of(const std::string& name) const;  // its position
};

const std::vector<const Pattern*>& patterns();
const std::vector<Pattern>& nonblocking_patterns();  // which are among them
bool is_nonblocking(const Pattern& pattern);
const Pattern* find_pattern(const std::string& name);  // nullptr if there is none
std::string pattern_names();

// Parts that several patterns use
namespace parts {
std::size_t none(const Place&);
std::size_t one_block(const Place&);
std::size_t all_blocks(const Place&);
std::size_t all_blocks_at_root(const Place&);
std::size_t one_block_at_root(const Place&);
Origin own_element(const Place&, std::size_t position);
Origin no_input(const Place&, std::size_t position);
Origin own_block_of_all(const Place&,
                        std::size_t position);  // a gather's receive buffer: the own block is there
Origin gathered(const Place&, std::size_t position);
Origin transposed(const Place&, std::size_t position);  // block i of rank j comes from block j of rank i
Origin combined_over_all(const Place&, std::size_t position);
Origin own_block_combined(const Place&, std::size_t position);
std::size_t one_block_of_parties(const Place&);  // of an exchange
// Root and peer of an exchange are ready when this returns; a barrier lets them go at different times
void meet(const Arguments& arguments);
// The processor is busy, as it would be in a program that computes
void busy(const Clock& clock, double seconds);
Origin from_the_other(const Place&, std::size_t position);  // root and peer have each other's block
}  // namespace parts

}  // namespace bench
