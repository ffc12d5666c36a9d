// SPDX-License-Identifier: MIT
#include "comparison.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>

namespace models {

namespace {

constexpr std::size_t max_exact_pairs = 50;

double median_in_place(std::vector<double>& samples) {
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::nth_element(samples.begin(), middle, samples.end());
    return samples.size() % 2 ? *middle : (*std::max_element(samples.begin(), middle) + *middle) / 2;
}

double median_of(std::span<const double> samples) {
    std::vector<double> copy(samples.begin(), samples.end());
    return median_in_place(copy);
}

void check_times(std::span<const double> times) {
    if (times.empty() || std::any_of(times.begin(), times.end(), [](double t) { return !(t > 0); })) {
        throw std::invalid_argument("ratio of times: both sequences need times above zero");
    }
}

double median_of_resample(std::mt19937_64& random, std::span<const double> from, std::vector<double>& drawn) {
    drawn.resize(from.size());
    std::generate(drawn.begin(), drawn.end(), [&] { return from[random() % from.size()]; });
    return median_in_place(drawn);
}

double log_of_factor(double low, double high) {
    return low > 0 ? std::log(high / low) : std::numeric_limits<double>::infinity();
}

// Ranks of the sizes, zeros included, times two so that the mean rank of equal ones is a whole number
std::vector<std::size_t> doubled_ranks(std::span<const double> differences) {
    const std::size_t n = differences.size();
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto size = [&](std::size_t i) { return std::abs(differences[i]); };
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return size(i) < size(j); });
    std::vector<std::size_t> ranks(n);
    for (std::size_t first = 0; first < n;) {
        std::size_t end = first + 1;
        while (end < n && size(order[end]) == size(order[first])) {
            ++end;
        }
        for (std::size_t i = first; i < end; ++i) {
            ranks[order[i]] = first + 1 + end;
        }
        first = end;
    }
    return ranks;
}

// Of a sum of positive ranks
struct TailProbabilities {
    double at_most;
    double at_least;
};

// Every sign of every rank is equally likely: probability of each sum of positive ranks, rank by rank
TailProbabilities exact_tails(const std::vector<std::size_t>& ranks, std::size_t sum) {
    std::vector<double> probability(std::accumulate(ranks.begin(), ranks.end(), std::size_t{1}), 0.0);
    probability[0] = 1;
    for (const std::size_t rank : ranks) {
        for (std::size_t s = probability.size(); s-- > 0;) {
            probability[s] = (probability[s] + (s >= rank ? probability[s - rank] : 0)) / 2;
        }
    }
    const auto here = probability.begin() + static_cast<std::ptrdiff_t>(sum);
    return {std::accumulate(probability.begin(), here + 1, 0.0),
            std::accumulate(here, probability.end(), 0.0)};
}

TailProbabilities normal_tails(const std::vector<std::size_t>& ranks, std::size_t sum) {
    double mean_sum = 0;
    double variance = 0;
    for (const std::size_t rank : ranks) {
        mean_sum += static_cast<double>(rank) / 2;
        variance += static_cast<double>(rank * rank) / 4;
    }
    const double continuity = 1;  // half a step of the sum, which is doubled
    const auto upper = [&](double distance) {
        return std::erfc((distance - continuity) / std::sqrt(2 * variance)) / 2;
    };
    const double distance = static_cast<double>(sum) - mean_sum;
    return {upper(-distance), upper(distance)};
}

}  // namespace

Ratio ratio_of_medians(std::span<const double> a, std::span<const double> b, const Bootstrap& bootstrap) {
    check_times(a);
    check_times(b);
    std::mt19937_64 random(bootstrap.seed);
    std::vector<double> drawn;
    std::vector<double> ratios(bootstrap.resamples);
    for (double& ratio : ratios) {
        const double median_a = median_of_resample(random, a, drawn);
        ratio = median_a / median_of_resample(random, b, drawn);
    }
    std::sort(ratios.begin(), ratios.end());
    const double tail = (1 - bootstrap.confidence) / 2;
    return {median_of(a) / median_of(b), {quantile(ratios, tail), quantile(ratios, 1 - tail)}};
}

Ratio ratio_of_medians(double median_a, const Interval& a, double median_b, const Interval& b) {
    const double ratio = median_a / median_b;
    const double below = std::hypot(log_of_factor(a.low, median_a), log_of_factor(median_b, b.high));
    const double above = std::hypot(log_of_factor(median_a, a.high), log_of_factor(b.low, median_b));
    return {ratio, {ratio * std::exp(-below), ratio * std::exp(above)}};
}

Ratio median_ratio_of_pairs(std::span<const double> a, std::span<const double> b, double confidence) {
    check_times(a);
    check_times(b);
    if (a.size() != b.size()) {
        throw std::invalid_argument("ratio of pairs: the sequences differ in length");
    }
    std::vector<double> ratios(a.size());
    std::transform(a.begin(), a.end(), b.begin(), ratios.begin(), std::divides<>());
    std::sort(ratios.begin(), ratios.end());
    return {median(ratios), median_interval(ratios, confidence)};
}

SignedRank signed_rank_test(std::span<const double> differences) {
    const std::vector<std::size_t> all_ranks = doubled_ranks(differences);
    std::vector<std::size_t> ranks;
    std::size_t positive = 0;
    for (std::size_t i = 0; i < differences.size(); ++i) {
        if (differences[i] != 0) {
            ranks.push_back(all_ranks[i]);
            positive += differences[i] > 0 ? all_ranks[i] : 0;
        }
    }
    if (ranks.empty()) {
        return {1, 1};
    }
    const TailProbabilities tails =
        ranks.size() <= max_exact_pairs ? exact_tails(ranks, positive) : normal_tails(ranks, positive);
    return {tails.at_most, tails.at_least};
}

double rank_sum_p(std::span<const double> sorted_a, std::span<const double> sorted_b) {
    std::vector<double> all(sorted_a.size() + sorted_b.size());
    std::merge(sorted_a.begin(), sorted_a.end(), sorted_b.begin(), sorted_b.end(), all.begin());
    double rank_sum = 0;  // of a
    double ties = 0;      // sum of t^3 - t over the sets of t equal times
    for (auto first = all.begin(); first != all.end();) {
        const auto end = std::upper_bound(first, all.end(), *first);
        const auto equal = static_cast<double>(end - first);
        const auto of_a = std::equal_range(sorted_a.begin(), sorted_a.end(), *first);
        const double mean_rank = static_cast<double>(first - all.begin()) + (equal + 1) / 2;
        rank_sum += static_cast<double>(of_a.second - of_a.first) * mean_rank;
        ties += equal * equal * equal - equal;
        first = end;
    }
    const auto n_a = static_cast<double>(sorted_a.size());
    const auto n_b = static_cast<double>(sorted_b.size());
    const double n = n_a + n_b;
    const double variance = n < 2 ? 0 : n_a * n_b / 12 * (n + 1 - ties / (n * (n - 1)));
    const double continuity = 0.5;
    const double distance = std::abs(rank_sum - n_a * (n + 1) / 2) - continuity;
    return variance > 0 ? std::erfc(std::max(0.0, distance) / std::sqrt(2 * variance)) : 1;
}

std::vector<double> holm_adjusted(std::span<const double> p_values) {
    std::vector<std::size_t> order(p_values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t i, std::size_t j) { return p_values[i] < p_values[j]; });
    std::vector<double> adjusted(p_values.size());
    double largest = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const double corrected = p_values[order[i]] * static_cast<double>(order.size() - i);
        largest = std::max(largest, std::min(1.0, corrected));
        adjusted[order[i]] = largest;
    }
    return adjusted;
}

}  // namespace models
