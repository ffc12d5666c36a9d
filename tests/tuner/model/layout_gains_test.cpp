// SPDX-License-Identifier: MIT
// Each layout of two labs, and of published tables, predicted without its own times.
#include "layout_gains.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "recorded_layouts.hpp"
#include "thresholds.hpp"

namespace {

using namespace tuner;

struct Score {
    int cells = 0;
    int times = 0, times_inside = 0;    // of 90% intervals
    int ratios = 0, ratios_inside = 0;  // of gains over the default
    double default_loss = 0;            // against the best algorithm, sum
    double loss = 0;
    int slower = 0;  // than the default, by more than 5%
};

constexpr double normal_95 = 1.645;

void add(Score& score, const std::vector<LayoutGain>& gains, const Times& times) {
    const double by_default = times.at(default_algorithm).time.median_seconds;
    double best = by_default;
    double chosen = by_default;
    double expected = std::log(1.02);
    for (const LayoutGain& gain : gains) {
        const CellTime* time = time_of(times, gain.algorithm);
        if (time == nullptr) {
            continue;
        }
        const double seconds = time->time.median_seconds;
        best = std::min(best, seconds);
        ++score.times;
        score.times_inside += std::abs(std::log(seconds / gain.seconds)) < normal_95 * gain.seconds_error;
        if (!gain.is_own) {
            ++score.ratios;
            score.ratios_inside +=
                std::abs(std::log(by_default / seconds) - gain.log_gain) < normal_95 * gain.log_gain_error;
            if (gain.log_gain > expected) {
                expected = gain.log_gain;
                chosen = seconds;
            }
        }
    }
    ++score.cells;
    score.default_loss += by_default / best - 1;
    score.loss += chosen / best - 1;
    score.slower += chosen > 1.05 * by_default;
}

Score leave_one_layout_out(const Cells& cells, const std::string& network, const models::Parameters& shape) {
    std::set<Layout> layouts;
    for (const auto& [key, cell] : cells) {
        layouts.insert(key.layout);
    }
    Score score;
    for (const Layout& layout : layouts) {
        Cells others = cells;
        std::erase_if(others, [&](const auto& entry) { return entry.first.layout == layout; });
        std::optional<Prediction> prediction = Prediction::of(others, network, shape);
        const LayoutGains gains(others, network, *prediction);
        for (const auto& [key, cell] : cells) {
            for (const auto& [bytes, times] : cell.times) {
                const auto found = gains.at(key.collective, layout, bytes);
                if (key.layout == layout && !found.empty() && times.contains(default_algorithm)) {
                    add(score, found, times);
                }
            }
        }
    }
    return score;
}

struct Lab {
    const char* network;
    double most_loss;  // mean, against the best algorithm
    int most_slower;   // before verification
};

class RecordedLab : public testing::TestWithParam<Lab> {};

TEST_P(RecordedLab, ForesaysTheBestAlgorithmOfALayoutThatWasNotMeasured) {
    const std::string network = GetParam().network;
    const Score score =
        leave_one_layout_out(recorded_layouts::cells(network), network, recorded_layouts::shape(network));
    const auto share = [](int part, int all) { return static_cast<double>(part) / all; };
    RecordProperty("loss", std::to_string(score.loss / score.cells));
    RecordProperty("default_loss", std::to_string(score.default_loss / score.cells));
    RecordProperty("slower", score.slower);
    RecordProperty("times_inside", std::to_string(share(score.times_inside, score.times)));
    RecordProperty("ratios_inside", std::to_string(share(score.ratios_inside, score.ratios)));
    EXPECT_GT(score.cells, 580);
    EXPECT_GT(score.default_loss / score.cells, 0.15);
    EXPECT_LT(score.loss / score.cells, GetParam().most_loss);
    EXPECT_LE(score.slower, GetParam().most_slower);
    EXPECT_GT(share(score.times_inside, score.times), 0.85);
    EXPECT_LT(share(score.times_inside, score.times), 0.95);
    EXPECT_GT(share(score.ratios_inside, score.ratios), 0.85);
    EXPECT_LT(share(score.ratios_inside, score.ratios), 0.95);
}

INSTANTIATE_TEST_SUITE_P(Labs, RecordedLab, testing::Values(Lab{"eth", 0.02, 8}, Lab{"fast", 0.026, 17}),
                         [](const auto& lab) { return std::string(lab.param.network); });

// Broadcasts of Hamid's thesis: single times, taken as known within 2%. Rows without the default are of 8x1.
Cells published(const std::string& network) {
    std::ifstream file(std::string(TESTS_DATA) + "/hamid2008/bcast.csv");
    Cells cells;
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        std::vector<std::string> values;
        for (std::string value; std::getline(fields, value, ',');) {
            values.push_back(value);
        }
        const Layout layout = {std::stoi(values.at(1)), std::stoi(values.at(2))};
        const auto bytes = static_cast<std::size_t>(std::stoul(values.at(3)));
        const double seconds = 1e-6 * std::stod(values.at(5));
        if (values[0] == network) {
            CellTime time;
            time.used = values[4] == default_algorithm ? *default_choice("bcast", layout, bytes) : values[4];
            time.time = {bytes, seconds, {0.98 * seconds, 1.02 * seconds}};
            cells[{network, layout, "bcast", ""}].times[bytes].emplace(values[4], time);
        }
    }
    for (auto& [key, cell] : cells) {
        for (auto& [bytes, times] : cell.times) {
            const std::string used = *default_choice("bcast", key.layout, bytes);
            if (!times.contains(default_algorithm) && times.contains(used)) {
                times.emplace(default_algorithm, times.at(used));
            }
        }
    }
    return cells;
}

// What they are: two layouts say little of a third one, and with Myrinet there is only one to learn from
TEST(LayoutGains, OfPublishedTables) {
    struct Expected {
        const char* network;
        double most_loss;
        int most_slower;
    };
    for (const Expected& expected : {Expected{"fast-ethernet", 0.025, 3}, Expected{"myrinet", 0.07, 2}}) {
        const Score score = leave_one_layout_out(published(expected.network), expected.network, {});
        const double loss = score.loss / score.cells;
        const double inside = static_cast<double>(score.ratios_inside) / score.ratios;
        RecordProperty(std::string(expected.network) + "_loss", std::to_string(loss));
        EXPECT_GE(score.cells, 30) << expected.network;
        EXPECT_LT(loss, expected.most_loss) << expected.network;
        EXPECT_LE(score.slower, expected.most_slower) << expected.network;
        EXPECT_GT(inside, 0.85) << expected.network;
        EXPECT_LT(inside, 0.95) << expected.network;
    }
}

TEST(LayoutGains, KnowUnevenLayoutsAndMappingsLess) {
    const Cells cells = recorded_layouts::cells("eth");
    std::optional<Prediction> prediction = Prediction::of(cells, "eth", recorded_layouts::shape("eth"));
    const LayoutGains gains(cells, "eth", *prediction);
    const auto error = [&](const Layout& layout) {
        for (const LayoutGain& gain : gains.at("bcast", layout, 4096)) {
            if (gain.algorithm == "scatter_ring_allgather") {
                EXPECT_FALSE(gain.is_own);
                return gain.log_gain_error;
            }
        }
        ADD_FAILURE() << to_string(layout);
        return 0.0;
    };
    const double measured = error({6, 2});
    EXPECT_LT(measured, error({7, 2}));
    EXPECT_LT(error({7, 2}), error({7, 2, Mapping::round_robin}));
    EXPECT_LT(error({7, 2}), error({48, 2}));
    EXPECT_LT(measured, error({6, 2, Mapping::block, 1}));
}

TEST(LayoutGains, SayNothingWhereNothingWasMeasured) {
    const Cells cells = recorded_layouts::cells("eth");
    std::optional<Prediction> prediction = Prediction::of(cells, "eth", recorded_layouts::shape("eth"));
    const LayoutGains gains(cells, "eth", *prediction);
    EXPECT_TRUE(gains.at("reduce", {6, 2}, 4096).empty());
    EXPECT_TRUE(gains.algorithms("reduce").empty());
    EXPECT_TRUE(gains.at("bcast", {6, 2}, 0).empty());
}

}  // namespace
