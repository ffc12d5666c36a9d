// SPDX-License-Identifier: MIT
#include "tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "decide.hpp"
#include "exchange_headlines.hpp"
#include "figures.hpp"

namespace tuner::report {

namespace {

const std::vector<std::string> cell_columns = {"network", "nodes",      "ppn",
                                               "mapping", "collective", "operation"};

std::vector<std::string> with_cell(const std::vector<std::string>& columns) {
    std::vector<std::string> all = cell_columns;
    all.insert(all.end(), columns.begin(), columns.end());
    return all;
}

std::vector<Json> key_of(const CellKey& key) {
    return {key.network,    key.layout.nodes, key.layout.ppn, to_string(key.layout.mapping),
            key.collective, key.operation};
}

// More digits than a measurement has would only make the page larger.
Json rounded(double value, int digits = 4) {
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

Json size_or_null(std::size_t bytes) {
    return bytes == no_end ? Json() : Json(bytes);
}

Table times_table(const ReportData& data) {
    Table table{
        "times",
        "Medians with their 95% intervals, and what the model predicts",
        with_cell({"algorithm", "bytes", "median_us", "low_us", "high_us", "samples", "predicted_us"}),
        {}};
    for (const ReportCell& cell : data.cells) {
        std::map<std::string, TableGroup> by_algorithm;
        for (const auto& [bytes, times] : cell.measured.times) {
            for (const auto& [algorithm, time] : times) {
                TableGroup& group = by_algorithm[algorithm];
                if (group.key.empty()) {
                    group.key = key_of(cell.key);
                    group.key.emplace_back(algorithm);
                }
                Json predicted;
                if (const auto found = cell.predicted.find(algorithm); found != cell.predicted.end()) {
                    const auto of_size = found->second.find(bytes);
                    predicted = of_size == found->second.end() ? Json() : rounded(1e6 * of_size->second, 3);
                }
                group.rows.push_back({bytes, microseconds(time.time.median_seconds),
                                      microseconds(time.time.interval.low),
                                      microseconds(time.time.interval.high), time.samples, predicted});
            }
        }
        for (auto& [algorithm, group] : by_algorithm) {
            table.groups.push_back(std::move(group));
        }
    }
    return table;
}

Table choices_table(const ReportData& data) {
    Table table{"choices",
                "What a tuned library does at each size, and its gain over the default there",
                with_cell({"bytes", "algorithm", "by_rule", "default_by_tuned", "verified"}),
                {}};
    for (const ReportCell& cell : data.cells) {
        TableGroup group{key_of(cell.key), {}};
        for (const SizeChoice& size : cell.sizes) {
            group.rows.push_back({size.bytes, size.runs, size.by_rule, rounded(size.gain), size.is_verified});
        }
        table.groups.push_back(std::move(group));
    }
    return table;
}

Table missing_table(const ReportData& data) {
    Table table{
        "missing", "What could not be measured, and why", with_cell({"bytes", "algorithm", "reason"}), {}};
    for (const ReportCell& cell : data.cells) {
        TableGroup group{key_of(cell.key), {}};
        for (const auto& [bytes, reasons] : cell.measured.missing) {
            for (const auto& [algorithm, reason] : reasons) {
                group.rows.push_back({bytes, algorithm, reason});
            }
        }
        if (!group.rows.empty()) {
            table.groups.push_back(std::move(group));
        }
    }
    return table;
}

Table rules_table(const ReportData& data) {
    Table table{"rules",
                "The rules",
                with_cell({"from_bytes", "to_bytes", "algorithm", "changeover_low", "changeover_high",
                           "expected_gain", "verified_gain", "verified_low", "verified_high", "basis"}),
                {{}}};
    for (const Rule& rule : data.config.rules) {
        std::vector<Json> row = key_of(cell_of(rule));
        for (Json value :
             {Json(rule.from_bytes), size_or_null(rule.to_bytes), Json(rule.algorithm),
              rounded(rule.from_interval.low), rounded(rule.from_interval.high), rounded(rule.expected_gain),
              rounded(rule.verified_gain), rounded(rule.verified_interval.low),
              rounded(rule.verified_interval.high), Json(rule.basis)}) {
            row.push_back(std::move(value));
        }
        table.groups[0].rows.push_back(std::move(row));
    }
    return table;
}

Table proofs_table(const ReportData& data) {
    Table table{"verification",
                "Default against tuned, in pairs, at sizes that were not used for deciding",
                with_cell({"bytes", "algorithm", "default_by_tuned", "low", "high", "p_slower", "p_faster"}),
                {{}}};
    for (const Proof& proof : data.proofs) {
        std::vector<Json> row = key_of(proof.cell);
        for (Json value : {Json(proof.bytes), Json(proof.algorithm), rounded(proof.ratio.ratio),
                           rounded(proof.ratio.interval.low), rounded(proof.ratio.interval.high),
                           rounded(proof.p_slower), rounded(proof.p_faster)}) {
            row.push_back(std::move(value));
        }
        table.groups[0].rows.push_back(std::move(row));
    }
    return table;
}

Table changeovers_table(const ReportData& data) {
    Table table{"changeovers",
                "Where one algorithm gives way to the next: tuned, and by the library itself",
                with_cell({"choice", "from_algorithm", "to_algorithm", "bytes", "low", "high"}),
                {}};
    for (const ReportCell& cell : data.cells) {
        TableGroup group{key_of(cell.key), {}};
        for (const auto& [choice, stretches] :
             {std::pair("tuned", &cell.tuned), std::pair("default", &cell.by_default)}) {
            for (std::size_t i = 1; i < stretches->size(); ++i) {
                const Stretch& stretch = (*stretches)[i];
                if (stretch.algorithm != (*stretches)[i - 1].algorithm) {
                    group.rows.push_back({choice, (*stretches)[i - 1].algorithm, stretch.algorithm,
                                          std::llround(stretch.from_bytes),
                                          rounded(stretch.from_interval.low),
                                          rounded(stretch.from_interval.high)});
                }
            }
        }
        if (!group.rows.empty()) {
            table.groups.push_back(std::move(group));
        }
    }
    return table;
}

Table not_improved_table(const ReportData& data) {
    Table table{"not-improved",
                "What keeps the default, and why",
                with_cell({"best_other", "bytes", "default_by_other", "why"}),
                {{}}};
    for (const ReportCell& cell : data.cells) {
        if (cell.near_miss) {
            std::vector<Json> row = key_of(cell.key);
            row.emplace_back(cell.near_miss->algorithm);
            row.emplace_back(cell.near_miss->algorithm.empty() ? Json() : Json(cell.near_miss->bytes));
            row.push_back(rounded(cell.near_miss->gain));
            row.emplace_back(cell.near_miss->why);
            table.groups[0].rows.push_back(std::move(row));
        }
    }
    return table;
}

Table comparison_table(const ReportData& data) {
    Table table{"comparison",
                "Times on B by times on A, at sizes that both have measured",
                {"a", "b", "nodes", "ppn", "mapping", "collective", "operation", "choice", "bytes",
                 "algorithm_a", "a_us", "algorithm_b", "b_us", "b_by_a", "low", "high", "faster"},
                {}};
    for (const Comparison& comparison : data.comparisons) {
        const std::string a = side_label(comparison.a, comparison.b);
        const std::string b = side_label(comparison.b, comparison.a);
        for (const ComparedCell& cell : comparison.cells) {
            for (std::size_t choice = 0; choice < choice_names.size(); ++choice) {
                TableGroup group{{a, b}, {}};
                const std::vector<Json> key = key_of(cell.key);
                group.key.insert(group.key.end(), key.begin() + 1, key.end());
                group.key.emplace_back(choice_names[choice]);
                for (const ComparedSize& size : cell.sizes) {
                    const ComparedChoice& of = size.choices[choice];
                    if (of.a && of.b && of.ratio) {
                        group.rows.push_back({size.bytes, of.a->algorithm, microseconds(of.a->tail.median),
                                              of.b->algorithm, microseconds(of.b->tail.median),
                                              rounded(of.ratio->ratio), rounded(of.ratio->interval.low),
                                              rounded(of.ratio->interval.high),
                                              of.winner == Winner::a   ? Json(a)
                                              : of.winner == Winner::b ? Json(b)
                                                                       : Json()});
                    }
                }
                if (!group.rows.empty()) {
                    table.groups.push_back(std::move(group));
                }
            }
        }
    }
    return table;
}

Table messages_table(const ReportData& data) {
    Table table{"point-to-point",
                "LogGP parameters of the networks, seconds and seconds per byte, with 95% intervals",
                {"network", "link", "from_bytes", "to_bytes", "parameter", "value", "low", "high", "known"},
                {{}}};
    for (const LinkParameters& link : data.network_parameters) {
        for (const models::LogGpSegment& segment : link.log_gp) {
            for (const models::FittedParameter* p :
                 {&segment.latency_seconds, &segment.send_overhead_seconds, &segment.receive_overhead_seconds,
                  &segment.gap_seconds, &segment.gap_seconds_per_byte}) {
                table.groups[0].rows.push_back({link.network, to_string(link.link),
                                                rounded(segment.from_bytes), rounded(segment.to_bytes),
                                                p->name, rounded(p->value), rounded(p->interval.low),
                                                rounded(p->interval.high), models::to_string(p->determined)});
            }
        }
    }
    return table;
}

Table exchanges_table(const ReportData& data) {
    Table table{
        "exchanges",
        "Exchanges of messages: medians with their 95% intervals, rates, availability, overlap, tails",
        {"network", "nodes", "ppn", "mapping", "exchange", "way", "bytes", "median_us", "low_us", "high_us"},
        {}};
    for (const QuantityFormat& format : quantity_formats()) {
        table.columns.emplace_back(format.value);
    }
    table.columns.insert(table.columns.end(), {"samples", "p99_us", "max_us"});
    for (const double factor : models::far_factors) {
        table.columns.push_back(fmt::format("share_beyond_{:g}_min", factor));
    }
    table.columns.emplace_back("like_time_outs");
    for (const auto& [key, curve] : data.exchanges) {
        TableGroup group{{key.network, key.layout.nodes, key.layout.ppn, to_string(key.layout.mapping),
                          key.exchange, key.way},
                         {}};
        for (const auto& [bytes, point] : curve) {
            const models::Tail tail = models::tail_of(point.sorted_seconds);
            std::vector<Json> row = {bytes, microseconds(point.median_seconds),
                                     microseconds(point.interval.low), microseconds(point.interval.high)};
            for (const QuantityFormat& format : quantity_formats()) {
                const auto found = point.values.find(format.value);
                row.push_back(found == point.values.end() ? Json() : rounded(found->second));
            }
            row.insert(row.end(), {tail.count, microseconds(tail.p99), microseconds(tail.max)});
            for (const double share : tail.shares_beyond) {
                row.push_back(rounded(share));
            }
            row.emplace_back(tail.time_outs);
            group.rows.push_back(std::move(row));
        }
        table.groups.push_back(std::move(group));
    }
    return table;
}

Table samples_table(const ReportData& data) {
    Table table{"distributions",
                "The repetitions of the distributions that are shown",
                with_cell({"bytes", "algorithm", "sample_us"}),
                {}};
    for (const Distribution& distribution : data.distributions) {
        for (const Distribution::Series& series : distribution.series) {
            TableGroup group{key_of(distribution.cell), {}};
            group.key.emplace_back(distribution.bytes);
            group.key.emplace_back(series.algorithm);
            for (const double seconds : series.sorted_seconds) {
                group.rows.push_back({microseconds(seconds)});
            }
            table.groups.push_back(std::move(group));
        }
    }
    return table;
}

Table finishes_table(const ReportData& data) {
    Table table{"finishes",
                "When each rank finished, medians since the common start",
                with_cell({"bytes", "algorithm", "rank", "finish_us"}),
                {}};
    for (const Distribution& distribution : data.distributions) {
        for (const Distribution::Series& series : distribution.series) {
            TableGroup group{key_of(distribution.cell), {}};
            group.key.emplace_back(distribution.bytes);
            group.key.emplace_back(series.algorithm);
            for (std::size_t rank = 0; rank < series.finish_of_rank.size(); ++rank) {
                group.rows.push_back({rank, microseconds(series.finish_of_rank[rank])});
            }
            table.groups.push_back(std::move(group));
        }
    }
    return table;
}

Table parameters_table(const ReportData& data) {
    Table table{"model",
                "Parameters of the cost model, seconds and seconds per byte, with 95% intervals",
                {"network", "parameter", "value", "low", "high", "known"},
                {{}}};
    for (const NetworkModel& model : data.models) {
        if (!model.fit) {
            continue;
        }
        for (const models::FittedParameter& p : model.fit->fit.parameters) {
            table.groups[0].rows.push_back({model.network, p.name, rounded(p.value), rounded(p.interval.low),
                                            rounded(p.interval.high), models::to_string(p.determined)});
        }
    }
    return table;
}

Table residuals_table(const ReportData& data) {
    Table table{"model-errors",
                "Times that the model does not explain",
                with_cell({"bytes", "algorithm", "measured_us", "predicted_us"}),
                {{}}};
    for (const NetworkModel& model : data.models) {
        for (const Prediction::Explained& time : model.times) {
            if (!time.is_explained) {
                std::vector<Json> row = key_of(time.cell);
                row.emplace_back(time.bytes);
                row.emplace_back(time.algorithm);
                row.push_back(microseconds(time.measured_seconds));
                row.push_back(microseconds(time.predicted_seconds));
                table.groups[0].rows.push_back(std::move(row));
            }
        }
    }
    return table;
}

Table algorithms_table(const ReportData& data) {
    Table table{"model-by-algorithm",
                "How well the model explains each algorithm",
                {"network", "algorithm", "times", "median_error", "bias"},
                {{}}};
    for (const NetworkModel& model : data.models) {
        if (model.fit) {
            for (const models::AlgorithmResidual& residual : model.fit->by_algorithm) {
                table.groups[0].rows.push_back({model.network, std::string(residual.algorithm),
                                                residual.observations, rounded(residual.median_error),
                                                rounded(residual.bias)});
            }
        }
    }
    return table;
}

Json header_value(const Place& place, const char* key) {
    return place.header.is_object() ? place.header.value(key, Json()) : Json();
}

Table places_table(const ReportData& data) {
    Table table{"measured",
                "What was measured where",
                {"network", "layout", "jobs", "repetitions", "invalid", "clock", "clock_error_us", "start",
                 "tcp_time_outs", "command"},
                {{}}};
    for (const Place& place : data.places) {
        table.groups[0].rows.push_back(
            {place.network, to_string(place.layout), place.jobs, place.samples, place.invalid,
             header_value(place, "clock"), place.jobs == 0 ? Json() : rounded(place.sync_error_us),
             header_value(place, "start"), place.tcp_time_outs ? Json(*place.tcp_time_outs) : Json(),
             place.command_line});
    }
    return table;
}

Table doubtful_table(const ReportData& data) {
    Table table{"doubtful",
                "Cases that are less precise than the plan wants",
                with_cell({"cases", "of", "worst_precision", "raise"}),
                {{}}};
    for (const Doubtful& doubtful : data.doubtful) {
        std::vector<Json> row = key_of(doubtful.cell);
        row.emplace_back(doubtful.cases);
        row.emplace_back(doubtful.of);
        row.push_back(rounded(doubtful.worst_precision));
        row.emplace_back(doubtful.setting);
        table.groups[0].rows.push_back(std::move(row));
    }
    return table;
}

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
    return {rules_table(data),      proofs_table(data),    not_improved_table(data), choices_table(data),
            times_table(data),      missing_table(data),   changeovers_table(data),  comparison_table(data),
            messages_table(data),   samples_table(data),   finishes_table(data),     parameters_table(data),
            algorithms_table(data), residuals_table(data), places_table(data),       doubtful_table(data),
            exchanges_table(data)};
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

}  // namespace tuner::report
