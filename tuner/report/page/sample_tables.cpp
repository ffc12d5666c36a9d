// SPDX-License-Identifier: MIT
// Tables of repetitions, and of how they were measured.
#include "table_rows.hpp"

namespace tuner::report {

namespace {

using SeriesRows = std::vector<std::vector<Json>> (*)(const Distribution::Series& series);

// One group for each series of each distribution
void add_series(Table& table, const ReportData& data, SeriesRows rows_of) {
    for (const Distribution& distribution : data.distributions) {
        for (const Distribution::Series& series : distribution.series) {
            add_group(table,
                      {key_of(distribution.cell, {distribution.bytes, series.algorithm}), rows_of(series)});
        }
    }
}

std::vector<std::vector<Json>> sample_rows(const Distribution::Series& series) {
    std::vector<std::vector<Json>> rows;
    for (const double seconds : series.sorted_seconds) {
        rows.push_back({microseconds(seconds)});
    }
    return rows;
}

std::vector<std::vector<Json>> finish_rows(const Distribution::Series& series) {
    std::vector<std::vector<Json>> rows;
    for (const double seconds : series.finish_of_rank) {
        rows.push_back({rows.size(), microseconds(seconds)});
    }
    return rows;
}

Json header_value(const Place& place, const char* key) {
    return place.header.is_object() ? place.header.value(key, Json()) : Json();
}

}  // namespace

Table samples_table(const ReportData& data) {
    Table table = grouped_table("distributions", "The repetitions of the distributions that are shown",
                                with_cell({"bytes", "algorithm", "sample_us"}));
    add_series(table, data, sample_rows);
    return table;
}

Table finishes_table(const ReportData& data) {
    Table table = grouped_table("finishes", "Finish time of each rank, medians since the common start",
                                with_cell({"bytes", "algorithm", "rank", "finish_us"}));
    add_series(table, data, finish_rows);
    return table;
}

Table places_table(const ReportData& data) {
    Table table = flat_table("measured", "Jobs and repetitions of each network and layout",
                             {"network", "layout", "jobs", "repetitions", "invalid", "clock",
                              "clock_error_us", "start", "tcp_time_outs", "command"});
    for (const Place& place : data.places) {
        add_row(table, {place.network, to_string(place.layout), place.jobs, place.samples, place.invalid,
                        header_value(place, "clock"), place.jobs == 0 ? Json() : rounded(place.sync_error_us),
                        header_value(place, "start"),
                        place.tcp_time_outs ? Json(*place.tcp_time_outs) : Json(), place.command_line});
    }
    return table;
}

Table doubtful_table(const ReportData& data) {
    Table table = flat_table("doubtful", "Cases that are less precise than the plan requires",
                             with_cell({"cases", "of", "worst_precision", "raise"}));
    for (const Doubtful& doubtful : data.doubtful) {
        add_row(table, doubtful.cell,
                {doubtful.cases, doubtful.of, rounded(doubtful.worst_precision), doubtful.setting});
    }
    return table;
}

}  // namespace tuner::report
