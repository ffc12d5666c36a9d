// SPDX-License-Identifier: MIT
// Exchanges and messages: point-to-point parameters, one-way times, and the exchanges that both plans have.
#include <fmt/format.h>

#include <algorithm>

#include "compare_parts.hpp"

namespace tuner {

namespace {

ComparedExchange compared_exchange(const ExchangeKey& key, const ExchangeCurve& a, const ExchangeCurve& b,
                                   double margin) {
    ComparedExchange exchange{key, {}};
    std::vector<double> p;
    for (const auto& [bytes, in_a] : a) {
        const auto found = b.find(bytes);
        if (found == b.end()) {
            continue;
        }
        const ExchangePoint& in_b = found->second;
        exchange.sizes.push_back({bytes, in_a, in_b, models::tail_of(in_a.sorted_seconds),
                                  models::tail_of(in_b.sorted_seconds),
                                  models::ratio_of_medians(in_b.median_seconds, in_b.interval,
                                                           in_a.median_seconds, in_a.interval)});
        p.push_back(models::rank_sum_p(in_a.sorted_seconds, in_b.sorted_seconds));
    }
    p = models::holm_adjusted(p);
    for (std::size_t i = 0; i < p.size(); ++i) {
        ComparedExchangeSize& size = exchange.sizes[i];
        size.p = p[i];
        size.winner = winner_of(size.ratio.interval, size.p, margin);
    }
    return exchange;
}

std::string name_of(const ExchangeKey& key) {
    return fmt::format("{} {} by {}", key.exchange, to_string(key.layout), key.way);
}

}  // namespace

void compare_messages(const MeasuredNetwork& a, const MeasuredNetwork& b, Comparison& comparison) {
    for (const Link link : {Link::within_node, Link::between_nodes}) {
        const LinkParameters* of_a = find_link(a.parameters, a.about.network, link);
        const LinkParameters* of_b = find_link(b.parameters, b.about.network, link);
        for (const auto& [parameters, name] : {std::pair(of_a, "A"), std::pair(of_b, "B")}) {
            if (parameters) {
                comparison.parameters.push_back(*parameters);
                comparison.parameters.back().network = name;
            }
        }
        if (!of_a || !of_b) {
            continue;
        }
        for (const OneWayTime& time : of_a->one_way) {
            const auto other = std::find_if(of_b->one_way.begin(), of_b->one_way.end(),
                                            [&](const OneWayTime& t) { return t.bytes == time.bytes; });
            if (other != of_b->one_way.end()) {
                comparison.messages.push_back(
                    {link, time.bytes,
                     models::ratio_of_medians(other->seconds, other->interval, time.seconds, time.interval)});
            }
        }
    }
}

void compare_exchanges(const MeasuredNetwork& a, const MeasuredNetwork& b, Comparison& comparison,
                       std::set<Layout>& layouts) {
    for (const auto& [key, curve] : a.exchanges) {
        if (const auto other = b.exchanges.find(key); other != b.exchanges.end()) {
            comparison.exchanges.push_back(compared_exchange(key, curve, other->second, comparison.margin));
            layouts.insert(key.layout);
        } else {
            comparison.only_a.push_back(name_of(key));
        }
    }
    for (const auto& [key, curve] : b.exchanges) {
        if (!a.exchanges.contains(key)) {
            comparison.only_b.push_back(name_of(key));
        }
    }
}

}  // namespace tuner
