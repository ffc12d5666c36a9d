// SPDX-License-Identifier: MIT
// For tests of maps of layouts: a cluster of 20 nodes x 3 with rules for ranges. Nothing is on a disk.
#pragma once

#include "cluster_file.hpp"
#include "report_data.hpp"

namespace map_data {

inline tuner::Rule rule(const std::string& basis, const tuner::LayoutRange& where, std::size_t from_bytes,
                        std::size_t to_bytes, const std::string& algorithm) {
    tuner::Rule rule;
    rule.network = "eth";
    rule.collective = "allgather";
    rule.basis = basis;
    rule.where = where;
    rule.from_bytes = from_bytes;
    rule.to_bytes = to_bytes;
    rule.algorithm = algorithm;
    rule.expected_gain = 0.5;
    rule.verified_gain = 0.4;
    rule.verified_interval = {0.3, 0.45};
    if (tuner::is_predicted(rule)) {
        rule.tested_layouts = 3;
        rule.tested_cells = 9;
    }
    return rule;
}

inline tuner::Cluster cluster(int nodes, int slots, const std::string& launcher = "hydra") {
    tuner::Json hosts = tuner::Json::array();
    for (int i = 0; i < nodes; ++i) {
        hosts.push_back({{"name", "n" + std::to_string(i)}, {"slots", slots}});
    }
    const tuner::Json file = {{"name", "test"},
                              {"launcher", {{"kind", launcher}}},
                              {"hosts", hosts},
                              {"networks", {{{"name", "eth"}}}},
                              {"layouts", {{{"nodes", 2}, {"ppn", 2}}}}};
    return tuner::cluster_from(tuner::CheckedJson(file, "test"));
}

inline tuner::report::ReportCell cell(const tuner::Layout& layout,
                                      const std::string& collective = "allgather") {
    tuner::report::ReportCell cell;
    cell.key = {"eth", layout, collective, ""};
    for (const std::size_t bytes : {64U, 1024U, 65536U}) {
        cell.measured.times[bytes];
    }
    return cell;
}

// Measured on 1x3, 8x1 and 8x3, where ring is best from 1024 to 16383 bytes on 8x3 only. Ring also between
// 2x2 and 8x3 up to 32 KiB, brucks beyond 8 nodes from 1024 bytes on.
inline tuner::report::ReportData ranges() {
    tuner::report::ReportData data;
    data.folder = "/run";
    data.cluster = cluster(20, 3);
    for (const tuner::Layout& layout : {tuner::Layout{1, 3}, tuner::Layout{8, 1}, tuner::Layout{8, 3}}) {
        data.cells.push_back(cell(layout));
    }
    data.has_config = true;
    data.config.verified = true;
    data.config.rules = {
        rule("measured", tuner::LayoutRange::exactly({8, 3}), 1024, 16383, "ring"),
        rule("between", {{2, 8}, {2, 3}, {}, tuner::Mapping::block}, 1024, 32768, "ring"),
        rule("beyond", {{9, 18}, {1, 3}, {}, {}}, 1024, tuner::no_end, "brucks"),
    };
    return data;
}

}  // namespace map_data
