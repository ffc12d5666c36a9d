// SPDX-License-Identifier: MIT
// What a simulated library really does: how long each algorithm takes, and what the default chooses.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cells.hpp"

namespace calibration {

class Truth {
  public:
    virtual ~Truth() = default;
    virtual std::vector<std::string> algorithms(const tuner::CellKey& cell) const = 0;
    // Nothing: the algorithm cannot run there
    virtual std::optional<double> seconds(const tuner::CellKey& cell, const std::string& algorithm,
                                          std::size_t bytes) const = 0;
    virtual std::string used_by_default(const tuner::CellKey& cell, std::size_t bytes) const = 0;
};

// A range of sizes where an algorithm differs from the default, both ends included
struct Difference {
    std::string algorithm;
    std::size_t from_bytes;
    std::size_t to_bytes;
    double gain;  // default / algorithm - 1; below 0 is slower. The last one that has a size counts.
    // Outside, the gain becomes smaller with the logarithm of the size, is gone at a size smaller (or larger)
    // by this factor, and at its square a loss. 0: it ends at once.
    double fades_over = 0;

    bool holds(std::size_t bytes) const {
        return fades_over > 0 || (from_bytes <= bytes && bytes <= to_bytes);
    }
    double gain_at(std::size_t bytes) const;
};

// The same in all cells
class MadeUpTruth : public Truth {
  public:
    explicit MadeUpTruth(std::vector<Difference> all = {}) : differences(std::move(all)) {}

    std::vector<Difference> differences;  // none: all algorithms are equal

    std::vector<std::string> algorithms(const tuner::CellKey& cell) const override;
    std::optional<double> seconds(const tuner::CellKey& cell, const std::string& algorithm,
                                  std::size_t bytes) const override;
    // a1, and a2 for large messages
    std::string used_by_default(const tuner::CellKey& cell, std::size_t bytes) const override;
};

using TruthPointer = std::shared_ptr<const Truth>;

// The ranges of some named truths
inline constexpr std::size_t gain_from = 4096;
inline constexpr std::size_t gain_to = 262144;

TruthPointer all_equal();
TruthPointer one_gains(double gain);     // a3 between gain_from and gain_to; slower by 10% elsewhere
TruthPointer one_fades(double gain);     // the same, but the gain fades outside, over a factor of 2
TruthPointer one_gains_everywhere();     // a3, by 20%
TruthPointer several_gain(double gain);  // a3, a4 and a5, all the same, at every size
// a3 between gain_from and gain_to, a4 elsewhere; slower by as much where the other one is
TruthPointer two_take_turns(double gain);
TruthPointer zone_slower(std::size_t bytes,
                         double loss);  // a3 gains 20%, but for sizes within 15% of this one

}  // namespace calibration
