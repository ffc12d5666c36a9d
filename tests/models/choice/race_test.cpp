// SPDX-License-Identifier: MIT
#include "race.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace {

using namespace models;

// Algorithms with these means and a spread, repeated in turn; the first one is the reference
class Track {
  public:
    Track(std::vector<double> means, double spread, unsigned seed)
        : means_(std::move(means)),
          seconds_(means_.size()),
          has_left(means_.size()),
          spread_(spread),
          random_(seed) {}

    void run(std::size_t repetitions) {
        for (std::size_t i = 0; i < means_.size(); ++i) {
            for (std::size_t k = 0; k < repetitions && !has_left[i]; ++k) {
                seconds_[i].push_back(means_[i] *
                                      std::exp(spread_ * std::normal_distribution<double>()(random_)));
            }
        }
        std::vector<Racer> racers;
        for (std::size_t i = 0; i < means_.size(); ++i) {
            racers.push_back({seconds_[i], i == same});
        }
        has_left = race(racers, has_left, 0, {.loss = 0.01});
    }
    bool is_over() const { return std::find(has_left.begin(), has_left.end(), false) == has_left.end(); }
    std::size_t repetitions(std::size_t i) const { return seconds_[i].size(); }

  private:
    std::vector<double> means_;
    std::vector<std::vector<double>> seconds_;

  public:
    std::vector<bool> has_left;
    std::size_t same = 0;  // the algorithm that the reference runs; 0: none

  private:
    double spread_;
    std::mt19937 random_;
};

TEST(Race, NothingLeavesBeforeThreeRepetitions) {
    Track track({1, 9}, 0.01, 1);
    track.run(2);
    EXPECT_EQ(track.has_left, std::vector<bool>({false, false}));
    track.run(2);
    EXPECT_TRUE(track.is_over());
}

TEST(Race, WhatIsFarSlowerLeavesWhileOthersGoOn) {
    Track track({1.02, 1, 3}, 0.1, 1);
    track.run(4);
    EXPECT_EQ(track.has_left, std::vector<bool>({false, false, true}));
    track.run(8);
    EXPECT_EQ(track.repetitions(2), 4u);
    EXPECT_EQ(track.repetitions(0), 12u);
}

TEST(Race, TheReferenceStaysUntilTheGainIsKnown) {
    Track track({1.1, 1}, 0.1, 1);
    track.run(4);
    EXPECT_FALSE(track.is_over()) << "10% are not known from four repetitions with a spread of 10%";
    for (int look = 0; look < 40 && !track.is_over(); ++look) {
        track.run(8);
    }
    EXPECT_TRUE(track.is_over());
    EXPECT_GT(track.repetitions(0), 20u);
}

TEST(Race, WhatTheReferenceRunsIsNotTimedAgain) {
    Track track({1, 1, 2}, 0.1, 1);
    track.same = 1;
    track.run(4);
    EXPECT_TRUE(track.is_over()) << "the reference and its algorithm need not be told apart";
}

TEST(Race, EqualTimesEndIt) {
    Track track({1, 1, 2}, 0, 1);
    track.run(4);
    EXPECT_TRUE(track.is_over());
}

// Of 2000 races with five looks, the fastest one, by 5%, leaves in fewer than one of fifty
TEST(Race, HardlyEverDropsTheFastestOne) {
    int dropped = 0;
    for (unsigned seed = 0; seed < 2000; ++seed) {
        Track track({1.05, 1, 1.05, 1.05, 1.05}, 0.15, seed);
        for (int look = 0; look < 5 && !track.is_over(); ++look) {
            track.run(4);
            dropped += track.has_left[1] && !track.is_over();
        }
    }
    EXPECT_LT(dropped, 40);
}

}  // namespace
