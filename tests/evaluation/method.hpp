// SPDX-License-Identifier: MIT
// A way to find out which algorithm to use, one measurement after the other.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "plan.hpp"
#include "simulated_tuning.hpp"

namespace evaluation {

// What is played against
struct Setting {
    std::string name;
    std::vector<tuner::CellKey> cells;
    tuner::Plan plan;
    std::vector<std::size_t> sizes(const tuner::CellKey& cell, double factor) const;  // both ends included
};

// The algorithm for a call; default is the library's own choice
using Choice = std::function<std::string(const tuner::CellKey& cell, std::size_t bytes)>;

class Method {
  public:
    virtual ~Method() = default;
    virtual bool step() = 0;            // measures something; false: there is nothing left
    virtual Choice choice() const = 0;  // by what was measured so far
    virtual std::size_t rules() const { return 0; }
    virtual int launches() const = 0;
    virtual double expected_loss() const { return 0; }  // by its own word; 0: it has none
};

struct NamedMethod {
    std::string name;
    std::string meaning;
    std::function<std::unique_ptr<Method>(const Setting& setting, calibration::SimulatedCluster& cluster,
                                          std::uint64_t seed)>
        start;
};
const std::vector<NamedMethod>& methods();

}  // namespace evaluation
