// SPDX-License-Identifier: MIT
#include "histogram.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tuner::report {

namespace {

constexpr std::size_t bars_of_a_plot = 48;

}  // namespace

Histogram::Histogram(const Frame& frame)
    : frame_(frame),
      bar_width_(frame.width() / static_cast<double>(bars_of_a_plot)),
      counts_(bars_of_a_plot, 0) {}

void Histogram::add(double x) {
    const auto bar = static_cast<std::size_t>(std::max(0.0, (x - frame_.left) / bar_width_));
    ++counts_[std::min(bar, bars_of_a_plot - 1)];
}

std::size_t Histogram::most() const {
    return *std::max_element(counts_.begin(), counts_.end());
}

std::string Histogram::bars(std::size_t highest) const {
    std::string path;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        if (counts_[i] > 0) {
            const double height =
                frame_.height() * static_cast<double>(counts_[i]) / static_cast<double>(highest);
            path +=
                fmt::format("M{},{}v-{}h{}v{}z", number(frame_.left + static_cast<double>(i) * bar_width_),
                            number(frame_.bottom), number(height), number(bar_width_), number(height));
        }
    }
    return path;
}

std::size_t most_of(const std::vector<Histogram>& histograms) {
    std::size_t most = 1;
    for (const Histogram& histogram : histograms) {
        most = std::max(most, histogram.most());
    }
    return most;
}

}  // namespace tuner::report
