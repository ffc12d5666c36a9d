// SPDX-License-Identifier: MIT
// How long calls take that were not measured yet, roughly: by the messages that the schedules of the
// algorithms send, and the times of such messages, as far as they were measured.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cost.hpp"
#include "network_parameters.hpp"

namespace tuner::commands {

class ExpectedCalls {
  public:
    // Both must outlive it. `measured` may be empty.
    ExpectedCalls(const Cluster& cluster, const NetworkParameters& measured);

    // In seconds, of each algorithm that can run there, the default included
    std::vector<double> at(const std::string& network, const Layout& layout, const std::string& collective,
                           std::size_t bytes);

  private:
    models::Parameters parameters_of(const std::string& network) const;

    const Cluster& cluster_;
    const NetworkParameters& measured_;
    std::map<Layout, std::unique_ptr<models::CostTable>> tables_;
};

}  // namespace tuner::commands
