// SPDX-License-Identifier: MIT
// What algorithms gain over the library's own choice on layouts that nobody measured: the cost model of the
// network, corrected by what was measured elsewhere, with a standard error that grows with the distance from
// it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "correction.hpp"
#include "prediction.hpp"

namespace tuner {

struct LayoutGain {
    std::string algorithm;
    bool is_own = false;        // the library chooses it by itself
    double seconds = 0;         // expected
    double seconds_error = 0;   // standard error of its logarithm
    double log_gain = 0;        // log(seconds of the library's own choice / seconds)
    double log_gain_error = 0;  // standard error: what both have in common does not count
};

class LayoutGains {
  public:
    // `prediction` is that of the network, and must outlive this
    LayoutGains(const Cells& cells, const std::string& network, Prediction& prediction);

    std::vector<std::string> algorithms(const std::string& collective) const;  // measured ones

    // Of all measured algorithms that can run there, those of built-in operations for reductions. Empty:
    // nothing of the collective was measured, or it is not known what the library chooses by itself.
    std::vector<LayoutGain> at(const std::string& collective, const Layout& layout, std::size_t bytes) const;

  private:
    struct Learned {
        std::vector<std::string> algorithms;
        models::Correction correction;
    };

    Prediction& prediction_;
    std::map<std::string, Learned> by_collective_;
};

}  // namespace tuner
