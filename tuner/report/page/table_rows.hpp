// SPDX-License-Identifier: MIT
// What the tables of a report are made of: keys of cells, rounded numbers, rows; and the tables themselves.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "tables.hpp"

namespace tuner::report {

// Without rows; its rows have no key in common
Table flat_table(std::string name, std::string title, std::vector<std::string> columns);
// Without groups
Table grouped_table(std::string name, std::string title, std::vector<std::string> columns);
void add_row(Table& flat, std::initializer_list<Json> values);
void add_row(Table& flat, const CellKey& key, std::initializer_list<Json> values);
void add_group(Table& grouped, TableGroup group);  // unless it is empty

Json ppn_of(const Layout& layout);  // 2, or 2-1 if the last node has one rank fewer
std::vector<std::string> with_cell(const std::vector<std::string>& columns);  // behind those of a cell
std::vector<Json> key_of(const CellKey& key);
std::vector<Json> key_of(const CellKey& key, std::initializer_list<Json> more);

// More digits than a measurement has would only make the page larger.
Json rounded(double value, int digits = 4);
Json microseconds(double seconds);

// cell_tables
Table rules_table(const ReportData& data);
Table proofs_table(const ReportData& data);
Table arrivals_table(const ReportData& data);
Table flips_table(const ReportData& data);
Table not_improved_table(const ReportData& data);
Table choices_table(const ReportData& data);
Table times_table(const ReportData& data);
Table missing_table(const ReportData& data);
Table changeovers_table(const ReportData& data);
// network_tables
Table comparison_table(const ReportData& data);
Table messages_table(const ReportData& data);
Table exchanges_table(const ReportData& data);
Table parameters_table(const ReportData& data);
Table algorithms_table(const ReportData& data);
Table residuals_table(const ReportData& data);
// page_guidelines
Table guidelines_table(const ReportData& data);
// sample_tables
Table samples_table(const ReportData& data);
Table finishes_table(const ReportData& data);
Table places_table(const ReportData& data);
Table doubtful_table(const ReportData& data);

}  // namespace tuner::report
