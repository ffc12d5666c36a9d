// SPDX-License-Identifier: MIT
// Does the device of the patched MPICH suit the networks of the nodes?
#pragma once

#include <string>
#include <vector>

#include "proposed_cluster.hpp"

namespace tuner {

extern const char* const built_device;  // of the patched MPICH that was built with this program

// In words, which device to build instead; empty: it suits
std::string device_advice(const std::string& device, const std::vector<ProposedNetwork>& networks);

}  // namespace tuner
