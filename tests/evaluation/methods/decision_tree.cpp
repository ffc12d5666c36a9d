// SPDX-License-Identifier: MIT
#include "decision_tree.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace evaluation {

namespace {

constexpr std::size_t fewest_in_leaf = 2;

using Counts = std::map<std::string, double>;

Counts counts_of(const std::vector<Example>& examples) {
    Counts counts;
    for (const Example& example : examples) {
        ++counts[example.best];
    }
    return counts;
}

double entropy(const Counts& counts, double total) {
    double sum = 0;
    for (const auto& [best, count] : counts) {
        sum -= count > 0 ? count / total * std::log2(count / total) : 0;
    }
    return sum;
}

// Upper end of the errors of a leaf, at 25% confidence (normal approximation to the binomial distribution)
double pessimistic_errors(double errors, double total) {
    constexpr double z = 0.6745;
    const double share = errors / total;
    const double upper =
        (share + z * z / (2 * total) +
         z * std::sqrt(share / total - share * share / total + z * z / (4 * total * total))) /
        (1 + z * z / total);
    return upper * total;
}

struct Split {
    std::size_t feature = 0;
    double threshold = 0;
    double gain_ratio = 0;  // 0: none is worth it
};

Split best_split(std::vector<Example>& examples, double before) {
    Split best;
    const auto total = static_cast<double>(examples.size());
    for (std::size_t feature = 0; feature < Features().size(); ++feature) {
        const auto value = [&](const Example& example) { return example.features[feature]; };
        std::sort(examples.begin(), examples.end(),
                  [&](const Example& a, const Example& b) { return value(a) < value(b); });
        Counts low;
        Counts high = counts_of(examples);
        for (std::size_t i = 0; i + 1 < examples.size(); ++i) {
            ++low[examples[i].best];
            --high[examples[i].best];
            if (value(examples[i]) == value(examples[i + 1]) || i + 1 < fewest_in_leaf ||
                examples.size() - i - 1 < fewest_in_leaf) {
                continue;
            }
            const double share = static_cast<double>(i + 1) / total;
            const double gain = before - share * entropy(low, share * total) -
                                (1 - share) * entropy(high, (1 - share) * total);
            const double information = -share * std::log2(share) - (1 - share) * std::log2(1 - share);
            if (gain > 1e-9 && gain / information > best.gain_ratio) {
                best = {feature, (value(examples[i]) + value(examples[i + 1])) / 2, gain / information};
            }
        }
    }
    return best;
}

}  // namespace

DecisionTree::DecisionTree(std::vector<Example> examples) {
    if (!examples.empty()) {
        nodes_.emplace_back();
        grow(0, std::move(examples));
    }
}

double DecisionTree::grow(std::size_t node, std::vector<Example> examples) {
    const Counts counts = counts_of(examples);
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto total = static_cast<double>(examples.size());
    nodes_[node].best = most->first;
    const double as_leaf = pessimistic_errors(total - most->second, total);
    const Split split = best_split(examples, entropy(counts, total));
    if (split.gain_ratio <= 0) {
        return as_leaf;
    }
    const auto middle = std::partition(examples.begin(), examples.end(), [&](const Example& example) {
        return example.features[split.feature] < split.threshold;
    });
    const std::size_t low = nodes_.size();
    nodes_.resize(low + 2);
    nodes_[node].feature = split.feature;
    nodes_[node].threshold = split.threshold;
    const double as_tree = grow(low, {examples.begin(), middle}) + grow(low + 1, {middle, examples.end()});
    if (as_tree >= as_leaf) {
        return as_leaf;  // pruned
    }
    nodes_[node].low = low;
    nodes_[node].high = low + 1;
    return as_tree;
}

const std::string& DecisionTree::best(const Features& features) const {
    if (nodes_.empty()) {
        return tuner::default_algorithm;
    }
    std::size_t node = 0;
    while (nodes_[node].low > 0) {
        node = features[nodes_[node].feature] < nodes_[node].threshold ? nodes_[node].low : nodes_[node].high;
    }
    return nodes_[node].best;
}

std::size_t DecisionTree::leaves() const {
    std::size_t leaves = 0;
    std::vector<std::size_t> open(nodes_.empty() ? 0 : 1);
    while (!open.empty()) {
        const Node& node = nodes_[open.back()];
        open.pop_back();
        leaves += node.low == 0;
        if (node.low > 0) {
            open.insert(open.end(), {node.low, node.high});
        }
    }
    return leaves;
}

Choice TreeOfGrid::choice() const {
    std::map<Task, std::vector<Example>> examples;
    for (std::size_t i = 0; i < next_; ++i) {
        const Point& point = points_[i];
        examples[task_of(point.cell)].push_back(
            {features_of(point.cell, point.bytes), table_.best(point.cell, point.bytes)});
    }
    auto trees = std::make_shared<std::map<Task, DecisionTree>>();
    for (auto& [task, of_task] : examples) {
        trees->emplace(task, DecisionTree(std::move(of_task)));
    }
    return [trees](const tuner::CellKey& cell, std::size_t bytes) {
        const auto tree = trees->find(task_of(cell));
        return tree == trees->end() ? tuner::default_algorithm : tree->second.best(features_of(cell, bytes));
    };
}

}  // namespace evaluation
