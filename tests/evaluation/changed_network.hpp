// SPDX-License-Identifier: MIT
// A truth before its network was changed: half the bandwidth, the same latency.
#pragma once

#include "truth.hpp"

namespace evaluation {

class BeforeTheChange : public calibration::Truth {
  public:
    // The truth must outlive it. `smallest`: calls of this size have no time for their bytes.
    BeforeTheChange(const calibration::Truth& now, std::size_t smallest) : now_(now), smallest_(smallest) {}

    std::vector<std::string> algorithms(const tuner::CellKey& cell) const override {
        return now_.algorithms(cell);
    }
    std::optional<double> seconds(const tuner::CellKey& cell, const std::string& algorithm,
                                  std::size_t bytes) const override;
    std::string used_by_default(const tuner::CellKey& cell, std::size_t bytes) const override {
        return now_.used_by_default(cell, bytes);
    }

  private:
    const calibration::Truth& now_;
    std::size_t smallest_;
};

}  // namespace evaluation
