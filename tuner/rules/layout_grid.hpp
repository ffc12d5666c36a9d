// SPDX-License-Identifier: MIT
// The jobs that a cluster can run, as a grid of nodes, ranks on a node, mappings and message sizes, and what
// each algorithm of a collective gains there over the library's own choice.
#pragma once

#include <array>
#include <set>
#include <string>
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
    std::vector<SpotGain> gains;  // by algorithm
};

// A position on each axis
struct Position {
    std::array<int, 4> at = {};
};
enum class AxisName { nodes, ppn, mapping, bytes };

class LayoutGrid {
  public:
    LayoutGrid(const Cells& cells, const std::string& network, const std::string& collective,
               const LayoutGains& gains, const std::vector<Rule>& measured, const Extent& extent,
               const RangeLimits& limits);

    const std::vector<CountStep>& nodes() const { return nodes_; }
    const std::vector<CountStep>& ppn() const { return ppn_; }
    const std::vector<SizeStep>& sizes() const { return sizes_; }
    const std::vector<std::string>& algorithms() const { return algorithms_; }
    static constexpr std::array<Mapping, 2> mappings = {Mapping::block, Mapping::round_robin};
    // A cost grows with the square of the ranks: larger jobs keep the library's own choice
    static constexpr int most_ranks = 2048;

    std::array<int, 4> extent() const;  // steps of each axis
    Spot& spot(const Position& position);
    const Spot& spot(const Position& position) const;
    std::vector<Position> positions() const;                // all
    bool is_known_mapping(const Position& position) const;  // was it measured on any layout?

  private:
    void find_area(const Cells& cells, const std::string& network, const std::string& collective,
                   const Extent& extent, const RangeLimits& limits);
    void predict(const std::string& collective, const LayoutGains& gains, const RangeLimits& limits);
    void mark_measured(const Cells& cells, const std::string& network, const std::string& collective,
                       const std::vector<Rule>& measured);
    Layout layout_at(const Position& position) const;
    std::size_t index(const Position& position) const;

    std::vector<CountStep> nodes_;
    std::vector<CountStep> ppn_;
    std::vector<SizeStep> sizes_;
    std::vector<std::string> algorithms_;
    std::vector<Spot> spots_;
    std::set<Mapping> measured_mappings_ = {Mapping::block};
};

}  // namespace tuner
