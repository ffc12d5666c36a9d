// SPDX-License-Identifier: MIT
// Exchanges of messages between two ranks, as the benchmark has them, played on a platform.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "player.hpp"

namespace tuner {

struct ExchangeCall {
    std::string name;  // ping_pong
    std::string way;   // send
    std::string link;  // within or between (nodes); empty: between, if there are several nodes
    std::size_t bytes = 0;
    std::map<std::string, double> parameters;  // those that are given; the answer has all
};

struct ExchangeTime {
    ExchangeCall call;  // with its link and all parameters
    double seconds = 0;
    double messages = 0;  // of one repetition, for rates
};

std::vector<std::string> names_of_exchanges();
bool is_exchange(const std::string& name);
// Throws an Error for what cannot be simulated
ExchangeTime play_exchange(const SimulatedJob& job, ExchangeCall call);

}  // namespace tuner
