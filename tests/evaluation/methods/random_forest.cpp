// SPDX-License-Identifier: MIT
#include "random_forest.hpp"

#include <algorithm>
#include <cmath>

namespace evaluation {

namespace {

constexpr double factor_of_space = 2;  // powers of two
constexpr std::size_t fewest_steps = 10;
constexpr std::size_t steady_steps = 4;  // whose sums of variances differ by less than ...
constexpr double steady = 0.001;         // ... of them

struct Halves {
    std::size_t feature = 0;
    double threshold = 0;
    double gain = 0;  // of squared errors
};

Halves best_halves(std::vector<Sample>& samples) {
    Halves best;
    for (std::size_t feature = 0; feature < samples[0].input.size(); ++feature) {
        std::sort(samples.begin(), samples.end(),
                  [&](const Sample& a, const Sample& b) { return a.input[feature] < b.input[feature]; });
        double all = 0;
        for (const Sample& sample : samples) {
            all += sample.output;
        }
        const auto total = static_cast<double>(samples.size());
        double low = 0;
        for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
            low += samples[i].output;
            const auto count = static_cast<double>(i + 1);
            const double gain =
                low * low / count + (all - low) * (all - low) / (total - count) - all * all / total;
            const double here = samples[i].input[feature];
            const double next = samples[i + 1].input[feature];
            if (here < next && gain > best.gain + 1e-12) {
                best = {feature, (here + next) / 2, gain};
            }
        }
    }
    return best;
}

}  // namespace

RandomForest::RandomForest(const std::vector<Sample>& samples, std::mt19937_64& random) {
    std::uniform_int_distribution<std::size_t> any(0, samples.size() - 1);
    for (std::size_t i = 0; i < trees; ++i) {
        std::vector<Sample> drawn;
        for (std::size_t k = 0; k < samples.size(); ++k) {
            drawn.push_back(samples[any(random)]);
        }
        trees_.emplace_back(1);
        grow(trees_.back(), 0, std::move(drawn));
    }
}

void RandomForest::grow(Tree& tree, std::size_t node, std::vector<Sample> samples) {
    double sum = 0;
    for (const Sample& sample : samples) {
        sum += sample.output;
    }
    tree[node].value = sum / static_cast<double>(samples.size());
    const Halves halves = best_halves(samples);
    if (halves.gain <= 0) {
        return;
    }
    const auto middle = std::partition(samples.begin(), samples.end(), [&](const Sample& sample) {
        return sample.input[halves.feature] < halves.threshold;
    });
    const std::size_t low = tree.size();
    tree.resize(low + 2);
    tree[node] = {tree[node].value, halves.feature, halves.threshold, low, low + 1};
    grow(tree, low, {samples.begin(), middle});
    grow(tree, low + 1, {middle, samples.end()});
}

double RandomForest::predict(const Tree& tree, const std::array<double, 5>& input) {
    std::size_t node = 0;
    while (tree[node].low > 0) {
        node = input[tree[node].feature] < tree[node].threshold ? tree[node].low : tree[node].high;
    }
    return tree[node].value;
}

double RandomForest::predict(const std::array<double, 5>& input) const {
    double sum = 0;
    for (const Tree& tree : trees_) {
        sum += predict(tree, input);
    }
    return sum / static_cast<double>(trees_.size());
}

double RandomForest::variance(const std::array<double, 5>& input) const {
    const double mean = predict(input);
    double squares = 0;
    for (const Tree& tree : trees_) {
        squares += std::pow(predict(tree, input) - mean, 2);
    }
    const auto n = static_cast<double>(trees_.size());
    return squares / (n * (n - 1));
}

namespace {

std::array<double, 5> input_of(const tuner::CellKey& cell, std::size_t bytes, std::size_t algorithm) {
    const Features f = features_of(cell, bytes);
    return {f[0], f[1], f[2], f[3], static_cast<double>(algorithm)};
}

}  // namespace

ActiveForest::ActiveForest(const Setting& setting, calibration::SimulatedCluster& cluster, std::uint64_t seed)
    : table_(setting, cluster), random_(seed) {
    for (const tuner::CellKey& cell : setting.cells) {
        Learner& learner = learners_[task_of(cell)];
        for (const std::string& algorithm : cluster.truth().algorithms(cell)) {
            if (std::find(learner.algorithms.begin(), learner.algorithms.end(), algorithm) ==
                learner.algorithms.end()) {
                learner.algorithms.push_back(algorithm);
            }
        }
        for (const std::size_t bytes : setting.sizes(cell, factor_of_space)) {
            learner.space.push_back({cell, bytes, ""});
        }
    }
}

// One point for each that is not over
bool ActiveForest::step() {
    bool has_measured = false;
    for (auto& [task, learner] : learners_) {
        if (learner.is_over) {
            continue;
        }
        has_measured = true;
        if (learner.measured.empty()) {  // the corners
            measure(learner, 0);
            measure(learner, learner.space.size() - 1);
        } else {
            double largest = -1;
            std::size_t next = 0;
            for (std::size_t i = 0; i < learner.space.size(); ++i) {
                for (std::size_t a = 0; a < learner.algorithms.size(); ++a) {
                    const double variance =
                        learner.forest.variance(input_of(learner.space[i].cell, learner.space[i].bytes, a));
                    const bool is_new = std::find(learner.measured.begin(), learner.measured.end(), i) ==
                                        learner.measured.end();
                    if (is_new && variance > largest) {
                        largest = variance;
                        next = i;
                    }
                }
            }
            measure(learner, next);
        }
        learn(learner);
    }
    return has_measured;
}

void ActiveForest::measure(Learner& learner, std::size_t index) {
    table_.measure(learner.space[index]);
    learner.measured.push_back(index);
}

void ActiveForest::learn(Learner& learner) {
    std::vector<Sample> samples;
    for (const std::size_t index : learner.measured) {
        const Point& point = learner.space[index];
        std::map<std::size_t, double> seconds;  // by algorithm
        double fastest = INFINITY;
        for (std::size_t a = 0; a < learner.algorithms.size(); ++a) {
            if (const std::optional<double> time =
                    table_.time({point.cell, point.bytes, learner.algorithms[a]})) {
                seconds[a] = *time;
                fastest = std::min(fastest, *time);
            }
        }
        for (const auto& [a, time] : seconds) {
            samples.push_back({input_of(point.cell, point.bytes, a), time / fastest});
        }
    }
    learner.forest = RandomForest(samples, random_);
    double sum = 0;
    for (const Point& point : learner.space) {
        for (std::size_t a = 0; a < learner.algorithms.size(); ++a) {
            sum += learner.forest.variance(input_of(point.cell, point.bytes, a));
        }
    }
    learner.sums.push_back(sum);
    const auto last =
        learner.sums.end() - static_cast<std::ptrdiff_t>(std::min(steady_steps, learner.sums.size()));
    const auto [least, most] = std::minmax_element(last, learner.sums.end());
    learner.is_over = learner.measured.size() == learner.space.size() ||
                      (learner.sums.size() >= fewest_steps && *most - *least <= steady * *most);
}

Choice ActiveForest::choice() const {
    return [this](const tuner::CellKey& cell, std::size_t bytes) {
        const Learner& learner = learners_.at(task_of(cell));
        std::string best = tuner::default_algorithm;
        double least = INFINITY;
        for (std::size_t a = 0; a < learner.algorithms.size() && !learner.measured.empty(); ++a) {
            const double slower = learner.forest.predict(input_of(cell, bytes, a));
            if (slower < least && table_.can_run(cell, learner.algorithms[a], bytes)) {
                best = learner.algorithms[a];
                least = slower;
            }
        }
        return best;
    };
}

}  // namespace evaluation
