// SPDX-License-Identifier: MIT
// For tests: cluster files without a mistake.
#pragma once

#include "cluster_file.hpp"

namespace cluster_texts {

using namespace tuner;

inline const std::string good = R"({
    "hosts": [{"name": "n[1-3]", "slots": 2}, "m"],
    "networks": [{"name": "eth", "environment": {"A": "x y", "B": ""}, "launcher_arguments": ["-v"],
                  "host_suffix": "-e", "interface": "eth0"}, {"name": "fast"}],
    "layouts": [{"nodes": 2, "ppn": 2}, {"nodes": 4, "ppn": 1}, {"nodes": 2, "ppn": 2, "mapping": "round-robin"}]
})";

inline Cluster cluster_of(const std::string& text) {
    return cluster_from(CheckedJson::parse(text, "c.json"));
}

// `good` with one value replaced
inline Cluster changed(const std::string& pointer, const Json& value) {
    Json json = Json::parse(good);
    json[Json::json_pointer(pointer)] = value;
    return cluster_of(json.dump());
}

// Those for an allocation of Slurm with hosts of their own: there is no allocation here
inline Cluster read_example(const std::string& name) {
    const std::string file = EXAMPLES "/" + name + ".json";
    Json json = CheckedJson::parse_file(file).json();
    if (json.contains("hosts_from")) {
        json["hosts"] = {{{"name", "cn[001-016]"}, {"slots", 64}}};
    }
    return cluster_from(CheckedJson(json, file));
}

}  // namespace cluster_texts
