// SPDX-License-Identifier: MIT
// Active learning with random forests, as FACT and ACCLAiM do it (Wilkins et al. 2021, 2022): a forest for
// each collective predicts how much slower than the fastest one each algorithm is; all algorithms are
// measured where the jackknife variance of a prediction is largest; it ends when the sum of these variances
// changes no more.
#pragma once

#include <random>

#include "features.hpp"
#include "measured_table.hpp"

namespace evaluation {

struct Sample {
    std::array<double, 5> input;  // Features, and the number of the algorithm
    double output;
};

class RandomForest {
  public:
    static constexpr std::size_t trees = 100;
    RandomForest() = default;
    RandomForest(const std::vector<Sample>& samples, std::mt19937_64& random);
    double predict(const std::array<double, 5>& input) const;
    // Of the mean of the trees, by leaving out each one
    double variance(const std::array<double, 5>& input) const;

  private:
    struct Node {
        double value = 0;
        std::size_t feature = 0;
        double threshold = 0;
        std::size_t low = 0;  // 0: a leaf
        std::size_t high = 0;
    };
    using Tree = std::vector<Node>;
    static void grow(Tree& tree, std::size_t node, std::vector<Sample> samples);
    static double predict(const Tree& tree, const std::array<double, 5>& input);
    std::vector<Tree> trees_;
};

class ActiveForest : public Method {
  public:
    ActiveForest(const Setting& setting, calibration::SimulatedCluster& cluster, std::uint64_t seed);
    bool step() override;
    Choice choice() const override;
    int launches() const override { return table_.launches(); }

  private:
    struct Learner {
        std::vector<Point> space;  // all that can be measured
        std::vector<std::string> algorithms;
        std::vector<std::size_t> measured;  // indices of the space, in their order
        std::vector<double> sums;           // of variances, after each
        RandomForest forest = {};
        bool is_over = false;
    };
    void learn(Learner& learner);
    void measure(Learner& learner, std::size_t index);

    MeasuredTable table_;
    std::mt19937_64 random_;
    std::map<Task, Learner> learners_;
};

}  // namespace evaluation
