// SPDX-License-Identifier: MIT
// Tables of cells: times, choices, rules, changeovers, and what keeps the default.
#include <algorithm>
#include <cmath>

#include "decide.hpp"
#include "table_rows.hpp"

namespace tuner::report {

namespace {

Json size_or_null(std::size_t bytes) {
    return bytes == no_end ? Json() : Json(bytes);
}

Json predicted_us(const ReportCell& cell, const std::string& algorithm, std::size_t bytes) {
    const auto found = cell.predicted.find(algorithm);
    if (found == cell.predicted.end() || !found->second.contains(bytes)) {
        return {};
    }
    return rounded(1e6 * found->second.at(bytes), 3);
}

// The columns of a cell; ranges as texts: 2 to 8
std::vector<Json> key_of_rule(const Rule& rule) {
    if (rule.where.single()) {
        return key_of(cell_of(rule));
    }
    return {rule.network,
            to_string(rule.where.nodes),
            to_string(rule.where.ppn),
            rule.where.mapping ? to_string(*rule.where.mapping) : "any",
            rule.collective,
            cell_at(rule, {}).operation};
}

}  // namespace

Table times_table(const ReportData& data) {
    Table table = grouped_table(
        "times", "Medians with their 95% intervals, and what the model predicts",
        with_cell({"algorithm", "bytes", "median_us", "low_us", "high_us", "samples", "predicted_us"}));
    for (const ReportCell& cell : data.cells) {
        std::map<std::string, TableGroup> by_algorithm;
        for (const auto& [bytes, times] : cell.measured.times) {
            for (const auto& [algorithm, time] : times) {
                TableGroup& group = by_algorithm[algorithm];
                group.key = key_of(cell.key, {algorithm});
                group.rows.push_back({bytes, microseconds(time.time.median_seconds),
                                      microseconds(time.time.interval.low),
                                      microseconds(time.time.interval.high), time.samples,
                                      predicted_us(cell, algorithm, bytes)});
            }
        }
        for (auto& [algorithm, group] : by_algorithm) {
            add_group(table, std::move(group));
        }
    }
    return table;
}

Table choices_table(const ReportData& data) {
    Table table =
        grouped_table("choices", "The choice of a tuned library at each size, and its gain over the default",
                      with_cell({"bytes", "algorithm", "by_rule", "default_by_tuned", "verified"}));
    for (const ReportCell& cell : data.cells) {
        // one for each cell, be it empty: the page's script finds them by position
        TableGroup& group = table.groups.emplace_back(TableGroup{key_of(cell.key), {}});
        for (const SizeChoice& size : cell.sizes) {
            group.rows.push_back({size.bytes, size.runs, size.by_rule, rounded(size.gain), size.is_verified});
        }
    }
    return table;
}

Table missing_table(const ReportData& data) {
    Table table = grouped_table("missing", "Cases that could not be measured, and why",
                                with_cell({"bytes", "algorithm", "reason"}));
    for (const ReportCell& cell : data.cells) {
        TableGroup group{key_of(cell.key), {}};
        for (const auto& [bytes, reasons] : cell.measured.missing) {
            for (const auto& [algorithm, reason] : reasons) {
                group.rows.push_back({bytes, algorithm, reason});
            }
        }
        add_group(table, std::move(group));
    }
    return table;
}

Table rules_table(const ReportData& data) {
    Table table =
        flat_table("rules", "The rules",
                   with_cell({"from_bytes", "to_bytes", "algorithm", "changeover_low", "changeover_high",
                              "expected_gain", "verified_gain", "verified_low", "verified_high", "basis",
                              "tested_layouts", "tested_cells", "changes_bits"}));
    for (const Rule& rule : data.config.rules) {
        std::vector<Json> row = key_of_rule(rule);
        const std::initializer_list<Json> values = {
            rule.from_bytes,
            size_or_null(rule.to_bytes),
            rule.algorithm,
            rounded(rule.from_interval.low),
            rounded(rule.from_interval.high),
            rounded(rule.expected_gain),
            rounded(rule.verified_gain),
            rounded(rule.verified_interval.low),
            rounded(rule.verified_interval.high),
            rule.basis,
            rule.tested_layouts,
            rule.tested_cells,
            rule.changes_bits ? Json(*rule.changes_bits) : Json(),
        };
        row.insert(row.end(), values);
        table.groups.front().rows.push_back(std::move(row));
    }
    return table;
}

Table proofs_table(const ReportData& data) {
    Table table = flat_table(
        "verification", "Default against tuned, measured in pairs in new jobs",
        with_cell({"bytes", "algorithm", "default_by_tuned", "low", "high", "p_slower", "p_faster"}));
    for (const Proof& proof : data.proofs) {
        add_row(table, proof.cell,
                {proof.bytes, proof.algorithm, rounded(proof.ratio.ratio), rounded(proof.ratio.interval.low),
                 rounded(proof.ratio.interval.high), rounded(proof.p_slower), rounded(proof.p_faster)});
    }
    return table;
}

Table arrivals_table(const ReportData& data) {
    Table table =
        grouped_table("arrivals", "The same with ranks that arrive apart, by pattern",
                      with_cell({"bytes", "algorithm", "arrival", "default_by_tuned", "low", "high"}));
    for (const Proof& proof : data.proofs) {
        TableGroup group{key_of(proof.cell, {proof.bytes, proof.algorithm}), {}};
        for (const auto& [arrival, ratio] : proof.arrivals) {
            group.rows.push_back(
                {arrival, rounded(ratio.ratio), rounded(ratio.interval.low), rounded(ratio.interval.high)});
        }
        add_group(table, std::move(group));
    }
    return table;
}

Table flips_table(const ReportData& data) {
    Table table = flat_table("flips", "Where another algorithm is the fastest under one pattern of arrival",
                             with_cell({"bytes", "arrival", "algorithm", "best", "algorithm_by_best"}));
    for (const ArrivalFlip& flip : data.flips.flips) {
        add_row(table, flip.cell, {flip.bytes, flip.arrival, flip.algorithm, flip.best, rounded(flip.ratio)});
    }
    return table;
}

Table changeovers_table(const ReportData& data) {
    Table table =
        grouped_table("changeovers", "Changeover points: tuned, and of the library itself",
                      with_cell({"choice", "from_algorithm", "to_algorithm", "bytes", "low", "high"}));
    for (const ReportCell& cell : data.cells) {
        TableGroup group{key_of(cell.key), {}};
        for (const auto& [choice, stretches] :
             {std::pair("tuned", &cell.tuned), std::pair("default", &cell.by_default)}) {
            for (std::size_t i = 1; i < stretches->size(); ++i) {
                const Stretch& before = (*stretches)[i - 1];
                const Stretch& stretch = (*stretches)[i];
                if (stretch.algorithm != before.algorithm) {
                    group.rows.push_back(
                        {choice, before.algorithm, stretch.algorithm, std::llround(stretch.from_bytes),
                         rounded(stretch.from_interval.low), rounded(stretch.from_interval.high)});
                }
            }
        }
        add_group(table, std::move(group));
    }
    return table;
}

Table not_improved_table(const ReportData& data) {
    Table table = flat_table("not-improved", "Cells that keep the default, and why",
                             with_cell({"best_other", "bytes", "default_by_other", "why"}));
    for (const ReportCell& cell : data.cells) {
        if (cell.near_miss) {
            const NearMiss& miss = *cell.near_miss;
            add_row(table, cell.key,
                    {miss.algorithm, miss.algorithm.empty() ? Json() : Json(miss.bytes), rounded(miss.gain),
                     miss.why});
        }
    }
    return table;
}

}  // namespace tuner::report
