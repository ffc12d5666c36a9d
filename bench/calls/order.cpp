// SPDX-License-Identifier: MIT
#include "order.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace bench {

namespace {

constexpr const char* order_names[] = {"random", "pairs"};

bool is_at_limit(models::Ended ended) {
    return ended == models::Ended::repetitions || ended == models::Ended::time;
}

}  // namespace

const char* to_string(Order order) {
    return order_names[static_cast<std::size_t>(order)];
}

Order order_named(const std::string& name) {
    for (const Order order : {Order::random, Order::pairs}) {
        if (name == to_string(order)) {
            return order;
        }
    }
    throw std::invalid_argument("order of repetitions: expected 'random' or 'pairs', got '" + name + "'");
}

std::vector<std::size_t> in_random_order(const std::vector<std::size_t>& repetitions,
                                         std::mt19937_64& random) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < repetitions.size(); ++i) {
        order.insert(order.end(), repetitions[i], i);
    }
    std::shuffle(order.begin(), order.end(), random);
    return order;
}

std::vector<std::size_t> in_pairs(std::size_t pairs, std::mt19937_64& random) {
    std::vector<std::size_t> order;
    for (std::size_t block = 0; block < (pairs + 1) / 2; ++block) {
        const std::size_t first = random() >> 63;
        order.insert(order.end(), {first, 1 - first, 1 - first, first});
    }
    return order;
}

models::Ended end_in_pair(models::Ended own, models::Ended partner) {
    if (is_at_limit(partner) && own == models::Ended::not_yet) {
        return partner;
    }
    const bool are_both_precise = own == models::Ended::precise && partner == models::Ended::precise;
    return is_at_limit(own) || is_at_limit(partner) || are_both_precise ? own : models::Ended::not_yet;
}

}  // namespace bench
