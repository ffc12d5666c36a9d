// SPDX-License-Identifier: MIT
// A table of times as the truth: all algorithms of a machine, measured once or simulated. Between two sizes
// of the table an algorithm's time is interpolated (logarithms); the default is the algorithm that it used.
#pragma once

#include <map>

#include "truth.hpp"

namespace evaluation {

class RecordedTruth : public calibration::Truth {
  public:
    // A file of columns nodes,ppn,collective,bytes,algorithm,used,median_us; more columns may follow. Adds
    // its layouts (all if `layouts` is empty) as those of a network with this name. Throws std::runtime_error
    // with the file and the line.
    void add(const std::string& file, const std::string& network, const std::vector<tuner::Layout>& layouts);

    std::vector<tuner::CellKey> cells() const;
    std::size_t first_size(const tuner::CellKey& cell) const;
    std::size_t last_size(const tuner::CellKey& cell) const;

    std::vector<std::string> algorithms(const tuner::CellKey& cell) const override;
    std::optional<double> seconds(const tuner::CellKey& cell, const std::string& algorithm,
                                  std::size_t bytes) const override;
    std::string used_by_default(const tuner::CellKey& cell, std::size_t bytes) const override;

  private:
    struct Curves {
        std::map<std::string, std::map<std::size_t, double>> seconds;  // by algorithm and size
        std::map<std::size_t, std::string> used;                       // by the default
    };
    std::map<tuner::CellKey, Curves> curves_;
};

}  // namespace evaluation
