// SPDX-License-Identifier: MIT
#include "figures.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"

namespace {

using namespace tuner::report;

ReportData with_exchange(const std::string& name, const std::map<std::string, double>& values) {
    ReportData data;
    data.cluster.networks.resize(2);
    data.cluster.networks[0].name = "eth";
    data.cluster.networks[1].name = "ib";
    for (const std::size_t bytes : {1U, 1024U}) {
        data.exchanges[{"ib", {2, 1}, name, "send"}][bytes] = {50e-6, {49e-6, 51e-6}, values, {50e-6}};
    }
    return data;
}

TEST(ExchangeFigures, LatencyIsHalfTheRoundTrip) {
    const ReportData data = with_exchange("ping_pong between", {{"half_us", 25}});
    const Figure figure = draw_exchange(data, {&*data.exchanges.begin()});
    EXPECT_EQ(figure.title, "ping_pong between on 2x1");
    EXPECT_TRUE(contains(figure.body, "latency: half the round trip"));
    EXPECT_EQ(figure.key.at(0).label, "ib, send");
    EXPECT_EQ(figure.key.at(0).classes, "c1") << "the second network of the cluster";
}

TEST(ExchangeFigures, SharesAreFromZeroToOne) {
    const ReportData data = with_exchange("availability between", {{"availability", 0.5}});
    const Figure figure = draw_exchange(data, {&*data.exchanges.begin()});
    for (const char* tick : {">0<", ">0.25<", ">1<"}) {
        EXPECT_TRUE(contains(figure.body, tick)) << tick;
    }
}

}  // namespace
