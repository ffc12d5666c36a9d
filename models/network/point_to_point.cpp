// SPDX-License-Identifier: MIT
#include "point_to_point.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <stdexcept>

#include "fit.hpp"

namespace models {

namespace {

using Eigen::Index;

constexpr std::size_t min_sizes = 4;     // of a segment; a line fits any two
constexpr double smallest_noise = 0.01;  // a line with smaller errors needs no boundary
constexpr double infinity = std::numeric_limits<double>::infinity();

// Half a round trip of one message
struct OneWay {
    double bytes;
    double seconds;
};

FitProblem line(std::span<const OneWay> samples) {
    FitProblem problem{
        {"alpha", "beta"}, Eigen::MatrixXd(samples.size(), 2), Eigen::VectorXd(samples.size())};
    for (std::size_t i = 0; i < samples.size(); ++i) {
        problem.features.row(static_cast<Index>(i)) << 1, samples[i].bytes;
        problem.seconds[static_cast<Index>(i)] = samples[i].seconds;
    }
    return problem;
}

// One sample for each size: the median of its times. Outliers among several times of a size end here.
std::vector<OneWay> medians_by_size(std::span<const OneWay> samples) {
    std::map<double, std::vector<double>> by_size;
    for (const OneWay& sample : samples) {
        if (!(sample.seconds > 0) || !(sample.bytes >= 0)) {
            throw std::invalid_argument(
                "point-to-point: times must be above zero and sizes must not be negative");
        }
        by_size[sample.bytes].push_back(sample.seconds);
    }
    std::vector<OneWay> medians;
    for (auto& [bytes, seconds] : by_size) {
        std::sort(seconds.begin(), seconds.end());
        medians.push_back({bytes, median(seconds)});
    }
    return medians;
}

// Of lines through a few neighbouring sizes: most of these windows have no boundary inside
double local_noise(std::span<const OneWay> sizes) {
    constexpr std::size_t window = 2 * min_sizes;
    std::vector<double> noises;
    for (std::size_t first = 0; first + window <= sizes.size(); ++first) {
        noises.push_back(fit(line(sizes.subspan(first, window))).noise);
    }
    if (noises.empty()) {
        return std::max(smallest_noise, fit(line(sizes)).noise);
    }
    std::sort(noises.begin(), noises.end());
    return std::max(smallest_noise, median(noises));
}

// An outlier costs no more than a residual of three times the noise
double bounded_loss(std::span<const OneWay> sizes, double noise) {
    const FitResult fitted = fit(line(sizes));
    double sum = 0;
    for (const double residual : fitted.residuals) {
        sum += std::min(9.0, std::pow(residual / noise, 2));
    }
    return sum;
}

// First size of each segment, by dynamic programming over the ends of segments
std::vector<std::size_t> segment_starts(std::span<const OneWay> sizes, int max_segments) {
    const std::size_t n = sizes.size();
    const double noise = local_noise(sizes);
    std::vector<std::vector<double>> loss(n + 1, std::vector<double>(n + 1, infinity));
    for (std::size_t first = 0; first < n; ++first) {
        for (std::size_t end = first + min_sizes; end <= n; ++end) {
            loss[first][end] = bounded_loss(sizes.subspan(first, end - first), noise);
        }
    }
    // two parameters and a boundary, which counts as two more because it was searched for
    const double penalty = 4 * std::log(static_cast<double>(n));
    std::vector<std::size_t> best = {0};
    double best_criterion = n < 2 * min_sizes ? -infinity : loss[0][n];
    std::vector<std::vector<std::size_t>> starts(n + 1, {0});  // of the best split of the first `end` sizes
    std::vector<double> total = loss[0];
    for (int segments = 2; segments <= max_segments; ++segments) {
        std::vector<double> next_total(n + 1, infinity);
        std::vector<std::vector<std::size_t>> next_starts(n + 1);
        for (std::size_t end = 0; end <= n; ++end) {
            for (std::size_t first = 1; first < end; ++first) {
                if (total[first] + loss[first][end] < next_total[end]) {
                    next_total[end] = total[first] + loss[first][end];
                    next_starts[end] = starts[first];
                    next_starts[end].push_back(first);
                }
            }
        }
        total = next_total;
        starts = next_starts;
        const double criterion = total[n] + penalty * (segments - 1);
        if (criterion < best_criterion) {
            best_criterion = criterion;
            best = starts[n];
        }
    }
    return best;
}

struct SizeSpan {
    double from_bytes;
    double to_bytes;
    bool holds(double bytes) const { return from_bytes <= bytes && bytes <= to_bytes; }
};

std::vector<SizeSpan> segments_of(std::span<const OneWay> samples, int max_segments) {
    if (samples.empty()) {
        throw std::invalid_argument("point-to-point: no round trip of one message");
    }
    const std::vector<OneWay> sizes = medians_by_size(samples);
    const std::vector<std::size_t> starts = segment_starts(sizes, max_segments);
    std::vector<SizeSpan> spans;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const std::size_t end = i + 1 < starts.size() ? starts[i + 1] : sizes.size();
        spans.push_back({sizes[starts[i]].bytes, sizes[end - 1].bytes});
    }
    return spans;
}

enum Column { latency, send_overhead, receive_overhead, gap, gap_per_byte, delay, columns };

double further_bytes(double bytes) {
    return std::max(0.0, bytes - 1);
}

bool sends_wait_for_overhead(const LogGpSegment& segment, const RoundTrip& trip) {
    return segment.send_overhead_seconds.value + trip.delay_seconds >
           segment.gap_seconds.value + further_bytes(trip.bytes) * segment.gap_seconds_per_byte.value;
}

// All round trips are linear in the parameters once it is known which side of the maximum holds
Eigen::RowVectorXd features_of(const RoundTrip& trip, bool overhead_is_larger) {
    const double more = trip.messages - 1;
    Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(columns);
    row[latency] = 2;
    row[send_overhead] = 2;
    row[receive_overhead] = 2;
    row[gap_per_byte] = 2 * further_bytes(trip.bytes);
    if (overhead_is_larger) {
        row[send_overhead] += more;
        row[delay] = more * trip.delay_seconds;
    } else {
        row[gap] = more;
        row[gap_per_byte] += more * further_bytes(trip.bytes);
    }
    return row;
}

LogGpSegment fit_segment(const SizeSpan& span, std::span<const RoundTrip> trips,
                         std::span<const ReceiveCall> receive_calls,
                         const std::vector<bool>& overhead_is_larger) {
    const auto rows = static_cast<Index>(trips.size() + receive_calls.size());
    FitProblem problem{
        {"L", "o_s", "o_r", "g", "G", "delay"}, Eigen::MatrixXd::Zero(rows, columns), Eigen::VectorXd(rows)};
    Index row = 0;
    for (std::size_t i = 0; i < trips.size(); ++i, ++row) {
        problem.features.row(row) = features_of(trips[i], overhead_is_larger[i]);
        problem.seconds[row] = trips[i].seconds;
    }
    for (const ReceiveCall& call : receive_calls) {
        problem.features(row, receive_overhead) = 1;
        problem.seconds[row++] = call.seconds;
    }
    if (receive_calls.empty()) {
        problem.features.col(send_overhead) += problem.features.col(receive_overhead);
        problem.features.col(receive_overhead).setZero();
    }
    problem.priors = {{delay, 1, 1e-6}};  // the delay is known: its factor is 1
    const FitResult fitted = fit(problem);
    const auto parameter = [&](Column column) { return fitted.parameters[static_cast<std::size_t>(column)]; };
    LogGpSegment segment{span.from_bytes,
                         span.to_bytes,
                         parameter(latency),
                         parameter(send_overhead),
                         parameter(receive_calls.empty() ? send_overhead : receive_overhead),
                         parameter(gap),
                         parameter(gap_per_byte),
                         fitted.noise};
    segment.receive_overhead_seconds.name = "o_r";
    return segment;
}

template <typename Sample>
std::vector<Sample> within(const SizeSpan& span, std::span<const Sample> samples) {
    std::vector<Sample> found;
    std::copy_if(samples.begin(), samples.end(), std::back_inserter(found),
                 [&](const Sample& sample) { return span.holds(sample.bytes); });
    return found;
}

LogGpSegment log_gp_segment(const SizeSpan& span, std::span<const RoundTrip> all_trips,
                            std::span<const ReceiveCall> all_receive_calls) {
    const std::vector<RoundTrip> trips = within(span, all_trips);
    const std::vector<ReceiveCall> receive_calls = within(span, all_receive_calls);
    std::vector<bool> overhead_is_larger(trips.size());
    std::transform(trips.begin(), trips.end(), overhead_is_larger.begin(),
                   [](const RoundTrip& trip) { return trip.delay_seconds > 0; });
    LogGpSegment segment = fit_segment(span, trips, receive_calls, overhead_is_larger);
    for (int round = 0; round < 10; ++round) {
        std::vector<bool> before = overhead_is_larger;
        std::transform(trips.begin(), trips.end(), overhead_is_larger.begin(),
                       [&](const RoundTrip& trip) { return sends_wait_for_overhead(segment, trip); });
        if (before == overhead_is_larger) {
            break;
        }
        segment = fit_segment(span, trips, receive_calls, overhead_is_larger);
    }
    return segment;
}

}  // namespace

std::vector<LogGpSegment> log_gp(std::span<const RoundTrip> round_trips,
                                 std::span<const ReceiveCall> receive_calls, int max_segments) {
    std::vector<OneWay> single;
    for (const RoundTrip& trip : round_trips) {
        if (trip.messages == 1) {
            single.push_back({trip.bytes, trip.seconds / 2});
        }
    }
    std::vector<LogGpSegment> segments;
    for (const SizeSpan& span : segments_of(single, max_segments)) {
        segments.push_back(log_gp_segment(span, round_trips, receive_calls));
    }
    return segments;
}

}  // namespace models
