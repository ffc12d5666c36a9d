// SPDX-License-Identifier: MIT
// Tables of networks: compared with each other, their messages, and the model of each.
#include <fmt/format.h>

#include "exchange_headlines.hpp"
#include "figures.hpp"
#include "table_rows.hpp"

namespace tuner::report {

namespace {

struct Sides {
    std::string a;
    std::string b;

    Json faster(Winner winner) const {
        return winner == Winner::a ? Json(a) : winner == Winner::b ? Json(b) : Json();
    }
};

TableGroup compared_sizes(const Sides& sides, const ComparedCell& cell, std::size_t choice) {
    TableGroup group{{sides.a, sides.b}, {}};
    const std::vector<Json> key = key_of(cell.key, {choice_names[choice]});
    group.key.insert(group.key.end(), key.begin() + 1, key.end());  // the sides say the network
    for (const ComparedSize& size : cell.sizes) {
        const ComparedChoice& of = size.choices[choice];
        if (of.a && of.b && of.ratio) {
            group.rows.push_back({size.bytes, of.a->algorithm, microseconds(of.a->tail.median),
                                  of.b->algorithm, microseconds(of.b->tail.median), rounded(of.ratio->ratio),
                                  rounded(of.ratio->interval.low), rounded(of.ratio->interval.high),
                                  sides.faster(of.winner)});
        }
    }
    return group;
}

std::vector<std::string> exchange_columns() {
    std::vector<std::string> columns = {"network", "nodes", "ppn",       "mapping", "exchange",
                                        "way",     "bytes", "median_us", "low_us",  "high_us"};
    for (const QuantityFormat& format : quantity_formats()) {
        columns.emplace_back(format.value);
    }
    columns.insert(columns.end(), {"samples", "p99_us", "max_us"});
    for (const double factor : models::far_factors) {
        columns.push_back(fmt::format("share_beyond_{:g}_min", factor));
    }
    columns.emplace_back("like_time_outs");
    return columns;
}

std::vector<Json> exchange_row(std::size_t bytes, const ExchangePoint& point) {
    const models::Tail tail = models::tail_of(point.sorted_seconds);
    std::vector<Json> row = {bytes, microseconds(point.median_seconds), microseconds(point.interval.low),
                             microseconds(point.interval.high)};
    for (const QuantityFormat& format : quantity_formats()) {
        const auto found = point.values.find(format.value);
        row.push_back(found == point.values.end() ? Json() : rounded(found->second));
    }
    row.insert(row.end(), {tail.count, microseconds(tail.p99), microseconds(tail.max)});
    for (const double share : tail.shares_beyond) {
        row.push_back(rounded(share));
    }
    row.emplace_back(tail.time_outs);
    return row;
}

}  // namespace

Table comparison_table(const ReportData& data) {
    Table table =
        grouped_table("comparison", "Times on B by times on A, at sizes that both have measured",
                      {"a", "b", "nodes", "ppn", "mapping", "collective", "operation", "choice", "bytes",
                       "algorithm_a", "a_us", "algorithm_b", "b_us", "b_by_a", "low", "high", "faster"});
    for (const Comparison& comparison : data.comparisons) {
        const Sides sides{side_label(comparison.a, comparison.b), side_label(comparison.b, comparison.a)};
        for (const ComparedCell& cell : comparison.cells) {
            for (std::size_t choice = 0; choice < choice_names.size(); ++choice) {
                add_group(table, compared_sizes(sides, cell, choice));
            }
        }
    }
    return table;
}

Table messages_table(const ReportData& data) {
    Table table = flat_table(
        "point-to-point",
        "LogGP parameters of the networks, seconds and seconds per byte, with 95% intervals",
        {"network", "link", "from_bytes", "to_bytes", "parameter", "value", "low", "high", "known"});
    for (const LinkParameters& link : data.network_parameters) {
        for (const models::LogGpSegment& segment : link.log_gp) {
            for (const models::FittedParameter* p :
                 {&segment.latency_seconds, &segment.send_overhead_seconds, &segment.receive_overhead_seconds,
                  &segment.gap_seconds, &segment.gap_seconds_per_byte}) {
                add_row(table,
                        {link.network, to_string(link.link), rounded(segment.from_bytes),
                         rounded(segment.to_bytes), p->name, rounded(p->value), rounded(p->interval.low),
                         rounded(p->interval.high), models::to_string(p->determined)});
            }
        }
    }
    return table;
}

Table exchanges_table(const ReportData& data) {
    Table table = grouped_table(
        "exchanges",
        "Exchanges of messages: medians with their 95% intervals, rates, availability, overlap, tails",
        exchange_columns());
    for (const auto& [key, curve] : data.exchanges) {
        TableGroup group{{key.network, key.layout.nodes, ppn_of(key.layout), to_string(key.layout.mapping),
                          key.exchange, key.way},
                         {}};
        for (const auto& [bytes, point] : curve) {
            group.rows.push_back(exchange_row(bytes, point));
        }
        add_group(table, std::move(group));
    }
    return table;
}

Table parameters_table(const ReportData& data) {
    Table table =
        flat_table("model", "Parameters of the cost model, seconds and seconds per byte, with 95% intervals",
                   {"network", "parameter", "value", "low", "high", "known"});
    for (const NetworkModel& model : data.models) {
        if (!model.fit) {
            continue;
        }
        for (const models::FittedParameter& p : model.fit->fit.parameters) {
            add_row(table, {model.network, p.name, rounded(p.value), rounded(p.interval.low),
                            rounded(p.interval.high), models::to_string(p.determined)});
        }
    }
    return table;
}

Table algorithms_table(const ReportData& data) {
    Table table = flat_table("model-by-algorithm", "How well the model explains each algorithm",
                             {"network", "algorithm", "times", "median_error", "bias"});
    for (const NetworkModel& model : data.models) {
        if (model.fit) {
            for (const models::AlgorithmResidual& residual : model.fit->by_algorithm) {
                add_row(table, {model.network, std::string(residual.algorithm), residual.observations,
                                rounded(residual.median_error), rounded(residual.bias)});
            }
        }
    }
    return table;
}

Table residuals_table(const ReportData& data) {
    Table table = flat_table("model-errors", "Times that the model does not explain",
                             with_cell({"bytes", "algorithm", "measured_us", "predicted_us"}));
    for (const NetworkModel& model : data.models) {
        for (const Prediction::Explained& time : model.times) {
            if (!time.is_explained) {
                add_row(table, time.cell,
                        {time.bytes, time.algorithm, microseconds(time.measured_seconds),
                         microseconds(time.predicted_seconds)});
            }
        }
    }
    return table;
}

}  // namespace tuner::report
