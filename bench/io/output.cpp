// SPDX-License-Identifier: MIT
#include "output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <nlohmann/json.hpp>

#include "derived.hpp"
#include "log_normal.hpp"
#include "statistics.hpp"
#include "tails.hpp"

namespace bench {

namespace {

using Json = nlohmann::ordered_json;

constexpr int protocol_version = 1;

void write_line(std::string line) {
    line += '\n';
    std::size_t written = 0;
    while (written < line.size()) {
        const ssize_t n = write(STDOUT_FILENO, line.data() + written, line.size() - written);
        if (n < 0 && errno != EINTR) {
            return;  // nobody reads any more
        }
        written += n > 0 ? static_cast<std::size_t>(n) : 0;
    }
}

double us(double seconds) {
    return 1e6 * seconds;
}

std::vector<double> seconds_of(const CaseResult& result) {
    std::vector<double> seconds;
    for (const Repetition& repetition : result.repetitions) {
        seconds.push_back(repetition.seconds);
    }
    return seconds;
}

// The median of each rank's finishes since the common start, in seconds; empty if they were not kept
std::vector<double> median_finishes(const CaseResult& result) {
    std::vector<double> medians;
    for (std::size_t rank = 0; rank < result.repetitions.front().finish_of_rank.size(); ++rank) {
        std::vector<double> finishes;
        for (const Repetition& repetition : result.repetitions) {
            finishes.push_back(repetition.finish_of_rank[rank]);
        }
        std::sort(finishes.begin(), finishes.end());
        medians.push_back(models::median(finishes));
    }
    return medians;
}

// In microseconds, with spaces between
std::string finish_of_ranks(const CaseResult& result) {
    std::string text;
    for (const double seconds : median_finishes(result)) {
        text += fmt::format("{}{:.2f}", text.empty() ? "" : " ", us(seconds));
    }
    return text;
}

std::string text_of(const NetworkUse& use) {
    switch (use.evidence) {
        case Evidence::one_node:
            return "all ranks are on one node";
        case Evidence::unknown:
            return "unknown";
        case Evidence::library:
            return fmt::format("by the library's own word {}", use.stated_by_library);
        default:
            break;
    }
    std::string nodes;
    for (const NodeNetwork& node : use.nodes) {
        nodes += fmt::format("{}{} {} {}", nodes.empty() ? "" : ", ", node.node,
                             fmt::join(node.interfaces, "+"), fmt::join(node.addresses, "+"));
    }
    const bool is_loopback = std::any_of(use.nodes.begin(), use.nodes.end(),
                                         [](const NodeNetwork& node) { return node.is_loopback; });
    return nodes +
           (is_loopback ? " (by its sockets; through the loopback of this machine)" : " (by its sockets)");
}

std::string text_of(const models::Tail& tail) {
    std::string text = fmt::format("min {:.2f}, median {:.2f}, 99% {:.2f}, max {:.2f} us; beyond",
                                   us(tail.min), us(tail.median), us(tail.p99), us(tail.max));
    for (std::size_t i = 0; i < models::far_factors.size(); ++i) {
        text += fmt::format("{} {:g} x min {:.1f}%", i == 0 ? "" : ",", models::far_factors[i],
                            100 * tail.shares_beyond[i]);
    }
    return text;
}

// For people: how the results were made
void write_comments(const Header& h) {
    std::string nodes;
    for (std::size_t n = 0; n < h.placement.nodes.size(); ++n) {
        nodes += fmt::format("{}{}:{}", n ? "," : "", h.placement.nodes[n], h.placement.ranks_on_node[n]);
    }
    write_line(fmt::format("# {}", h.command_line));
    write_line(fmt::format("# {}", h.mpi_library));
    write_line(fmt::format("# {} ranks on {} nodes ({}); {} cores, {}", h.ranks, h.placement.nodes.size(),
                           nodes, h.placement.cores, h.placement.cpu));
    write_line(fmt::format(
        "# clock {}: resolution {:.0f} ns, read {:.0f} ns; synchronised: {}, {} rounds, error {:.2f} us "
        "(round trip {:.1f} us)",
        h.clock, 1e9 * h.clock_quality.resolution, 1e9 * h.clock_quality.call_cost, h.sync, h.sync_rounds,
        us(h.sync_residual.error), us(h.sync_residual.round_trip)));
    if (h.start == StartMode::window) {
        write_line(fmt::format("# start: {}, late from {:.1f} us on; seed {}", to_string(h.start),
                               us(h.start_tolerance), h.seed));
    } else {
        write_line(fmt::format("# start: {}; seed {}", to_string(h.start), h.seed));
    }
    write_line("# network: " + text_of(h.network));
    if (h.placement.most_ranks_on_a_machine > h.placement.cores) {
        write_line("# more ranks than cores: times include waiting for a core");
    }
}

void write_comment(const Retransmits& before, const Retransmits& after) {
    write_line(fmt::format(
        "# TCP segments sent again: {} before, {} after; after a time-out: {}, {}{}", before.segments,
        after.segments, before.time_outs, after.time_outs,
        after.time_outs > before.time_outs ? "; a maximum of 200 ms and more is such a time-out" : ""));
}

void write_comment(const EagerLimits& limits) {
    for (const EagerLimits::Limit& limit : limits.found()) {
        write_line(
            fmt::format("# eager limit by {} {}: between {} and {} bytes, where the availability falls from "
                        "{:.2f} to {:.2f}",
                        limit.pattern, limit.algorithm, limit.fall.before.bytes, limit.fall.after.bytes,
                        limit.fall.before.availability, limit.fall.after.availability));
    }
}

class Table : public Printer {
  public:
    Table(bool with_ranks, std::vector<ProcessSet> sets) : with_ranks_(with_ranks), sets_(std::move(sets)) {}

    void header(const Header& h) override { write_comments(h); }

    void group(const GroupSpec& g, const std::vector<CaseResult>& results, const std::string&) override {
        if (last_ != g.pattern) {
            write_line(fmt::format("# {}: size is {}", g.pattern->name, g.pattern->size_meaning));
            std::string more;
            for (const std::string& name : derived_names(*g.pattern)) {
                more += fmt::format(" {:>16}", name);
            }
            write_line(fmt::format("{:>10}  {:<38} {:>11} {:>7} {:>11} {:>11} {:>11} {:>6} {:>7}{}", "size",
                                   "algorithm", "median us", "+-%", "min us", "95% us", "max us", "n",
                                   "invalid", more));
            last_ = g.pattern;
        }
        double best = std::numeric_limits<double>::infinity();
        for (const CaseResult& r : results) {
            if (!r.repetitions.empty()) {
                best = std::min(best, models::summarize(seconds_of(r)).median);
            }
        }
        for (const CaseResult& r : results) {
            const bool is_told = r.used_algorithm.empty() || r.used_algorithm == r.algorithm;
            const std::string name = is_told ? r.algorithm : r.algorithm + " (" + r.used_algorithm + ")";
            if (r.status != Status::measured || r.repetitions.empty()) {
                const std::string why =
                    r.status != Status::measured
                        ? fmt::format("{}: {}", to_string(r.status), r.reason)
                        : fmt::format("no repetition of {} was valid; use --start barrier", r.invalid);
                write_line(fmt::format("{:>10}  {:<38} {}", g.bytes, name, why));
                continue;
            }
            const models::Summary s = models::summarize(seconds_of(r));
            const double width = models::relative_half_width(s.median_interval, s.median);
            std::string mark = s.median == best ? "<" : "";
            if (r.ended != models::Ended::precise) {
                mark += "!";
                doubtful_ = true;
            }
            std::string more;
            for (const Derived& d : derived(g, r)) {
                more += fmt::format(" {:>16.2f}", d.value);
            }
            limits_.add(g, r);
            write_line(fmt::format(
                "{:>10}  {:<38} {:>11.2f} {:>7.1f} {:>11.2f} {:>11.2f} {:>11.2f} {:>6} {:>7}{}  {}", g.bytes,
                name, us(s.median), 100 * width, us(s.min), us(s.p95), us(s.max), s.count, r.invalid, more,
                mark));
            if (with_ranks_) {
                write_line(fmt::format("{:>12}finish of ranks, median us: {}", "", finish_of_ranks(r)));
            }
            for (const ProcessSet& set : sets_) {
                write_line(fmt::format("{:>12}ranks {}: {}", "", set.name,
                                       text_of(models::tail_of(sorted_finishes(r, set)))));
            }
        }
    }

    void overlap(const GroupSpec& g, const std::vector<AlgorithmOverlap>& results,
                 const std::string&) override {
        if (last_ != g.pattern) {
            write_line(
                fmt::format("# {}: size is {}; blocking: started and waited for; overhead: of the processor",
                            g.pattern->name, g.pattern->size_meaning));
            write_line(fmt::format("{:>10}  {:<38} {:>6} {:>6} {:>12} {:>12} {:>9}", "size", "algorithm",
                                   "by", "tests", "blocking us", "overhead us", "overlap"));
            last_ = g.pattern;
        }
        for (const AlgorithmOverlap& r : results) {
            if (std::isnan(r.blocking_seconds)) {
                write_problem(g, r.blocking);
            }
            for (const Overlap& o : r.overlaps) {
                if (std::isnan(o.overhead_seconds)) {
                    write_problem(g, o.result);
                    continue;
                }
                write_line(fmt::format("{:>10}  {:<38} {:>6} {:>6} {:>12.2f} {:>12.2f} {:>8.0f}%{}", g.bytes,
                                       r.blocking.algorithm, to_string(o.scheme), o.tests,
                                       us(r.blocking_seconds), us(o.overhead_seconds), 100 * o.overlap,
                                       o.is_best ? "  <" : ""));
            }
        }
    }
    void error(const std::string& message, const std::string&) override {
        fmt::print(stderr, "Error: {}\n", message);
    }
    void done(const std::string&) override {}
    void end(const Retransmits& before, const Retransmits& after) override {
        write_line("# < best of this size");
        if (doubtful_) {
            write_line(
                "# ! not as precise as wanted; raise --max-seconds or --max-repetitions, or --precision");
        }
        write_comment(limits_);
        write_comment(before, after);
    }

  private:
    static void write_problem(const GroupSpec& g, const CaseResult& r) {
        write_line(fmt::format("{:>10}  {:<38} {}", g.bytes, r.algorithm,
                               r.reason.empty() ? "no valid repetition" : r.reason));
    }

    bool with_ranks_;
    std::vector<ProcessSet> sets_;
    const Pattern* last_ = nullptr;
    bool doubtful_ = false;
    EagerLimits limits_;
};

Json to_json(const NetworkUse& use) {
    Json nodes = Json::array();
    for (const NodeNetwork& node : use.nodes) {
        nodes.push_back({{"node", node.node},
                         {"interfaces", node.interfaces},
                         {"addresses", node.addresses},
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
        write_line(Json{{"type", "header"},
                        {"version", protocol_version},
                        {"command_line", h.command_line},
                        {"library", h.mpi_library},
                        {"device", h.device.empty() ? Json() : Json(h.device)},
                        {"tuning_file", h.tuning_file.empty() ? Json() : Json(h.tuning_file)},
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
        line["invalid"] = r.invalid;
        line["seconds"] = r.seconds;
        if (r.status == Status::measured && !r.repetitions.empty()) {
            add_summary(line, r);
            for (const Derived& d : derived(g, r)) {
                line[d.name] = d.value;
            }
            limits_.add(g, r);
        }
        return line;
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
        line["samples_us"] = rounded_us(seconds);
        if (const std::vector<double> finishes = median_finishes(r); !finishes.empty()) {
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

class Csv : public Printer {
  public:
    explicit Csv(bool with_ranks) : with_ranks_(with_ranks) {}

    void header(const Header& h) override { write_comments(h); }
    void group(const GroupSpec& g, const std::vector<CaseResult>& results, const std::string&) override {
        const std::vector<std::string> more = derived_names(*g.pattern);
        if (!has_names_) {
            has_names_ = true;
            write_line(fmt::format(
                "collective,algorithm,used,bytes,status,ended,n,invalid,median_us,low_us,high_us,mean_us,"
                "min_us,p95_us,max_us{}{}{}",
                more.empty() ? "" : ",", fmt::join(more, ","), with_ranks_ ? ",finish_of_ranks_us" : ""));
        }
        for (const CaseResult& r : results) {
            const std::string start = fmt::format(
                "{},{},{},{},{},{},{},{}", g.pattern->name, r.algorithm, r.used_algorithm, g.bytes,
                to_string(r.status), models::to_string(r.ended), r.repetitions.size(), r.invalid);
            if (r.repetitions.empty()) {
                write_line(start + ",,,,,,," + std::string(more.size(), ',') + (with_ranks_ ? "," : ""));
                continue;
            }
            std::string values;
            for (const Derived& d : derived(g, r)) {
                values += fmt::format(",{:.3f}", d.value);
            }
            limits_.add(g, r);
            const models::Summary s = models::summarize(seconds_of(r));
            write_line(fmt::format("{},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f}{}{}", start,
                                   us(s.median), us(s.median_interval.low), us(s.median_interval.high),
                                   us(s.mean), us(s.min), us(s.p95), us(s.max), values,
                                   with_ranks_ ? "," + finish_of_ranks(r) : ""));
        }
    }
    void overlap(const GroupSpec& g, const std::vector<AlgorithmOverlap>& results,
                 const std::string&) override {
        if (!has_overlap_header_) {
            write_line(
                "collective,algorithm,bytes,scheme,test_interval,tests,blocking_us,overhead_us,overlap,best,"
                "status");
            has_overlap_header_ = true;
        }
        for (const AlgorithmOverlap& r : results) {
            if (std::isnan(r.blocking_seconds)) {
                write_line(fmt::format("{},{},{},,,,,,,,{}", g.pattern->name, r.blocking.algorithm, g.bytes,
                                       to_string(r.blocking.status)));
            }
            for (const Overlap& o : r.overlaps) {
                const std::string times =
                    std::isnan(o.overhead_seconds)
                        ? ",,"
                        : fmt::format("{:.3f},{:.4f},{}", us(o.overhead_seconds), o.overlap, int{o.is_best});
                write_line(fmt::format("{},{},{},{},{},{},{:.3f},{},{}", g.pattern->name,
                                       r.blocking.algorithm, g.bytes, to_string(o.scheme), o.interval,
                                       o.tests, us(r.blocking_seconds), times, to_string(o.result.status)));
            }
        }
    }
    void error(const std::string& message, const std::string&) override {
        fmt::print(stderr, "Error: {}\n", message);
    }
    void done(const std::string&) override {}
    void end(const Retransmits& before, const Retransmits& after) override {
        write_comment(limits_);
        write_comment(before, after);
    }

  private:
    bool with_ranks_;
    bool has_names_ = false;
    EagerLimits limits_;
    bool has_overlap_header_ = false;
};

}  // namespace

std::unique_ptr<Printer> table_printer(bool with_ranks, std::vector<ProcessSet> sets) {
    return std::make_unique<Table>(with_ranks, std::move(sets));
}

std::unique_ptr<Printer> json_printer(bool with_ranks, std::vector<ProcessSet> sets) {
    return std::make_unique<JsonLines>(with_ranks, std::move(sets));
}

std::unique_ptr<Printer> csv_printer(bool with_ranks) {
    return std::make_unique<Csv>(with_ranks);
}

}  // namespace bench
