// SPDX-License-Identifier: MIT
// One set of parameters for a network: recovered from synthetic times with known truth, and fitted to
// published broadcast times, of which every second size is held out and predicted.
#include "network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "published_times.hpp"

namespace {

using models::Call;
using models::RankPlacement;

double median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return models::median(values);
}

class PublishedNetwork {
  public:
    explicit PublishedNetwork(const std::string& network) {
        std::set<std::size_t> sizes;
        for (const PublishedTime& time : published_times()) {
            if (time.network == network && time.algorithm != "default") {
                times_.push_back(time);
                sizes.insert(time.bytes);
            }
        }
        for (const PublishedTime& time : times_) {
            const auto position = std::distance(sizes.begin(), sizes.find(time.bytes));
            (position % 2 == 0 ? given_ : held_out_).push_back(&time);
        }
        std::vector<models::Observation> observations;
        for (const PublishedTime* time : given_) {
            observations.push_back({&profile_of(*time), static_cast<double>(time->bytes), time->seconds,
                                    models::find_algorithm("bcast", time->algorithm)->name});
        }
        fit_ = models::fit_network(observations, models::Parameters{});
    }

    double predicted(const PublishedTime& time) {
        return models::cost(profile_of(time), static_cast<double>(time.bytes), fit_.parameters);
    }
    const std::vector<PublishedTime>& times() const { return times_; }
    const std::vector<const PublishedTime*>& held_out() const { return held_out_; }
    const models::NetworkFit& fit() const { return fit_; }

  private:
    const models::Profile& profile_of(const PublishedTime& time) {
        models::CostTable& table =
            tables_.try_emplace({time.nodes, time.ppn}, RankPlacement(time.nodes, time.ppn)).first->second;
        return table.profile_of(*models::find_algorithm("bcast", time.algorithm), {nullptr, time.bytes});
    }

    std::vector<PublishedTime> times_;
    std::vector<const PublishedTime*> given_;
    std::vector<const PublishedTime*> held_out_;
    std::map<std::pair<int, int>, models::CostTable> tables_;
    models::NetworkFit fit_;
};

// The formulas of Thakur, Rabenseifner and Gropp (2005), 3.3, with the thesis' own figures for Fast Ethernet
double textbook(const PublishedTime& time) {
    constexpr double latency = 97e-6;
    constexpr double byte = 1 / 11e6;
    const double p = time.nodes * time.ppn;
    const auto n = static_cast<double>(time.bytes);
    if (time.algorithm == "binomial") {
        return std::log2(p) * (latency + n * byte);
    }
    const double rounds = std::log2(p) + (time.algorithm == "scatter_ring_allgather" ? p - 1 : std::log2(p));
    return rounds * latency + 2 * (p - 1) / p * n * byte;
}

TEST(Network, PredictsPublishedTimesThatItWasNotFittedTo) {
    PublishedNetwork network("fast-ethernet");
    std::map<std::string, std::vector<double>> errors;
    std::map<std::string, std::vector<double>> textbook_errors;
    for (const PublishedTime* time : network.held_out()) {
        const double error = std::abs(network.predicted(*time) / time->seconds - 1);
        const double textbook_error = std::abs(textbook(*time) / time->seconds - 1);
        for (const std::string& group :
             {std::string("all"), std::to_string(time->nodes) + "x" + std::to_string(time->ppn)}) {
            errors[group].push_back(error);
            textbook_errors[group].push_back(textbook_error);
        }
    }
    ASSERT_EQ(errors.size(), 4u);
    for (const auto& [group, values] : errors) {
        std::printf("%-5s %zu rows: median error %.1f%%, textbook %.1f%%\n", group.c_str(), values.size(),
                    100 * median_of(values), 100 * median_of(textbook_errors[group]));
        EXPECT_LE(median_of(values), 0.20) << group;
        EXPECT_LT(median_of(values), median_of(textbook_errors[group])) << group;
    }
}

TEST(Network, OrdersRingAndRecursiveDoublingRightWithTwoRanksANode) {
    PublishedNetwork network("fast-ethernet");
    std::map<std::pair<int, std::size_t>, std::map<std::string, const PublishedTime*>> rows;
    for (const PublishedTime& time : network.times()) {
        if (time.ppn == 2 && time.bytes >= 16384 && time.bytes <= 524288) {
            rows[{time.nodes, time.bytes}][time.algorithm] = &time;
        }
    }
    int right = 0;
    for (const auto& [row, times] : rows) {
        const PublishedTime& ring = *times.at("scatter_ring_allgather");
        const PublishedTime& doubling = *times.at("scatter_recursive_doubling_allgather");
        right += (ring.seconds < doubling.seconds) == (network.predicted(ring) < network.predicted(doubling));
    }
    ASSERT_EQ(rows.size(), 22u);
    EXPECT_GE(right, 20);
}

TEST(Network, RecoversItsParametersFromAllAlgorithmsTogether) {
    models::Parameters truth;
    truth.between.segments = {{8192, 40e-6, 10e-9}, {models::LinkCosts::no_end, 90e-6, 8e-9}};
    truth.between.opposite_seconds_per_byte = 4e-9;
    truth.between.gap_seconds = 6e-6;
    truth.within.segments[0] = {models::LinkCosts::no_end, 2e-6, 0.4e-9};
    truth.combine_seconds_per_byte = 1e-9;
    std::mt19937_64 random(7);
    std::normal_distribution<double> noise(0, 0.05);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::vector<std::unique_ptr<models::CostTable>> tables;
    std::vector<models::Observation> observations;
    std::size_t outliers = 0;
    for (const auto& [nodes, ppn] : {std::pair{4, 1}, {4, 2}, {8, 4}, {1, 8}, {13, 1}}) {
        tables.push_back(std::make_unique<models::CostTable>(RankPlacement(nodes, ppn)));
        for (const models::Algorithm& algorithm : models::algorithms()) {
            for (std::size_t bytes = 16; bytes <= 1 << 20; bytes *= 8) {
                const Call call{&tables.back()->layout(), bytes};
                if (!models::is_allowed(algorithm, call)) {
                    continue;
                }
                const models::Profile& profile = tables.back()->profile_of(algorithm, call);
                double seconds =
                    models::cost(profile, static_cast<double>(bytes), truth) * std::exp(noise(random));
                if (uniform(random) < 0.05) {
                    seconds *= 3 + 17 * uniform(random);
                    ++outliers;
                }
                observations.push_back({&profile, static_cast<double>(bytes), seconds, algorithm.name});
            }
        }
    }
    const models::NetworkFit fit = models::fit_network(observations, truth);
    const std::vector<double> values = truth.values();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const models::FittedParameter& parameter = fit.fit.parameters[i];
        if (values[i] > 0) {
            EXPECT_NEAR(parameter.value, values[i], 0.05 * values[i]) << parameter.name;
        } else {
            EXPECT_LE(parameter.interval.low, 1e-15) << parameter.name;
        }
    }
    EXPECT_NEAR(static_cast<double>(fit.unexplained.size()), static_cast<double>(outliers),
                0.2 * static_cast<double>(outliers));
    for (const models::AlgorithmResidual& residual : fit.by_algorithm) {
        EXPECT_LT(residual.median_error, 0.07) << residual.algorithm;
    }
}

TEST(Network, WorksFromSingleMessagesAlone) {
    // a broadcast of two ranks is one message: between two nodes, or within one
    const RankPlacement two_nodes(2, 1);
    const RankPlacement one_node(1, 2);
    const models::Algorithm& binomial = *models::find_algorithm("bcast", "binomial");
    const models::Profile between = models::profile(binomial, {&two_nodes, 1});
    const models::Profile within = models::profile(binomial, {&one_node, 1});
    std::vector<models::Observation> observations;
    for (double bytes = 1; bytes < 1e6; bytes *= 10) {
        observations.push_back({&between, bytes, 50e-6 + 10e-9 * bytes, "message"});
        observations.push_back({&within, bytes, 1e-6 + 0.2e-9 * bytes, "message"});
    }
    const models::NetworkFit fit = models::fit_network(observations, models::Parameters{});
    EXPECT_NEAR(fit.parameters.between.segments[0].latency_seconds, 50e-6, 1e-9);
    EXPECT_NEAR(fit.parameters.within.segments[0].seconds_per_byte, 0.2e-9, 1e-14);
    // what no message depends on is said to be unknown
    const auto combine = std::find_if(fit.fit.parameters.begin(), fit.fit.parameters.end(),
                                      [](const auto& parameter) { return parameter.name == "combine"; });
    ASSERT_NE(combine, fit.fit.parameters.end());
    EXPECT_EQ(combine->determined, models::Determined::unknown);
    // and another layout can be predicted: a chain of two messages between nodes
    const RankPlacement layout(4, 1);
    EXPECT_NEAR(models::CostTable(layout).seconds(binomial, {&layout, 1000}, fit.parameters), 120e-6, 2e-7);
}

TEST(Network, NamesTheAlgorithmThatItDoesNotExplain) {
    const RankPlacement layout(8, 1);
    models::CostTable table(layout);
    models::Parameters truth;
    truth.between.segments[0] = {models::LinkCosts::no_end, 30e-6, 9e-9};
    std::vector<models::Observation> observations;
    for (const models::Algorithm& algorithm : models::algorithms()) {
        if (algorithm.collective != "bcast" && algorithm.collective != "allgather") {
            continue;
        }
        for (std::size_t bytes = 64; bytes <= 1 << 20; bytes *= 2) {
            const Call call{&layout, bytes};
            if (models::is_allowed(algorithm, call)) {
                const double slow = algorithm.name == "scatter_ring_allgather" ? 3 : 1;
                observations.push_back({&table.profile_of(algorithm, call), static_cast<double>(bytes),
                                        slow * table.seconds(algorithm, call, truth), algorithm.name});
            }
        }
    }
    const models::NetworkFit fit = models::fit_network(observations, models::Parameters{});
    const auto worst =
        std::max_element(fit.by_algorithm.begin(), fit.by_algorithm.end(),
                         [](const auto& x, const auto& y) { return x.median_error < y.median_error; });
    EXPECT_EQ(worst->algorithm, "scatter_ring_allgather");
    EXPECT_GT(worst->bias, 0.5);
}

}  // namespace
