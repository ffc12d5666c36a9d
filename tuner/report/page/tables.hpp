// SPDX-License-Identifier: MIT
// Every number of a report, as tables: embedded in the page for hovering and downloads, and shown in it where
// they are short. Rows that have their first columns in common are kept together, to save space.
#pragma once

#include <string>
#include <vector>

#include "report_data.hpp"

namespace tuner::report {

struct TableGroup {
    std::vector<Json> key;  // the first columns of all its rows
    std::vector<std::vector<Json>> rows;
};

struct Table {
    std::string name;
    std::string title;
    std::vector<std::string> columns;
    std::vector<TableGroup> groups;

    bool is_empty() const;
    std::size_t rows() const;
};

// `choices` has one group for each cell of the data, in their order; `times` one for each algorithm of a
// cell.
std::vector<Table> tables_of(const ReportData& data);
const Table& find_table(const std::vector<Table>& tables, const std::string& name);

Json to_json(const Table& table);

}  // namespace tuner::report
