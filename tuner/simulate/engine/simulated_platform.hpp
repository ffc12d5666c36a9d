// SPDX-License-Identifier: MIT
// A platform file of SimGrid, loaded: its hosts by name, and what changeover says of the machine in it.
#pragma once

#include <memory>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

#include "simulated_machine.hpp"

namespace tuner {

class SimulatedPlatform {
  public:
    // Once for each process. Throws an Error that names the file, also for what makes SimGrid end the
    // process.
    explicit SimulatedPlatform(const std::string& file);

    const SimulatedMachine& machine() const { return machine_; }
    std::vector<std::string> host_names() const;              // n2 before n10
    simgrid::s4u::Host* host(const std::string& name) const;  // throws an Error if there is none

  private:
    std::string file_;
    std::unique_ptr<simgrid::s4u::Engine> engine_;
    SimulatedMachine machine_;
};

std::string simgrid_version();

}  // namespace tuner
