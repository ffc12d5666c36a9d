// SPDX-License-Identifier: MIT
#include "stopping.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "statistics.hpp"

namespace models {

namespace {

class SortedSamples : public PrecisionRule {
  public:
    explicit SortedSamples(double target) : target_(target) {}
    void add(double sample) override {
        sorted_.insert(std::upper_bound(sorted_.begin(), sorted_.end(), sample), sample);
    }
    bool is_precise() const override { return precision() <= target_; }

  protected:
    std::vector<double> sorted_;

  private:
    double target_;
};

class MedianRule : public SortedSamples {
  public:
    using SortedSamples::SortedSamples;
    void add(double sample) override {
        SortedSamples::add(sample);
        samples_.push_back(sample);
    }
    double precision() const override {
        if (sorted_.empty()) {
            return std::numeric_limits<double>::infinity();
        }
        return relative_half_width(median_interval_in_order(samples_, sorted_, confidence_when_stopped),
                                   median(sorted_));
    }

  private:
    std::vector<double> samples_;  // in their order
};

class TrimmedMeanRule : public SortedSamples {
  public:
    using SortedSamples::SortedSamples;
    double precision() const override {
        const auto cut = sorted_.size() / 4;
        const std::span<const double> kept = std::span(sorted_).subspan(cut, sorted_.size() - 2 * cut);
        if (kept.size() < 2) {
            return std::numeric_limits<double>::infinity();
        }
        return standard_deviation(kept) / std::sqrt(static_cast<double>(kept.size())) / mean(kept);
    }
};

}  // namespace

std::unique_ptr<PrecisionRule> median_rule(double target) {
    return std::make_unique<MedianRule>(target);
}

std::unique_ptr<PrecisionRule> trimmed_mean_rule(double target) {
    return std::make_unique<TrimmedMeanRule>(target);
}

Stopping::Stopping(std::unique_ptr<PrecisionRule> rule, const Limits& limits)
    : rule_(std::move(rule)), limits_(limits), next_look_(limits.min_repetitions) {}

void Stopping::add(double sample, double seconds_so_far) {
    rule_->add(sample);
    ++count_;
    if (count_ >= next_look_) {
        next_look_ = count_ + std::max<std::size_t>(1, count_ / 4);
        if (rule_->is_precise()) {
            ended_ = Ended::precise;
            return;
        }
    }
    if (count_ >= limits_.max_repetitions) {
        ended_ = Ended::repetitions;
    } else if (seconds_so_far >= limits_.max_seconds &&
               count_ >= std::min(fewest_repetitions, limits_.min_repetitions)) {
        ended_ = Ended::time;
    }
}

const char* to_string(Ended ended) {
    switch (ended) {
        case Ended::precise:
            return "precise";
        case Ended::repetitions:
            return "repetitions";
        case Ended::time:
            return "time";
        case Ended::decided:
            return "decided";
        default:
            return "not yet";
    }
}

}  // namespace models
