// SPDX-License-Identifier: MIT
#include "simulated_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "checked_json.hpp"
#include "error.hpp"

namespace tuner {

namespace {

constexpr int root = 0;

// The first rank on the root's node, or on another one
int peer_of(const SimulatedJob& job, const std::string& link) {
    const std::vector<int>& nodes = job.layout.node_of_rank;
    for (std::size_t rank = 1; rank < nodes.size(); ++rank) {
        if ((nodes[rank] == nodes[root]) == (link == "within")) {
            return static_cast<int>(rank);
        }
    }
    throw usage_error(fmt::format("no two ranks are {}; use another layout",
                                  link == "within" ? "on one node" : "on different nodes"));
}

models::Phase messages(int count, int from, int to, std::size_t bytes) {
    return {count, [=](int, models::Round& round) { round.send(from, to, models::Piece{0, bytes}); }};
}

double ping_pong(SimulatedJob& job, const ExchangeCall& call, int peer) {
    const auto count = static_cast<int>(call.parameters.at("messages"));
    const double pause = 1e-6 * call.parameters.at("delay_us");
    job.pauses.assign(static_cast<std::size_t>(job.layout.ranks()), 0);
    job.pauses[root] = pause;
    const Played played =
        play(job, {messages(count, root, peer, call.bytes), messages(1, peer, root, call.bytes)});
    return played.seconds - pause;  // there is none before the first message
}

double one_way(SimulatedJob& job, const ExchangeCall& call, int peer) {
    return play(job, {messages(1, root, peer, call.bytes)}).seconds;
}

double receive_call(SimulatedJob& job, const ExchangeCall&, int) {
    constexpr double least = 1e-9;  // nothing takes no time
    return std::max(least, job.machine.receive_overhead_seconds);
}

// A window of messages at the same time, and an empty answer
double bandwidth(SimulatedJob& job, const ExchangeCall& call, int peer) {
    const auto window = static_cast<int>(call.parameters.at("window"));
    const bool is_both = call.way == "both_directions";
    const models::Phase all = {1, [=, bytes = call.bytes](int, models::Round& round) {
                                   for (int i = 0; i < window; ++i) {
                                       round.send(root, peer, models::Piece{0, bytes});
                                       if (is_both) {
                                           round.send(peer, root, models::Piece{0, bytes});
                                       }
                                   }
                               }};
    return play(job, {all, messages(1, peer, root, 0)}).seconds;
}

double messages_of(const ExchangeCall& call) {
    const auto number = [&](const char* name) {
        const auto found = call.parameters.find(name);
        return found == call.parameters.end() ? 0 : found->second;
    };
    return number("messages") > 0 ? number("messages") + 1
                                  : std::max(1.0, number("window")) * (call.way == "both_directions" ? 2 : 1);
}

struct Row {
    const char* name;
    std::vector<std::string> ways;
    std::map<std::string, double> parameters;
    double (*seconds)(SimulatedJob& job, const ExchangeCall& call, int peer);
};

const std::array<Row, 4>& rows() {
    static const std::array<Row, 4> all = {
        Row{"ping_pong", {"send"}, {{"messages", 1}, {"delay_us", 0}, {"round_trips", 1}}, ping_pong},
        Row{"one_way", {"send"}, {}, one_way},
        Row{"receive_call", {"recv"}, {{"delay_us", 1000}}, receive_call},
        Row{"bandwidth", {"one_direction", "both_directions"}, {{"window", 64}}, bandwidth},
    };
    return all;
}

const Row* find_row(const std::string& name) {
    const auto found =
        std::find_if(rows().begin(), rows().end(), [&](const Row& row) { return row.name == name; });
    return found == rows().end() ? nullptr : &*found;
}

}  // namespace

std::vector<std::string> names_of_exchanges() {
    std::vector<std::string> names;
    for (const Row& row : rows()) {
        names.emplace_back(row.name);
    }
    return names;
}

bool is_exchange(const std::string& name) {
    return find_row(name) != nullptr;
}

ExchangeTime play_exchange(const SimulatedJob& job, ExchangeCall call) {
    const Row& row = *find_row(call.name);
    if (std::find(row.ways.begin(), row.ways.end(), call.way) == row.ways.end()) {
        throw usage_error(fmt::format("{} cannot be simulated with '{}'; {}", call.name, call.way,
                                      suggestion(call.way, row.ways)));
    }
    if (call.link.empty()) {
        call.link = job.layout.nodes > 1 ? "between" : "within";
    }
    for (const auto& [name, value] : row.parameters) {
        call.parameters.emplace(name, value);
    }
    for (const auto& [name, value] : call.parameters) {
        if (!row.parameters.contains(name) || !(value >= 0 && value < 1e9)) {
            throw usage_error(fmt::format("{} has no parameter {} of {}", call.name, name, value));
        }
    }
    const int peer = peer_of(job, call.link);
    SimulatedJob of_two = job;
    const double seconds = row.seconds(of_two, call, peer);
    const double messages = messages_of(call);
    return {std::move(call), seconds, messages};
}

}  // namespace tuner
