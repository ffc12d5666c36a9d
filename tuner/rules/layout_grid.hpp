// SPDX-License-Identifier: MIT
// The jobs that a cluster can run, as a grid of nodes, ranks on a node, mappings and message sizes, and what
// each algorithm of a collective gains there over the library's own choice.
#pragma once

#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "range_rules.hpp"

namespace tuner {

// Numbers of nodes (or of ranks on a node) that count as one; powers of two are by themselves
struct CountStep {
    int first = 1;
    int last = 1;
    int typical() const { return (first + last) / 2; }
    double weight() const;  // the same for each doubling
};
std::vector<CountStep> count_steps(int last);  // from 1 on

struct SizeStep {
    std::size_t from_bytes = 0;
    std::size_t to_bytes = 0;
};

// Of the layouts of a spot against those that were measured
enum class Area { outside, between, beyond };

struct SpotGain {
    bool is_fine = false;  // not slower at either end of the sizes, also if the prediction is off
    bool is_own = false;   // the library's own choice at both ends
    double gain = 0;       // expected, logarithmic; mean of both ends
};

// One step of each axis
struct Spot {
    Area area = Area::outside;
    bool is_trivial = false;  // one rank: nothing to choose
    bool is_covered = false;  // by an earlier rule, or trivial: another one changes nothing
    bool is_closed = false;   // measured, and the library's own choice is good
    double weight = 0;
    double best_gain = 0;         // of the algorithms that are fine
    double seconds = 0;           // of the library's own choice, at the end that takes longer
    std::vector<SpotGain> gains;  // by algorithm
};

// How the ranks of a layout are spread over its nodes
struct LayoutKind {
    Mapping mapping;
    bool is_uneven;  // the last node has fewer: about half of the others
    double weight;   // of all jobs

    bool is_usual() const { return mapping == Mapping::block && !is_uneven; }
    Layout layout(int nodes, int ppn) const {
        return {nodes, ppn, mapping, is_uneven && nodes > 1 ? ppn / 2 : 0};
    }
};

// A position on each axis
struct Position {
    std::array<int, 4> at = {};
};

class LayoutGrid {
  public:
    LayoutGrid(const Cells& cells, const std::string& network, const std::string& collective,
               const LayoutGains& gains, const std::vector<Rule>& measured, const Extent& extent,
               const RangeLimits& limits);

    const std::vector<CountStep>& nodes() const { return nodes_; }
    const std::vector<CountStep>& ppn() const { return ppn_; }
    const std::vector<SizeStep>& sizes() const { return sizes_; }
    const std::vector<std::string>& algorithms() const { return algorithms_; }
    // Next to each other: those that one rule can hold for
    static constexpr std::array<LayoutKind, 3> kinds = {
        {{Mapping::round_robin, false, 0.25}, {Mapping::block, false, 0.5}, {Mapping::block, true, 0.25}}};
    static constexpr int block_kind = 1;
    static constexpr int uneven_kind = 2;
    // A cost grows with the square of the ranks: larger jobs keep the library's own choice
    static constexpr int most_ranks = 2048;
    static constexpr int most_ranks_of_other_kind = 128;  // if it was not measured

    std::array<int, 4> extent() const;  // steps of each axis
    Spot& spot(const Position& position);
    const Spot& spot(const Position& position) const;
    std::vector<Position> positions() const;             // all
    bool is_known_kind(const Position& position) const;  // was it measured on any layout?

  private:
    void find_area(const Cells& cells, const std::string& network, const std::string& collective,
                   const Extent& extent, const RangeLimits& limits);
    void predict(const std::string& collective, const LayoutGains& gains, const RangeLimits& limits);
    void mark_measured(const Cells& cells, const std::string& network, const std::string& collective,
                       const std::vector<Rule>& measured);
    static const LayoutKind& kind_at(const Position& position);
    Layout layout_at(const Position& position) const;
    std::size_t index(const Position& position) const;

    std::vector<CountStep> nodes_;
    std::vector<CountStep> ppn_;
    std::vector<SizeStep> sizes_;
    std::vector<std::string> algorithms_;
    std::vector<Spot> spots_;
    std::set<std::pair<Mapping, bool>> measured_kinds_ = {{Mapping::block, false}};  // mapping, is_uneven
};

}  // namespace tuner
