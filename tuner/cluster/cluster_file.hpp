// SPDX-License-Identifier: MIT
// Cluster files: JSON that people write (docs/cluster-file.md has its keys), and what a manifest keeps of
// them.
#pragma once

#include <string>

#include "cluster.hpp"

namespace tuner {

Cluster read_cluster(const std::string& file);
Cluster cluster_from(const CheckedJson& json);  // as in a cluster file or from to_json
Json to_json(const Cluster& cluster);           // complete: without any default

}  // namespace tuner
