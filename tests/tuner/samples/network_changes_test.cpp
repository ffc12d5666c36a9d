// SPDX-License-Identifier: MIT
// Which parameters of a link moved: only what is known, differs by more than 20% and beyond its interval.
#include "network_changes.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace {

using namespace tuner;

models::FittedParameter within(double part, double value) {
    return {"", value, {(1 - part) * value, (1 + part) * value}, models::Determined::estimated};
}

models::LogGpSegment segment(double from, double to, const models::FittedParameter& latency,
                             const models::FittedParameter& byte) {
    const models::FittedParameter other = within(0.1, 1e-6);
    return {from, to, latency, other, other, other, byte, 0.01};
}

// Times of one message as the segments say, within 1%
NetworkParameters link_of(std::vector<models::LogGpSegment> segments) {
    LinkParameters link = {"eth", Link::between_nodes, {2, 1, Mapping::block}, std::move(segments), {}};
    for (const models::LogGpSegment& s : link.log_gp) {
        for (const double bytes : {s.from_bytes, s.to_bytes}) {
            const double seconds = s.latency_seconds.value + bytes * s.gap_seconds_per_byte.value;
            link.one_way.push_back(
                {static_cast<std::size_t>(bytes), seconds, {0.99 * seconds, 1.01 * seconds}});
        }
    }
    return {link};
}

NetworkParameters simple(double latency, double byte, double part = 0.05) {
    return link_of({segment(1, 65536, within(part, latency), within(part, byte))});
}

std::vector<std::string> texts(const NetworkParameters& before, const NetworkParameters& after) {
    std::vector<std::string> all;
    for (const MovedParameter& moved : moved_parameters(before, after)) {
        all.push_back(moved.network + " " + to_string(moved));
    }
    return all;
}

using Texts = std::vector<std::string>;

TEST(MovedParameters, AreNamedWithBothValues) {
    EXPECT_EQ(texts(simple(30e-6, 78e-9), simple(30e-6, 7e-9)),
              Texts{"eth between.byte (G): 78 -> 7 ns/byte"});
    EXPECT_EQ(texts(simple(30e-6, 78e-9), simple(300e-6, 7e-9)),
              (Texts{"eth between.latency (L): 30 -> 300 us", "eth between.byte (G): 78 -> 7 ns/byte"}));
}

TEST(MovedParameters, AreBeyondTheirIntervalsAndBeyondTheirLimits) {
    EXPECT_EQ(texts(simple(30e-6, 10e-9), simple(44e-6, 10e-9)), Texts{}) << "latency: 47%";
    EXPECT_EQ(texts(simple(30e-6, 10e-9), simple(46e-6, 10e-9)).size(), 1U);
    EXPECT_EQ(texts(simple(30e-6, 10e-9), simple(30e-6, 11.9e-9)), Texts{}) << "19%";
    EXPECT_EQ(texts(simple(30e-6, 10e-9), simple(30e-6, 12.5e-9)).size(), 1U);
    EXPECT_EQ(texts(simple(30e-6, 12.5e-9), simple(30e-6, 10e-9)).size(), 1U);
    EXPECT_EQ(texts(simple(30e-6, 10e-9, 0.5), simple(30e-6, 20e-9, 0.5)), Texts{}) << "5-15 and 10-30";
}

TEST(MovedParameters, AreKnown) {
    const models::FittedParameter unknown = {
        "", 0, {0, std::numeric_limits<double>::infinity()}, models::Determined::unknown};
    EXPECT_EQ(texts(link_of({segment(1, 65536, unknown, unknown)}), simple(30e-6, 7e-9)), Texts{});
    const models::FittedParameter zero = {"", 0, {0, 5e-6}, models::Determined::at_zero};
    EXPECT_EQ(texts(link_of({segment(1, 65536, zero, within(0.05, 7e-9))}), simple(30e-6, 7e-9)),
              Texts{"eth between.latency (L): 0 -> 30 us"});
    NetworkParameters other = simple(30e-6, 7e-9);
    other[0].link = Link::within_node;
    EXPECT_EQ(texts(simple(30e-6, 78e-9), other), Texts{}) << "another link";
    EXPECT_EQ(texts(simple(30e-6, 78e-9), {}), Texts{}) << "could not be measured again";
}

// A slow network is measured up to smaller sizes, and a fit may have other segments
TEST(MovedParameters, AreComparedAtCommonSizes) {
    const auto byte = [](double value) { return within(0.05, value); };
    const models::FittedParameter latency = within(0.05, 30e-6);
    const NetworkParameters before = link_of({segment(1, 24576, latency, byte(78e-9))});
    const NetworkParameters after =
        link_of({segment(1, 4096, latency, byte(2e-9)), segment(8192, 24576, latency, byte(7e-9))});
    EXPECT_EQ(texts(before, after), Texts{"eth between.byte (G): 78 -> 7 ns/byte"}) << "most bytes";
    EXPECT_EQ(texts(after, before), Texts{"eth between.byte (G): 7 -> 78 ns/byte"});
    const NetworkParameters apart = link_of({segment(163840, 1048576, latency, byte(1e-9))});
    EXPECT_EQ(texts(before, apart), Texts{});
}

// Fits of the same times may differ
TEST(MovedParameters, AreSeenInTheTimesThemselves) {
    const NetworkParameters before = simple(30e-6, 78e-9);
    NetworkParameters after = simple(300e-6, 7e-9);
    after[0].one_way = before[0].one_way;
    EXPECT_EQ(texts(before, after), Texts{});
    after[0].one_way[0] = {1, 300e-6, {299e-6, 301e-6}};
    EXPECT_EQ(texts(before, after), Texts{"eth between.latency (L): 30 -> 300 us"}) << "the smallest size";
    after[0].one_way[0].interval.low = 0;
    EXPECT_EQ(texts(before, after), Texts{}) << "not known well enough";
    after = simple(30e-6, 7e-9);
    after[0].one_way[1].interval = {0, std::numeric_limits<double>::infinity()};
    EXPECT_EQ(texts(before, after), Texts{}) << "of the largest size there is no interval";
    after[0].one_way.clear();
    EXPECT_EQ(texts(before, after), Texts{});
}

// A fit to the times of a disturbed run knows hardly anything
TEST(MovedParameters, AreSeenInLongMessagesWhereAFitIsBad) {
    const auto with_times = [](std::vector<double> of_long_messages) {
        NetworkParameters link = link_of({segment(1, 1024, within(0.05, 30e-6), within(2, 78e-9))});
        std::size_t bytes = 65536;
        for (const double seconds : of_long_messages) {
            link[0].one_way.push_back({bytes, seconds, {0.9 * seconds, 1.1 * seconds}});
            bytes *= 2;
        }
        return link;
    };
    const NetworkParameters before = with_times({5e-3, 10e-3, 20e-3});
    EXPECT_EQ(texts(before, with_times({2.5e-3, 5e-3, 10e-3})),
              Texts{"eth between.byte (G): 76.3 -> 38.1 ns/byte"});
    EXPECT_EQ(texts(before, with_times({10e-3, 20e-3, 40e-3})),
              Texts{"eth between.byte (G): 76.3 -> 153 ns/byte"});
    EXPECT_EQ(texts(before, with_times({4.5e-3, 5e-3, 10e-3})), Texts{}) << "not all of them";
    EXPECT_EQ(texts(before, with_times({10e-3, 5e-3, 10e-3})), Texts{}) << "not all of them in one direction";
    EXPECT_EQ(texts(before, with_times({3.8e-3, 7.6e-3, 15e-3})), Texts{}) << "by less than 40%";
    EXPECT_EQ(texts(before, with_times({2.5e-3, 5e-3})), Texts{}) << "64 and 128 KiB alone";
}

TEST(NetworkChanges, AreTheEventsOfARun) {
    RunData run;
    EXPECT_TRUE(network_changes(run).empty());
    run.events.push_back({{"event", "stale"}});
    run.events.push_back({{"event", network_changed_event},
                          {"time", 86400.5},
                          {"network", "eth"},
                          {"moved", Json::array({"between.byte (G): 78 -> 7 ns/byte"})}});
    ASSERT_EQ(network_changes(run).size(), 1U);
    EXPECT_EQ(to_string(network_changes(run)[0]),
              "network eth changed, found 1970-01-02 00:00 UTC: between.byte (G): 78 -> 7 ns/byte; what was "
              "measured before does not count");
    for (const Json& time : {Json("now"), Json(1e300), Json(-5), Json()}) {
        run.events[1]["time"] = time;
        EXPECT_EQ(network_changes(run).size(), 1U) << time;
    }
}

}  // namespace
