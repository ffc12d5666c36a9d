// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "table_rows.hpp"

namespace tuner::report {

namespace {

// In the order of the page
constexpr Table (*all_tables[])(const ReportData& data) = {
    rules_table,     proofs_table,  arrivals_table, flips_table,       not_improved_table,
    choices_table,   times_table,   missing_table,  changeovers_table, comparison_table,
    messages_table,  samples_table, finishes_table, parameters_table,  algorithms_table,
    residuals_table, places_table,  doubtful_table, exchanges_table,   guidelines_table};

}  // namespace

bool Table::is_empty() const {
    return rows() == 0;
}

std::size_t Table::rows() const {
    std::size_t count = 0;
    for (const TableGroup& group : groups) {
        count += group.rows.size();
    }
    return count;
}

std::vector<Table> tables_of(const ReportData& data) {
    std::vector<Table> tables;
    for (const auto table : all_tables) {
        tables.push_back(table(data));
    }
    return tables;
}

const Table& find_table(const std::vector<Table>& tables, const std::string& name) {
    return *std::find_if(tables.begin(), tables.end(),
                         [&](const Table& table) { return table.name == name; });
}

Json to_json(const Table& table) {
    Json groups = Json::array();
    for (const TableGroup& group : table.groups) {
        groups.push_back({{"key", group.key}, {"rows", group.rows}});
    }
    return {{"title", table.title}, {"columns", table.columns}, {"groups", groups}};
}

Table flat_table(std::string name, std::string title, std::vector<std::string> columns) {
    return {std::move(name), std::move(title), std::move(columns), {{}}};
}

Table grouped_table(std::string name, std::string title, std::vector<std::string> columns) {
    return {std::move(name), std::move(title), std::move(columns), {}};
}

void add_row(Table& flat, std::initializer_list<Json> values) {
    flat.groups.front().rows.emplace_back(values);
}

void add_row(Table& flat, const CellKey& key, std::initializer_list<Json> values) {
    flat.groups.front().rows.push_back(key_of(key, values));
}

void add_group(Table& grouped, TableGroup group) {
    if (!group.rows.empty()) {
        grouped.groups.push_back(std::move(group));
    }
}

std::vector<std::string> with_cell(const std::vector<std::string>& columns) {
    std::vector<std::string> all = {"network", "nodes", "ppn", "mapping", "collective", "operation"};
    all.insert(all.end(), columns.begin(), columns.end());
    return all;
}

Json ppn_of(const Layout& layout) {
    return layout.is_even() ? Json(layout.ppn) : Json(fmt::format("{}-{}", layout.ppn, layout.missing));
}

std::vector<Json> key_of(const CellKey& key) {
    return key_of(key, {});
}

std::vector<Json> key_of(const CellKey& key, std::initializer_list<Json> more) {
    std::vector<Json> values = {key.network,        key.layout.nodes,
                                ppn_of(key.layout), to_string(key.layout.mapping),
                                key.collective,     key.operation};
    values.insert(values.end(), more);
    return values;
}

Json rounded(double value, int digits) {
    if (!std::isfinite(value)) {
        return {};
    }
    const double short_value = std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
    const bool is_whole = short_value == std::floor(short_value) && std::abs(short_value) < 1e15;
    return is_whole ? Json(std::llround(short_value)) : Json(short_value);
}

Json microseconds(double seconds) {
    return rounded(1e6 * seconds);
}

}  // namespace tuner::report
