// SPDX-License-Identifier: MIT
#include "simulated_benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "error.hpp"
#include "planned_collective.hpp"
#include "simulated_exchange.hpp"
#include "statistics.hpp"
#include "stopping.hpp"
#include "thresholds.hpp"

namespace tuner {

namespace {

constexpr const char* default_name = "default";
constexpr double microsecond = 1e-6;

const std::vector<std::string> known_keys = {"id",
                                             "collective",
                                             "bytes",
                                             "algorithms",
                                             "datatype",
                                             "operation",
                                             "root",
                                             "in_place",
                                             "order",
                                             "link",
                                             "parameters",
                                             "precision",
                                             "race",  // every case is repeated until it is precise
                                             "warm_up",
                                             "seed",
                                             "calls_in_a_row",
                                             "ranks",
                                             "max_seconds",
                                             "min_repetitions",
                                             "max_repetitions",
                                             "check_results"};

void require_known_keys(const Json& request) {
    for (const auto& [key, value] : request.items()) {
        if (std::find(known_keys.begin(), known_keys.end(), key) == known_keys.end()) {
            throw usage_error("'" + key + "' cannot be simulated; " + suggestion(key, known_keys));
        }
    }
}

PlannedCollective planned_from(const Json& request) {
    PlannedCollective collective;
    collective.name = request.at("collective").get<std::string>();
    collective.datatype = request.value("datatype", "byte");
    return collective;
}

std::string modelled(const std::string& collective) {
    return std::string(models::modelled_as(collective));
}

// What identifies a case, for its noise
std::uint64_t seed_of(const Json& line, std::uint64_t seed) {
    const std::string text = line.at("collective").get<std::string>() + "/" +
                             line.at("algorithm").get<std::string>() + "/" + line.at("bytes").dump();
    std::uint64_t hash = 1469598103934665603U ^ seed;  // FNV-1a
    for (const unsigned char c : text) {
        hash = (hash ^ c) * 1099511628211U;
    }
    return hash;
}

void add_to(models::Schedule& all, const models::Schedule& part, int times = 1) {
    for (int i = 0; i < times; ++i) {
        all.insert(all.end(), part.begin(), part.end());
    }
}

double rounded_us(double seconds) {
    return std::round(1e9 * seconds) / 1e3;
}

}  // namespace

SimulatedBenchmark::SimulatedBenchmark(const SimulatedPlatform& platform,
                                       const std::vector<std::string>& hosts, const Layout& layout)
    : layout_(layout), hosts_(hosts) {
    if (static_cast<int>(hosts.size()) != layout.nodes) {
        throw usage_error(fmt::format("the layout {} needs {} hosts, not {}", to_string(layout), layout.nodes,
                                      hosts.size()));
    }
    for (const std::string& host : hosts) {
        job_.hosts.push_back(platform.host(host));
    }
    job_.layout = placement_of(layout);
    job_.machine = platform.machine();
}

void SimulatedBenchmark::set_machine(const SimulatedMachine& machine) {
    job_.machine = machine;
    times_.clear();
}

Json SimulatedBenchmark::header() const {
    Json node_of_rank = Json::array();
    for (const int node : job_.layout.node_of_rank) {
        node_of_rank.push_back(hosts_[static_cast<std::size_t>(node)]);
    }
    return {{"type", "header"},
            {"version", 1},
            {"library", "Simulated MPICH 4.0.2, SimGrid " + simgrid_version()},
            {"device", "simulated"},
            {"simulated", true},
            {"tuning_file", nullptr},
            {"tuning_file_problem", nullptr},
            {"can_switch", true},
            {"ranks", layout_.ranks()},
            {"nodes", hosts_},
            {"node_of_rank", node_of_rank},
            {"machines", layout_.nodes},
            {"clock", "simulated"},
            {"sync", "simulated"},
            {"sync_error_us", 0},
            {"start", "simulated"},
            {"network",
             {{"evidence", "library"}, {"library", "simulated by SimGrid"}, {"nodes", Json::array()}}}};
}

std::vector<std::string> SimulatedBenchmark::algorithms_of(const std::string& collective) {
    std::vector<std::string> names;
    for (const models::Algorithm& algorithm : models::algorithms()) {
        if (models::is_for(algorithm, collective)) {
            names.emplace_back(algorithm.name);
        }
    }
    return names;
}

// As MPICH does, one that cannot run is replaced: by the first of the table, which always can
const models::Algorithm* SimulatedBenchmark::chosen(const Call& call, const models::Call& of_model,
                                                    std::string& refused) const {
    const std::string collective = modelled(call.collective);
    if (call.algorithm != default_name) {
        const models::Algorithm* const named = models::find_algorithm(collective, call.algorithm);
        if (named == nullptr) {
            throw usage_error(fmt::format("there is no schedule of {} {}; {}", call.collective,
                                          call.algorithm,
                                          suggestion(call.algorithm, algorithms_of(call.collective))));
        }
        if (!models::is_allowed(*named, of_model)) {
            refused = "a precondition of the algorithm does not hold";
        }
        return named;
    }
    const std::string choice = default_choice(call.collective, layout_, call.bytes).value_or("");
    const models::Algorithm* const preferred = models::find_algorithm(collective, choice);
    if (preferred != nullptr && models::is_allowed(*preferred, of_model)) {
        return preferred;
    }
    for (const models::Algorithm& algorithm : models::algorithms()) {
        if (algorithm.collective == collective && models::is_allowed(algorithm, of_model)) {
            return &algorithm;
        }
    }
    throw usage_error("there is no schedule of " + call.collective);
}

const SimulatedBenchmark::Time& SimulatedBenchmark::time_of(const Call& call, Pace pace) {
    const models::Call of_model{&job_.layout, call.bytes,
                                call.root,    std::max<std::size_t>(1, call.element_bytes),
                                true,         call.in_place};
    Time time;
    const models::Algorithm* const algorithm = chosen(call, of_model, time.refused);
    time.used = algorithm->name;
    const auto [known, is_new] =
        times_.try_emplace({call.collective, time.used, call.bytes, call.element_bytes, call.root,
                            call.in_place, call.calls_in_a_row, pace},
                           time);
    if (is_new && time.refused.empty()) {
        models::Schedule all;
        add_to(all, algorithm->schedule(of_model), call.calls_in_a_row);
        Timed timed;
        if (job_.machine.starts_after_barrier && pace == Pace::free) {
            const models::Schedule barrier =
                models::find_algorithm("barrier", "dissemination")->schedule(of_model);
            models::Schedule repetition = barrier;
            add_to(repetition, all);
            timed.first = repetition.size() + barrier.size();
            timed.end = 2 * repetition.size();
            add_to(repetition, models::Schedule(repetition));
            add_to(repetition, barrier);
            all = std::move(repetition);
        }
        known->second.played = play(job_, all, pace, timed);
        known->second.played.seconds /= call.calls_in_a_row;
    }
    return known->second;
}

// As many as the request asks for, until the median is precise
void SimulatedBenchmark::add_samples(Json& line, double seconds, const Json& request) {
    models::Limits limits;
    limits.min_repetitions = request.value("min_repetitions", limits.min_repetitions);
    limits.max_repetitions = request.value("max_repetitions", limits.max_repetitions);
    limits.max_seconds = request.value("max_seconds", limits.max_seconds);
    models::Stopping stopping(models::median_rule(request.value("precision", 0.02)), limits);
    NoisyTimes times(job_.machine.noise, seed_of(line, request.value("seed", std::uint64_t{1})));
    double spent = 0;
    std::vector<double> samples;
    while (stopping.ended() == models::Ended::not_yet) {
        samples.push_back(times.next(seconds, measured_seconds_ + spent));
        spent += samples.back();
        stopping.add(samples.back(), spent);
    }
    measured_seconds_ += spent;
    Json& list = line["samples_us"] = Json::array();
    for (const double sample : samples) {
        list.push_back(rounded_us(sample));
    }
    std::sort(samples.begin(), samples.end());
    line["median_us"] = models::median(samples) / microsecond;
    line["n"] = samples.size();
    line["seconds"] = spent;
    line["ended"] = models::to_string(stopping.ended());
    line["precision"] = number_or_null(stopping.precision());
}

Json SimulatedBenchmark::case_of_collective(const Json& request, const std::string& algorithm,
                                            std::size_t bytes) {
    const PlannedCollective collective = planned_from(request);
    const models::Collective& row = *known_collective(collective.name).row;
    const Json root = request.value("root", Json(0));
    const Call call{collective.name,
                    algorithm,
                    bytes,
                    element_bytes(collective),
                    root.is_number() ? root.get<int>() : 0,
                    request.value("in_place", false),
                    std::max(1, request.value("calls_in_a_row", 1))};
    if (call.root < 0 || call.root >= layout_.ranks()) {
        throw usage_error(fmt::format("the root {} is not one of the {} ranks", call.root, layout_.ranks()));
    }
    const Time& time = time_of(call);
    Json line = {{"type", "case"},
                 {"collective", collective.name},
                 {"algorithm", algorithm},
                 {"bytes", bytes},
                 {"datatype", collective.datatype},
                 {"operation", row.combines ? Json(request.value("operation", "sum")) : Json()},
                 {"root", row.has_root ? root : Json()},
                 {"in_place", call.in_place}};
    if (call.calls_in_a_row > 1) {
        line["calls_in_a_row"] = call.calls_in_a_row;
    }
    line.update({{"status", time.refused.empty() ? "measured" : "refused"}, {"invalid", 0}, {"seconds", 0}});
    if (!time.refused.empty()) {
        line["reason"] = time.refused;
        return line;
    }
    line["used"] = time.used;
    add_samples(line, time.played.seconds, request);
    if (request.value("ranks", false)) {
        for (const double finish : time.played.finish_of_ranks) {
            line["rank_finish_us"].push_back(rounded_us(finish / call.calls_in_a_row));
        }
    }
    return line;
}

Json SimulatedBenchmark::case_of_exchange(const Json& request, const std::string& way, std::size_t bytes) {
    ExchangeCall call;
    call.name = request.at("collective").get<std::string>();
    call.way = way;
    call.link = request.value("link", "");
    call.bytes = bytes;
    call.parameters = request.value("parameters", std::map<std::string, double>());
    const ExchangeTime time = play_exchange(job_, call);
    Json line = {{"type", "case"},
                 {"collective", call.name},
                 {"algorithm", way},
                 {"bytes", bytes},
                 {"datatype", "byte"},
                 {"operation", nullptr},
                 {"root", 0},
                 {"in_place", false},
                 {"link", time.call.link},
                 {"parameters", time.call.parameters},
                 {"status", "measured"},
                 {"invalid", 0},
                 {"seconds", 0}};
    add_samples(line, time.seconds, request);
    const double median = microsecond * line.at("median_us").get<double>();
    if (call.name == "ping_pong") {
        line["half_us"] = median / 2 / microsecond;
    }
    line["messages_per_s"] = time.messages / median;
    line["megabytes_per_s"] = 1e-6 * time.messages * static_cast<double>(bytes) / median;
    return line;
}

std::vector<Json> SimulatedBenchmark::answer(const Json& request) {
    require_known_keys(request);
    const auto name = request.at("collective").get<std::string>();
    const bool is_of_two = is_exchange(name);
    if (!is_of_two && algorithms_of(name).empty()) {
        throw usage_error(
            fmt::format("{} cannot be simulated; there are schedules of the blocking collectives, "
                        "and {}",
                        name, fmt::join(names_of_exchanges(), ", ")));
    }
    auto algorithms = request.at("algorithms").get<std::vector<std::string>>();
    if (algorithms == std::vector<std::string>{"all"} && !is_of_two) {
        algorithms = algorithms_of(name);
        algorithms.insert(algorithms.begin(), default_name);
    }
    std::vector<Json> lines;
    for (const Json& size : request.at("bytes")) {
        for (const std::string& algorithm : algorithms) {
            const std::size_t bytes = whole_number(size);
            lines.push_back(is_of_two ? case_of_exchange(request, algorithm, bytes)
                                      : case_of_collective(request, algorithm, bytes));
        }
    }
    return lines;
}

}  // namespace tuner
