// SPDX-License-Identifier: MIT
// Comparisons of made-up runs whose ratios, winners and changeovers are known.
#include "compare.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>

#include "decide.hpp"
#include "error.hpp"
#include "files.hpp"
#include "small_disk.hpp"

namespace {

using namespace tuner;

const Layout four_by_two = {4, 2, Mapping::block};
const std::vector<std::size_t> all_sizes = {8, 64, 512, 4096, 32768};
using Seconds = std::function<double(double bytes)>;

// 21 samples within 1% around the median
std::vector<double> samples_around(double median) {
    std::vector<double> samples;
    for (int i = -10; i <= 10; ++i) {
        samples.push_back(median * (1 + 0.001 * i));
    }
    return samples;
}

CaseRecord record(const std::string& network, std::size_t bytes, const std::string& algorithm,
                  double median) {
    CaseRecord r;
    r.stage = "search";
    r.network = network;
    r.layout = four_by_two;
    r.collective = "bcast";
    r.bytes = bytes;
    r.algorithm = algorithm;
    r.used = algorithm == default_algorithm ? "binomial" : algorithm;
    r.datatype = "byte";
    r.status = "measured";
    r.samples_seconds = samples_around(median);
    return r;
}

Manifest manifest() {
    Manifest m;
    m.cluster = {{"name", "made up"}};
    m.plan = {{"name", "quick"}, {"loss_bound", 0.01}};
    m.environment = {{"kernel", "Linux 6.1"}, {"processor", "P"}};
    m.fingerprint = {{"library", "mpich"}};
    return m;
}

const Seconds binomial = [](double bytes) { return 1e-4 * (1 + bytes / 1000); };

// As fast as binomial at a size, and better above it
Seconds ring_from(double crossing) {
    return [crossing](double bytes) { return binomial(bytes) * std::pow(bytes / crossing, -0.2); };
}

class CompareTest : public testing::Test {
  protected:
    std::string folder(const std::string& name) const { return (work.path / name).string(); }

    Journal create(const std::string& name, const Manifest& m = manifest()) const {
        return Journal::create(folder(name), m);
    }
    static void measure(Journal& journal, const std::string& network, const Seconds& by_default,
                        const Seconds& ring, const std::vector<std::size_t>& sizes = all_sizes) {
        for (const std::size_t bytes : sizes) {
            const auto b = static_cast<double>(bytes);
            std::vector<CaseRecord> group = {record(network, bytes, default_algorithm, by_default(b)),
                                             record(network, bytes, "binomial", by_default(b)),
                                             record(network, bytes, "ring", ring(b))};
            journal.append(group);
        }
    }
    void make_run(const std::string& name, const Seconds& by_default, const Seconds& ring) const {
        Journal journal = create(name);
        measure(journal, "eth", by_default, ring);
    }
    Comparison only_pair(CompareOptions options) const {
        if (options.run.empty()) {
            options.a = folder(options.a);
            options.b = folder(options.b);
        } else {
            options.run = folder(options.run);
        }
        const Comparisons comparisons = compare(options);
        EXPECT_EQ(comparisons.pairs.size(), 1u);
        EXPECT_FALSE(to_text(comparisons).empty());
        EXPECT_EQ(Json::parse(to_json(comparisons).dump()).at("pairs").size(), 1u);
        return comparisons.pairs.at(0);
    }
    std::string error_of(CompareOptions options) const {
        try {
            compare(options);
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            return error.what();
        }
        return "no error";
    }

    TemporaryFolder work;
};

#define EXPECT_CONTAINS(text, part) EXPECT_NE(std::string(text).find(part), std::string::npos) << text

TEST_F(CompareTest, RatiosAndWinsOfTwoRuns) {
    make_run("a", binomial, ring_from(512));
    make_run(
        "b", [](double bytes) { return binomial(bytes) / 2; },
        [](double bytes) { return ring_from(512)(bytes) / 4; });
    const Comparison pair = only_pair({"", "a", "b"});
    EXPECT_TRUE(pair.differing.empty());
    ASSERT_EQ(pair.cells.size(), 1u);
    const ComparedCell& cell = pair.cells[0];
    ASSERT_EQ(cell.sizes.size(), all_sizes.size());
    for (const ComparedSize& size : cell.sizes) {
        const auto& [by_default, best, tuned] = size.choices;
        EXPECT_NEAR(by_default.ratio->ratio, 0.5, 1e-9);
        EXPECT_GT(by_default.ratio->interval.low, 0.48);
        EXPECT_LT(by_default.ratio->interval.high, 0.52);
        EXPECT_EQ(by_default.winner, Winner::b);
        EXPECT_EQ(by_default.a->algorithm, "binomial");
        EXPECT_FALSE(tuned.ratio) << "there are no configurations";
    }
    EXPECT_EQ(cell.sizes[4].choices[1].a->algorithm, "ring");
    EXPECT_NEAR(cell.sizes[4].choices[1].ratio->ratio, 0.25, 1e-5);
    ASSERT_EQ(cell.won[0].size(), 1u);
    EXPECT_EQ(cell.won[0][0].from_bytes, 8u);
    EXPECT_EQ(cell.won[0][0].to_bytes, 32768u);
    EXPECT_NEAR(cell.won[0][0].ratio, 0.5, 1e-9);
    EXPECT_TRUE(cell.won[2].empty());
}

TEST_F(CompareTest, EachWinsItsRangeAndSmallDifferencesAreNoWin) {
    make_run("a", binomial, ring_from(512));
    const Seconds other = [](double bytes) {
        return binomial(bytes) * (bytes < 100 ? 0.8 : bytes < 1000 ? 1.03 : 1.5);
    };
    make_run("b", other, other);
    const std::vector<WonRange> won = only_pair({"", "a", "b"}).cells[0].won[0];
    ASSERT_EQ(won.size(), 2u);
    EXPECT_EQ(won[0].winner, Winner::b);
    EXPECT_EQ(won[0].to_bytes, 64u);
    EXPECT_EQ(won[1].winner, Winner::a);
    EXPECT_EQ(won[1].from_bytes, 4096u);
    const std::vector<WonRange> all = only_pair({"", "a", "b", {}, 0}).cells[0].won[0];
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[1].from_bytes, 512u) << "3% is significant, if one wants to see it";
}

TEST_F(CompareTest, NetworksOfARunAndChangeoversThatMove) {
    {
        Journal journal = create("run");
        measure(journal, "eth", binomial, ring_from(200));
        measure(journal, "fast", binomial, ring_from(12000));
        measure(journal, "other", binomial, ring_from(100));
        measure(journal, "never", binomial, ring_from(1e9));
        measure(journal, "always", binomial, ring_from(1));
    }
    const std::vector<ComparedChangeover> moved = only_pair({"run", "eth", "fast"}).cells[0].changeovers;
    ASSERT_EQ(moved.size(), 1u);
    EXPECT_EQ(moved[0].from, "default (binomial)");
    EXPECT_EQ(moved[0].to, "ring");
    EXPECT_NEAR(moved[0].a->bytes, 200, 2);
    EXPECT_EQ(moved[0].a->interval.low, 64);
    EXPECT_EQ(moved[0].b->interval.high, 32768);
    EXPECT_TRUE(moved[0].has_moved());
    const std::vector<ComparedChangeover> same = only_pair({"run", "eth", "other"}).cells[0].changeovers;
    ASSERT_EQ(same.size(), 1u);
    EXPECT_FALSE(same[0].has_moved()) << "between the same two sizes";
    const std::vector<ComparedChangeover> gone = only_pair({"run", "eth", "never"}).cells[0].changeovers;
    ASSERT_EQ(gone.size(), 1u);
    EXPECT_FALSE(gone[0].b);
    const ComparedCell always = only_pair({"run", "never", "always"}).cells[0];
    EXPECT_TRUE(always.changeovers.empty());
    ASSERT_EQ(always.chosen_a.size(), 1u);
    ASSERT_EQ(always.chosen_b.size(), 1u);
    EXPECT_EQ(to_string(always.chosen_a[0]), "default (binomial)");
    EXPECT_EQ(to_string(always.chosen_b[0]), "ring");
    EXPECT_CONTAINS(to_text(compare({folder("run"), "eth", "fast"})), "moved up");
    EXPECT_CONTAINS(to_text(compare({folder("run"), "eth", "never"})), "only in A");
}

TEST_F(CompareTest, WhatOnlyOneHasIsListed) {
    {
        Journal a = create("a");
        measure(a, "eth", binomial, ring_from(512), {8, 100, 512});
        measure(a, "old", binomial, ring_from(512));
        std::vector<CaseRecord> group = {record("eth", 8, default_algorithm, 1e-4)};
        group[0].collective = "allreduce";
        group[0].operation = "sum";
        a.append(group);
        Journal b = create("b");
        measure(b, "eth", binomial, ring_from(512), {8, 512});
        measure(b, "new", binomial, ring_from(512));
        group = {record("eth", 8, "smp", 1e-4), record("eth", 100, default_algorithm, 1e-4)};
        group[1].samples_seconds.clear();
        group[1].status = "refused";
        group[1].reason = "too odd";
        b.append(group);
    }
    const Comparisons comparisons = compare({"", folder("a"), folder("b")});
    ASSERT_EQ(comparisons.pairs.size(), 1u);
    ASSERT_EQ(comparisons.only.size(), 2u);
    EXPECT_CONTAINS(comparisons.only[0], "network old is only in A");
    EXPECT_CONTAINS(comparisons.only[1], "network new is only in B");
    const Comparison& pair = comparisons.pairs[0];
    EXPECT_EQ(pair.only_a, std::vector<std::string>{"allreduce (sum) 4x2"});
    EXPECT_TRUE(pair.only_b.empty());
    EXPECT_EQ(pair.cells[0].only_a, std::vector<std::string>{"sizes 100 (too odd)"});
    EXPECT_EQ(pair.cells[0].only_b, std::vector<std::string>{"algorithms smp"});
    const Comparisons chosen = compare({"", folder("a"), folder("b"), {"old", "new"}});
    ASSERT_EQ(chosen.pairs.size(), 1u);
    EXPECT_EQ(chosen.pairs[0].a.network, "old");
    EXPECT_EQ(chosen.pairs[0].b.network, "new");
}

TEST_F(CompareTest, DifferentConditionsComeFirst) {
    const auto make = [&](const std::string& name, const std::string& processor, const std::string& version) {
        Manifest m = manifest();
        m.environment["processor"] = processor;
        Journal journal = create(name, m);
        journal.job_started({"t", "eth", four_by_two});
        journal.append_event(
            "job_header",
            {{"token", "t"},
             {"header",
              {{"library", "MPICH Version: " + version + ";MPICH CC: gcc"}, {"device", "ch3:sock"}}}});
        measure(journal, "eth", binomial, ring_from(512));
    };
    make("a", "P1", "4.0.2");
    make("b", "P2", "4.1");
    const Comparison pair = only_pair({"", "a", "b"});
    ASSERT_EQ(pair.differing.size(), 2u);
    EXPECT_EQ(pair.differing[0].name, "library.MPICH Version");
    EXPECT_EQ(pair.differing[0].b, "4.1");
    EXPECT_EQ(pair.differing[1].name, "machine.processor");
    EXPECT_NE(std::find(pair.same.begin(), pair.same.end(), "job.device"), pair.same.end());
    const std::string text = to_text(compare({"", folder("a"), folder("b")}));
    EXPECT_LT(text.find("Conditions that differ"), text.find("bcast 4x2"));
    make_run("c", binomial, ring_from(512));  // without any header
    EXPECT_EQ(only_pair({"", "c", "a"}).differing[0].a, "not recorded");
}

TEST_F(CompareTest, TunedChoicesComeFromTheConfigurations) {
    make_run("a", binomial, ring_from(512));
    make_run("b", binomial, ring_from(512));
    const RunData data = load_run(folder("b"));
    const Config config = decide(cells_of(data, "search"), 0.01);
    ASSERT_EQ(config.rules.size(), 1u);
    write_file_atomically(folder("b") + "/config.json", to_json(config).dump());
    ComparedSize large = only_pair({"", "a", "b"}).cells[0].sizes.back();
    EXPECT_FALSE(large.choices[2].a) << "A has no configuration";
    EXPECT_EQ(large.choices[2].b->algorithm, "ring");
    EXPECT_FALSE(large.choices[2].ratio);
    Config empty = config;
    empty.rules.clear();
    write_file_atomically(folder("a") + "/config.json", to_json(empty).dump());
    large = only_pair({"", "a", "b"}).cells[0].sizes.back();
    EXPECT_EQ(large.choices[2].a->algorithm, "binomial");
    EXPECT_NEAR(large.choices[2].ratio->ratio, std::pow(32768.0 / 512, -0.2), 1e-6);
    EXPECT_EQ(large.choices[2].winner, Winner::b);
}

TEST_F(CompareTest, TailsAndTheKernelsCounters) {
    make_run("a", binomial, ring_from(512));
    {
        Journal journal = create("b");
        journal.job_started({"t1", "eth", four_by_two});
        journal.job_started({"t2", "eth", four_by_two});
        CaseRecord late = record("eth", 8, default_algorithm, 1e-4);
        late.samples_seconds.insert(late.samples_seconds.end(), {0.2041, 0.4102, 0.05});
        std::vector<CaseRecord> group = {late};
        journal.append(group);
        journal.job_ended("t1", "done", {{"tcp_retransmits", 7}, {"tcp_time_outs", 2}});
        journal.job_ended("t2", "timed out");
    }
    const Comparison pair = only_pair({"", "a", "b"});
    const ComparedChoice& choice = pair.cells[0].sizes[0].choices[0];
    EXPECT_EQ(choice.a->tail.time_outs, 0u);
    EXPECT_EQ(choice.b->tail.time_outs, 2u);
    EXPECT_NEAR(choice.b->tail.shares_beyond.front(), 3.0 / 24, 1e-12);
    ASSERT_EQ(pair.layouts.size(), 1u);
    EXPECT_EQ(pair.layouts[0].a.jobs, 0u);
    EXPECT_EQ(pair.layouts[0].b.jobs, 2u);
    EXPECT_EQ(pair.layouts[0].b.jobs_that_told, 1u);
    EXPECT_EQ(pair.layouts[0].b.retransmits, 7);
    EXPECT_EQ(pair.layouts[0].b.time_outs, 2);
    EXPECT_CONTAINS(to_text(compare({"", folder("a"), folder("b")})), "2 time-outs in 1 of 2 jobs");
}

// Without any collective: two networks of one run, one with half the latency and twice the bandwidth
TEST_F(CompareTest, ExchangesPointByPoint) {
    {
        Journal journal = create("a");
        for (const auto& [network, factor] : {std::pair("eth", 1.0), std::pair("ib", 0.5)}) {
            std::vector<CaseRecord> group;
            for (const std::size_t bytes : {8UL, 64UL, 512UL}) {
                CaseRecord point =
                    record(network, bytes, "send", factor * binomial(static_cast<double>(bytes)));
                point.stage = exchange_stage;
                point.collective = "ping_pong";
                point.exchange = "ping_pong between";
                point.values = {{"half_us", 50 * factor}, {"megabytes_per_s", 10 / factor}};
                group.push_back(point);
            }
            if (factor == 1) {
                group.back().samples_seconds.back() *= 4;
                group.push_back(group.front());
                group.back().exchange = "ring";
            }
            journal.append(group);
        }
    }
    const Comparison pair = only_pair({"a", "eth", "ib"});
    EXPECT_TRUE(pair.cells.empty());
    ASSERT_EQ(pair.exchanges.size(), 1u);
    ASSERT_EQ(pair.exchanges[0].sizes.size(), 3u);
    for (const ComparedExchangeSize& size : pair.exchanges[0].sizes) {
        EXPECT_NEAR(size.ratio.ratio, 0.5, 1e-9);
        EXPECT_EQ(size.winner, Winner::b);
    }
    EXPECT_NEAR(pair.exchanges[0].sizes[2].tail_a.shares_beyond[1], 1.0 / 21, 1e-12);
    ASSERT_EQ(pair.only_a.size(), 1u);
    EXPECT_CONTAINS(pair.only_a[0], "ring");
    const Comparisons all = compare({folder("a"), "eth", "ib"});
    EXPECT_CONTAINS(to_text(all), "ping_pong between");
    EXPECT_CONTAINS(to_text(all), "MB/s A");
    EXPECT_CONTAINS(to_text(all), ">10x min");
    const Json point = to_json(all).at("pairs")[0].at("exchanges")[0].at("sizes")[0];
    EXPECT_EQ(point.at("a").at("half_us"), 50);
    EXPECT_EQ(point.at("b").at("megabytes_per_s"), 20);
    EXPECT_EQ(point.at("winner"), "B");
    EXPECT_TRUE(point.at("a").at("shares_beyond_times_min").contains("10"));
}

TEST_F(CompareTest, MessagesSideBySide) {
    make_run("a", binomial, ring_from(512));
    make_run("b", binomial, ring_from(512));
    const auto known = [](const char* name, double value) {
        return models::FittedParameter{
            name, value, {0.9 * value, 1.1 * value}, models::Determined::estimated};
    };
    const auto save = [&](const std::string& name, double seconds) {
        const models::LogGpSegment segment = {1,
                                              65536,
                                              known("L", seconds),
                                              known("o_s", 1e-6),
                                              known("o_r", 1e-6),
                                              known("g", 1e-6),
                                              known("G", 1e-9),
                                              0.01};
        const std::vector<OneWayTime> times = {{8, seconds, {seconds, seconds}}};
        save_network_parameters(folder(name), {{"eth", Link::between_nodes, four_by_two, {segment}, times}});
    };
    save("a", 30e-6);
    EXPECT_TRUE(only_pair({"", "a", "b"}).messages.empty());
    EXPECT_EQ(only_pair({"", "a", "b"}).parameters.size(), 1u);
    save("b", 60e-6);
    const Comparison pair = only_pair({"", "a", "b"});
    ASSERT_EQ(pair.parameters.size(), 2u);
    EXPECT_EQ(pair.parameters[0].network, "A");
    EXPECT_EQ(pair.parameters[1].network, "B");
    ASSERT_EQ(pair.messages.size(), 1u);
    EXPECT_NEAR(pair.messages[0].ratio.ratio, 2, 1e-9);
}

TEST_F(CompareTest, StaleCellsDoNotCount) {
    make_run("a", binomial, ring_from(512));
    {
        Journal b = create("b");
        measure(
            b, "eth", [](double) { return 1.0; }, ring_from(512));
        b.append_event("stale", {{"network", "eth"},
                                 {"layout", "4x2"},
                                 {"collective", "bcast"},
                                 {"operation", ""},
                                 {"last_group", all_sizes.size()}});
        measure(b, "eth", binomial, ring_from(512));
    }
    EXPECT_NEAR(only_pair({"", "a", "b"}).cells[0].sizes[0].choices[0].ratio->ratio, 1, 1e-9);
}

TEST_F(CompareTest, WrongUseIsNamed) {
    make_run("a", binomial, ring_from(512));
    make_run("b", binomial, ring_from(512));
    create("empty");
    EXPECT_CONTAINS(error_of({"", folder("a"), folder("none")}), "not a run");
    EXPECT_CONTAINS(error_of({"", folder("a"), work.path.string()}), "manifest.json");
    EXPECT_CONTAINS(error_of({"", folder("a"), folder("a")}), "--run");
    EXPECT_CONTAINS(error_of({"", folder("a"), folder("empty")}), "no measured case");
    EXPECT_CONTAINS(error_of({"", folder("a"), folder("b"), {"ethh"}}), "did you mean 'eth'");
    EXPECT_CONTAINS(error_of({"", folder("a"), folder("b"), {"eth", "eth", "eth"}}), "two names");
    EXPECT_CONTAINS(error_of({"", folder("a"), folder("b"), {}, -1}), "--margin");
    EXPECT_CONTAINS(error_of({folder("a"), "eth", "eth"}), "name two");
    EXPECT_CONTAINS(error_of({folder("a"), "eth", "ib"}), "no network 'ib'");
    EXPECT_CONTAINS(error_of({folder("a"), "eth", "ib", {"eth"}}), "--network");
    std::ofstream(folder("b") + "/config.json") << "{";
    EXPECT_CONTAINS(error_of({"", folder("a"), folder("b")}), "config.json");
    Manifest damaged = manifest();
    damaged.cluster = {{"name", "x"}, {"networks", {1, 2}}};
    {
        Journal journal = create("damaged", damaged);
        measure(journal, "eth", binomial, ring_from(512));
    }
    EXPECT_CONTAINS(error_of({"", folder("a"), folder("damaged")}), "damaged");
}

}  // namespace
