// SPDX-License-Identifier: MIT
// Results as one JSON object a line: the sample stream, whose format is documented in bench/README.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "log_normal.hpp"
#include "output.hpp"
#include "output_text.hpp"
#include "statistics.hpp"
#include "tails.hpp"

namespace bench {

namespace {

using Json = nlohmann::ordered_json;

constexpr int protocol_version = 1;

Json to_json(const NetworkUse& use) {
    Json nodes = Json::array();
    for (const NodeNetwork& node : use.nodes) {
        nodes.push_back({{"node", node.node},
                         {"interfaces", node.interfaces},
                         {"addresses", node.addresses},
                         {"subnets", node.subnets},
                         {"loopback", node.is_loopback}});
        if (!node.name.empty()) {
            nodes.back().update({{"name", node.name}, {"name_addresses", node.name_addresses}});
        }
    }
    return {{"evidence", to_string(use.evidence)}, {"library", use.stated_by_library}, {"nodes", nodes}};
}

class JsonLines : public Printer {
  public:
    JsonLines(bool with_ranks, std::vector<ProcessSet> sets)
        : with_ranks_(with_ranks), sets_(std::move(sets)) {}

    void header(const Header& h) override {
        write_line(Json{
            {"type", "header"},
            {"version", protocol_version},
            {"command_line", h.command_line},
            {"library", h.mpi_library},
            {"device", h.device.empty() ? Json() : Json(h.device)},
            {"tuning_file", h.tuning_file.empty() ? Json() : Json(h.tuning_file)},
            {"tuning_file_problem", h.tuning_file_problem.empty() ? Json() : Json(h.tuning_file_problem)},
            {"can_switch", h.can_switch},
            {"algorithm_values", h.algorithm_values},
            {"ranks", h.ranks},
            {"nodes", h.placement.nodes},
            {"ranks_on_node", h.placement.ranks_on_node},
            {"node_of_rank", h.placement.node_of_rank},
            {"machines", h.placement.machines},
            {"cores", h.placement.cores},
            {"cpu", h.placement.cpu},
            {"clock", h.clock},
            {"clock_resolution_ns", 1e9 * h.clock_quality.resolution},
            {"clock_read_ns", 1e9 * h.clock_quality.call_cost},
            {"sync", h.sync},
            {"sync_rounds", h.sync_rounds},
            {"sync_error_us", us(h.sync_residual.error)},
            {"sync_round_trip_us", us(h.sync_residual.round_trip)},
            {"start", to_string(h.start)},
            {"late_from_us", us(h.start_tolerance)},
            {"seed", h.seed},
            {"network", to_json(h.network)}}
                       .dump());
    }

    void group(const GroupSpec& g, const std::vector<CaseResult>& results, const std::string& id) override {
        for (const CaseResult& r : results) {
            write_line(case_line(g, g.parameters, r, id).dump());
        }
    }

    void overlap(const GroupSpec& g, const std::vector<AlgorithmOverlap>& results,
                 const std::string& id) override {
        for (const AlgorithmOverlap& r : results) {
            write_line(case_line(g, {0, 0, 0}, r.blocking, id).dump());
            for (const Overlap& o : r.overlaps) {
                Json line = case_line(g, o.parameters, o.result, id);
                line.update({{"scheme", to_string(o.scheme)}, {"test_interval", o.interval}});
                if (!std::isnan(o.overhead_seconds)) {
                    line.update({{"blocking_us", us(r.blocking_seconds)},
                                 {"overlap", o.overlap},
                                 {"best", o.is_best}});
                }
                write_line(line.dump());
            }
        }
    }
    void error(const std::string& message, const std::string& id) override {
        Json line = {{"type", "error"}};
        add_id(line, id);
        line["message"] = message;
        write_line(line.dump(-1, ' ', false, Json::error_handler_t::replace));
    }
    void done(const std::string& id) override {
        Json line = {{"type", "done"}};
        add_id(line, id);
        write_line(line.dump());
    }
    void end(const Retransmits& before, const Retransmits& after) override {
        Json limits = Json::array();
        for (const EagerLimits::Limit& limit : limits_.found()) {
            limits.push_back(
                {{"collective", limit.pattern},
                 {"algorithm", limit.algorithm},
                 {"bytes", {limit.fall.before.bytes, limit.fall.after.bytes}},
                 {"availability", {limit.fall.before.availability, limit.fall.after.availability}}});
        }
        write_line(Json{
            {"type", "end"},
            {"tcp_retransmits", after.segments - before.segments},
            {"tcp_time_outs", after.time_outs - before.time_outs},
            {"tcp_before", counters(before)},
            {"tcp_after", counters(after)},
            {"eager_limits",
             limits}}.dump());
    }

  private:
    Json case_line(const GroupSpec& g, const std::vector<double>& parameters, const CaseResult& r,
                   const std::string& id) {
        Json line = {{"type", "case"}};
        add_id(line, id);
        line.update({{"collective", g.pattern->name},
                     {"algorithm", r.algorithm},
                     {"bytes", g.bytes},
                     {"datatype", g.elements->datatype_name},
                     {"operation", g.pattern->combines ? Json(g.elements->operation_name) : Json()},
                     {"root", g.rotate_root         ? Json("rotating")
                              : g.pattern->has_root ? Json(g.root)
                                                    : Json()},
                     {"in_place", g.in_place}});
        if (g.order != Order::random) {
            line["order"] = to_string(g.order);
        }
        if (g.calls_in_a_row != 1) {
            line["calls_in_a_row"] = g.calls_in_a_row;
        }
        if (g.communicators.are_parts()) {
            line.update({{"communicators", to_string(g.communicators)}, {"communicator_ranks", g.ranks}});
        }
        if (g.arrival) {
            line["arrival"] = arrival_of(g, r);
        }
        if (g.pattern->is_exchange()) {
            if (g.pattern->has_pairs()) {
                line.update({{"peer", g.pairs.front().peer}, {"link", g.link}});
            }
            if (g.pairs.size() > 1) {
                line["pairs"] = pairs_of(g);
            }
        }
        if (!parameters.empty()) {
            line["parameters"] = parameters_of(g, parameters);
        }
        line["status"] = to_string(r.status);
        if (!r.reason.empty()) {
            line["reason"] = r.reason;
        }
        if (!r.used_algorithm.empty()) {
            line["used"] = r.used_algorithm;
        }
        if (!r.bits.bits.empty()) {
            line.update({{"bits", r.bits.bits}, {"ranks_agree", r.bits.ranks_agree}});
        }
        line["invalid"] = r.invalid;
        line["seconds"] = r.seconds;
        if (r.status == Status::measured && !r.repetitions.empty()) {
            add_summary(line, r);
            for (const Derived& d : derived(g, r)) {
                line[d.name] = d.value;
            }
            if (g.arrival) {
                line["waiting_us"] = us(median_waiting(r));
                for (const auto& [pattern, seconds] : median_by_arrival(r, g.arrival->how)) {
                    line["by_arrival_us"][pattern] = us(seconds);
                }
            }
            limits_.add(g, r);
        }
        return line;
    }
    static Json arrival_of(const GroupSpec& g, const CaseResult& r) {
        const models::ArrivalMix& how = g.arrival->how;
        const bool has_width = models::mean_width(how) > 0;
        Json arrival = {
            {"pattern", how.size() > 1 ? models::to_string(how) : std::string(how.front().pattern->name)}};
        if (has_width && how.size() == 1) {
            arrival["width"] = how.front().width;
        }
        if (has_width) {
            arrival["unit_us"] = us(r.arrival_unit);
        }
        if (!g.arrival->recorded.delays.empty()) {
            arrival["recorded"] = g.arrival->recorded.name;
        }
        return arrival;
    }
    static Json parameters_of(const GroupSpec& g, const std::vector<double>& parameters) {
        Json json = Json::object();
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            json[g.pattern->parameters[i].name] = parameters[i];
        }
        return json;
    }
    static Json pairs_of(const GroupSpec& g) {
        Json json = Json::array();
        for (const Pair& pair : g.pairs) {
            json.push_back({pair.root, pair.peer});
        }
        return json;
    }
    static Json counters(const Retransmits& r) {
        return {{"retransmits", r.segments}, {"time_outs", r.time_outs}};
    }
    static void add_id(Json& line, const std::string& id) {
        if (!id.empty()) {
            line["id"] = Json::parse(id);
        }
    }

    static Json distribution_of(const std::vector<double>& sorted) {
        const models::Histogram h = models::histogram(sorted, 20);
        const models::Tail tail = models::tail_of(sorted);
        Json shares = Json::object();
        for (std::size_t i = 0; i < models::far_factors.size(); ++i) {
            shares[fmt::format("{:g}", models::far_factors[i])] = tail.shares_beyond[i];
        }
        const std::optional<models::LogNormal> fit = models::fit_log_normal(sorted);
        return {{"histogram",
                 {{"first_edge_us", us(h.first_edge)},
                  {"bin_width_us", us(h.bin_width)},
                  {"counts", h.counts},
                  {"beyond", h.beyond}}},
                {"shares_beyond_times_min", shares},
                {"like_time_outs", tail.time_outs},
                {"log_normal", fit ? Json{{"shift_us", us(fit->shift)},
                                          {"median_above_us", us(fit->median)},
                                          {"sigma", fit->sigma},
                                          {"distance", fit->distance}}
                                   : Json()}};
    }

    void add_summary(Json& line, const CaseResult& r) const {
        const std::vector<double> seconds = seconds_of(r);
        const models::Summary s = models::summarize(seconds);
        line.update({{"ended", models::to_string(r.ended)},
                     {"precision", r.precision},
                     {"n", s.count},
                     {"median_us", us(s.median)},
                     {"interval_us", {us(s.median_interval.low), us(s.median_interval.high)}},
                     {"mean_us", us(s.mean)},
                     {"trimmed_mean_us", us(s.trimmed_mean)},
                     {"standard_deviation_us", us(s.standard_deviation)},
                     {"min_us", us(s.min)},
                     {"p5_us", us(s.p5)},
                     {"p25_us", us(s.p25)},
                     {"p75_us", us(s.p75)},
                     {"p95_us", us(s.p95)},
                     {"p99_us", us(s.p99)},
                     {"max_us", us(s.max)},
                     {"outliers", s.outliers},
                     {"tcp_retransmits", r.retransmits.segments},
                     {"tcp_time_outs", r.retransmits.time_outs}});
        std::vector<double> sorted = seconds;
        std::sort(sorted.begin(), sorted.end());
        line.update(distribution_of(sorted));
        for (const ProcessSet& set : sets_) {
            Json of_set = {{"ranks", set.ranks}};
            const std::vector<double> finishes = sorted_finishes(r, set);
            of_set.update({{"median_us", us(models::median(finishes))},
                           {"min_us", us(finishes.front())},
                           {"max_us", us(finishes.back())}});
            of_set.update(distribution_of(finishes));
            line["processes"].push_back(of_set);
        }
        if (const std::optional<double> skew = median_start_skew(r)) {
            line["start_skew_us"] = us(*skew);
        }
        if (const std::optional<Drift> drift = drift_of(r)) {
            line.update({{"drift", drift->change}, {"is_drifting", drift->is_clear}});
        }
        line["samples_us"] = rounded_us(seconds);
        if (const std::vector<double> finishes = median_finish_of_ranks(r); !finishes.empty()) {
            line["rank_finish_us"] = rounded_us(finishes);
        }
        if (with_ranks_) {
            line["start_of_ranks_us"] = times_of_ranks(r, &Repetition::start_of_rank);
            line["finish_of_ranks_us"] = times_of_ranks(r, &Repetition::finish_of_rank);
        }
    }

    static Json rounded_us(const std::vector<double>& seconds) {
        Json list = Json::array();
        for (const double time : seconds) {
            list.push_back(std::round(1e9 * time) / 1e3);
        }
        return list;
    }
    static Json times_of_ranks(const CaseResult& r, std::vector<double> Repetition::*of_rank) {
        Json all = Json::array();
        for (const Repetition& repetition : r.repetitions) {
            all.push_back(rounded_us(repetition.*of_rank));
        }
        return all;
    }

    bool with_ranks_;
    std::vector<ProcessSet> sets_;
    EagerLimits limits_;
};

}  // namespace

std::unique_ptr<Printer> json_printer(bool with_ranks, std::vector<ProcessSet> sets) {
    return std::make_unique<JsonLines>(with_ranks, std::move(sets));
}

}  // namespace bench
