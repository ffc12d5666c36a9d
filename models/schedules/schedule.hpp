// SPDX-License-Identifier: MIT
// The schedule of an algorithm: rounds of messages between ranks, as MPICH 4.0.2 or Open MPI 4.1.4 sends
// them. A round is created when it is needed, so that the million messages of a ring over a thousand ranks
// are never in memory together.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rank_placement.hpp"
#include "representatives.hpp"

namespace models {

// A part of a rank's memory. Offsets count from the start of its user buffers, which are followed by the
// scratch buffers; each collective's file in schedules/ says what is where.
struct Piece {
    std::size_t offset;
    std::size_t bytes;
};

enum class Effect {
    store,           // overwrites
    combine_before,  // received op mine
    combine_after    // mine op received
};

// One message; with source == destination a local copy or combination.
struct Message {
    int source;
    int destination;
    std::size_t bytes;
    Effect effect;
    std::ptrdiff_t shift;  // offset at the destination - offset at the source
    std::size_t first_piece;
    std::size_t pieces;

    std::size_t combined_bytes() const { return effect == Effect::store ? 0 : bytes; }
};

// What happens at the same time. All data is read before any is written.
class Round {
  public:
    // Costs need no pieces, only sizes; then local copies of a rank that follow each other are one message.
    enum class Detail { pieces, sizes };
    explicit Round(Detail detail = Detail::pieces) : detail_(detail) {}
    // Sizes only, of the messages that these ranks send or receive; they stay as they are.
    explicit Round(const Representatives* of) : detail_(Detail::sizes), of_(of) {}

    void clear();
    void send(int source, int destination, Piece piece, std::ptrdiff_t shift = 0,
              Effect effect = Effect::store) {
        add({source, destination, piece.bytes, effect, shift, pieces_.size(), 1});
        if (detail_ == Detail::pieces) {
            pieces_.push_back(piece);
        }
    }
    // Pieces that several messages share are added once.
    std::size_t add_pieces(std::span<const Piece> pieces);
    void send(int source, int destination, std::size_t first_piece, std::size_t pieces, std::ptrdiff_t shift,
              Effect effect = Effect::store);
    void copy(int rank, Piece piece, std::ptrdiff_t shift, Effect effect = Effect::store) {
        send(rank, rank, piece, shift, effect);
    }
    // Messages from here on are among some of the ranks, numbered from 0, until `end_part` says which ones.
    // Returns where the part begins.
    std::size_t begin_part();
    void end_part(std::size_t begin, std::span<const int> ranks);
    // Moves the part to where `place(rank, offset)` says
    void relocate(std::size_t begin, const std::function<std::size_t(int, std::size_t)>& place);

    const std::vector<Message>& messages() const { return messages_; }
    std::span<const Piece> pieces_of(const Message& message) const {
        return std::span(pieces_).subspan(message.first_piece, message.pieces);
    }

  private:
    void add(const Message& message) {
        if (of_ != nullptr && !of_->is_one(message.source) && !of_->is_one(message.destination)) {
            return;
        }
        const bool is_copy = message.source == message.destination;
        if (is_copy && detail_ == Detail::sizes && messages_.size() > part_begin_ &&
            messages_.back().source == message.source && messages_.back().destination == message.source &&
            messages_.back().effect == message.effect) {
            messages_.back().bytes += message.bytes;
        } else {
            messages_.push_back(message);
        }
    }

    Detail detail_;
    const Representatives* of_ = nullptr;
    std::vector<Message> messages_;
    std::vector<Piece> pieces_;
    std::size_t part_begin_ = 0;  // messages before it may have other numbers for the ranks
};

// What costs need not look at twice. Only the bytes of each message matter, not which ones.
enum Same : unsigned {
    same_in_each_round = 1,  // all rounds of a phase send as many bytes between the same ranks, as in a ring
    // Each rank sends as many bytes, to ranks that are as far away: by addition modulo the ranks, or by
    // exclusive or if they are a power of two.
    same_on_each_rank = 2
};

// Rounds that follow one rule: `make(i, round)` adds the messages of the phase's i-th round.
struct Phase {
    int rounds;
    std::function<void(int, Round&)> make;
    unsigned same = 0;
};
using Schedule = std::vector<Phase>;

int rounds_of(const Schedule& schedule);
void for_each_round(const Schedule& schedule, const std::function<void(const Round&)>& visit);
// For costs: the sizes of messages of representatives; rounds that are the same are visited once, with their
// number.
void for_each_distinct_round(const Schedule& schedule, const Representatives& of,
                             const std::function<void(const Round&, int times)>& visit);
// Of the ranks: those of the first node if nodes have as many ranks each and all phases are the same on each
// rank; ranks with the same position on their node then do the same. Otherwise all ranks.
Representatives representatives(const Schedule& schedule, const RankPlacement& layout);

// One call of a collective
struct Call {
    const RankPlacement* layout;
    std::size_t bytes;  // message size, as the benchmark defines it for the collective
    int root = 0;
    std::size_t element_bytes = 1;  // of the datatype; reductions divide whole elements
    bool commutative = true;
    bool in_place = false;  // MPI_IN_PLACE: the input is where the result will be
    // Size by which an algorithm chooses its parts (smp); 0: `bytes`. Differs where a schedule is scaled.
    std::size_t deciding_bytes = 0;

    int ranks() const { return layout->ranks(); }
    std::size_t size_for_choice() const { return deciding_bytes == 0 ? bytes : deciding_bytes; }
};

// What an algorithm needs; without it the library runs another one
enum Precondition : unsigned {
    power_of_two_ranks = 1,
    commutative_operation = 2,
    element_for_each_rank = 4,  // at least as many as the largest power of two not above the ranks
    shared_nodes = 8,           // more than one node, and a node with more than one rank
    two_ranks = 16,
    even_ranks = 32,
    element_for_every_rank = 64,
    segment_in_each_half = 128,  // of the message, and at least an element
    segment_for_each_rank = 256
};

// The MPI implementation whose algorithms are meant: one name may stand for different schedules
enum class Implementation { mpich, openmpi, stock_mpich };  // mpich: patched

// An algorithm of the library, by the names of its control variables
struct Algorithm {
    std::string_view collective;
    std::string_view name;
    Schedule (*schedule)(const Call& call);
    unsigned preconditions = 0;
    // Of an algorithm that combines others, chosen by message size: which ones, as text. Schedules with the
    // same text differ only in the sizes of their messages.
    std::string (*parts)(const Call& call) = nullptr;
    std::size_t segment_bytes =
        0;  // 0: not in segments; else only messages longer than one segment are sent so
};

std::span<const Algorithm> algorithms(Implementation implementation = Implementation::mpich);
// nullptr if it has no schedule here
const Algorithm* find_algorithm(std::string_view collective, std::string_view name,
                                Implementation implementation = Implementation::mpich);
bool is_allowed(const Algorithm& algorithm, const Call& call);
// Does the patched MPICH make the collective of other collectives? Unpatched ones have no such algorithm.
bool is_composition(std::string_view collective, std::string_view name);
// Also where the algorithms of one collective are those of another one: not what is made of other collectives
bool is_for(const Algorithm& algorithm, std::string_view collective);

}  // namespace models
