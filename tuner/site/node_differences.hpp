// SPDX-License-Identifier: MIT
// Nodes of a cluster should be alike. Which ones are not?
#pragma once

#include <string>
#include <vector>

#include "node_facts.hpp"

namespace tuner {

struct NodeProperty {
    const char* name;
    std::string (*value)(const NodeFacts& facts);  // empty: not known
};

extern const std::vector<NodeProperty> node_properties;  // of the hardware and the system

struct NodeDifference {
    std::string host;
    std::string text;  // cores 4, others 8
};

// Nodes with another value than most. Of two values that are as frequent, the one of the first node is the
// usual one.
std::vector<NodeDifference> differences_in(const AskedNodes& asked, const NodeProperty& property);

}  // namespace tuner
