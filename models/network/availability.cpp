// SPDX-License-Identifier: MIT
#include "availability.hpp"

#include <algorithm>

#include "statistics.hpp"

namespace models {

namespace {

constexpr std::size_t iterations_without_work = 3;
constexpr std::size_t iterations_with_enough = 3;  // one may be long by chance
constexpr double steps_in_a_transfer = 8;
constexpr double least_fall = 0.3;
constexpr double least_before = 0.5;  // below this, a fall is noise

double median_of(std::vector<double> samples) {
    std::sort(samples.begin(), samples.end());
    return median(samples);
}

}  // namespace

void PostWorkWait::add(double iteration_seconds) {
    if (unlengthened_.size() < iterations_without_work) {
        unlengthened_.push_back(iteration_seconds);
        transfer_seconds_ = median_of(unlengthened_);
        if (unlengthened_.size() < iterations_without_work) {
            return;
        }
    } else if (iteration_seconds > stop_ * transfer_seconds_ || !last_.empty()) {
        last_.push_back(iteration_seconds);
        if (last_.size() < iterations_with_enough) {
            return;
        }
        if (*std::min_element(last_.begin(), last_.end()) > stop_ * transfer_seconds_) {
            is_finished_ = true;
            return;
        }
        last_.clear();
    } else if (iteration_seconds <= base_ * transfer_seconds_) {
        // the paper takes the mean; the median tolerates an iteration that was disturbed
        unlengthened_.push_back(iteration_seconds);
        transfer_seconds_ = median_of(unlengthened_);
    }
    work_seconds_ += transfer_seconds_ / steps_in_a_transfer;
}

Availability PostWorkWait::result(double work_seconds) const {
    // what the system adds only makes an iteration longer
    const double overhead = *std::min_element(last_.begin(), last_.end()) - work_seconds;
    return {transfer_seconds_, overhead, 1 - overhead / transfer_seconds_};
}

std::optional<AvailabilityFall> largest_fall(std::span<const AvailabilityPoint> points) {
    std::optional<AvailabilityFall> largest;
    double fall = least_fall;
    for (std::size_t i = 1; i < points.size(); ++i) {
        if (points[i - 1].availability >= least_before &&
            points[i - 1].availability - points[i].availability >= fall) {
            fall = points[i - 1].availability - points[i].availability;
            largest = {points[i - 1], points[i]};
        }
    }
    return largest;
}

}  // namespace models
