// SPDX-License-Identifier: MIT
// The search of the program itself, its rules, and their verification.
#pragma once

#include <optional>
#include <set>

#include "method.hpp"
#include "prior.hpp"

namespace evaluation {

enum class Proof { none, verified };

class OurSearch : public Method {
  public:
    OurSearch(const Setting& setting, calibration::SimulatedCluster& cluster, tuner::Plan plan, Proof proof,
              tuner::Prior prior = {});

    bool step() override;
    Choice choice() const override;
    std::size_t rules() const override { return current().size(); }
    int launches() const override { return launches_; }
    double expected_loss() const override;
    const tuner::Cells& cells() const { return cells_; }

  private:
    void ask(const tuner::CellKey& key, const tuner::Question& question);
    std::vector<tuner::Rule> current() const;

    const Setting& setting_;
    calibration::SimulatedCluster& cluster_;
    tuner::Plan plan_;
    Proof proof_;
    tuner::Prior prior_;
    int pass_ = 0;
    std::size_t unit_ = 0;
    tuner::Cells cells_;
    std::map<tuner::CellKey, tuner::RunData> runs_;
    std::uint64_t group_ = 0;
    int launches_ = 0;
    std::optional<std::pair<std::string, tuner::Layout>> last_layout_;
    std::optional<std::vector<tuner::Rule>> verified_;
};

}  // namespace evaluation
