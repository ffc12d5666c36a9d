// SPDX-License-Identifier: MIT
// Works on a band: log(a / b) with its interval, as a function of the octave, log2(bytes). Where the band is
// below zero a is better, above zero b.
#include "changeover_points.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>

#include "comparison.hpp"

namespace models {

namespace {

constexpr double octave_step = 0.125;
constexpr int bisections = 50;
constexpr double z_95 = 1.96;
constexpr double same_octave = 1e-9;  // a narrower range is rounding

struct Band {
    double low;
    double ratio;
    double high;
};
using BandCurve = std::function<Band(double octave)>;

double octave_of(std::size_t bytes) {
    return std::log2(static_cast<double>(bytes));
}

Better better_of(const Band& band) {
    return band.high < 0 ? Better::a : band.low > 0 ? Better::b : Better::tie;
}

Band interpolate(const Band& left, const Band& right, double part) {
    const auto between = [&](double l, double r) {
        return part <= 0 ? l : part >= 1 ? r : l + part * (r - l);  // ends exact, infinite ones too
    };
    return {between(left.low, right.low), between(left.ratio, right.ratio), between(left.high, right.high)};
}

// The octave where `is_left` stops holding; it holds at left and not at right
template <typename Predicate>
double boundary(double left, double right, Predicate is_left) {
    for (int i = 0; i < bisections; ++i) {
        const double middle = (left + right) / 2;
        (is_left(middle) ? left : right) = middle;
    }
    return (left + right) / 2;
}

class RangeList {
  public:
    explicit RangeList(double from_octave) : end_(from_octave) {}

    void extend(double to_octave, Better better) {
        if (to_octave - end_ < same_octave) {
            return;
        }
        if (ranges_.empty() || ranges_.back().better != better) {
            ranges_.push_back({std::exp2(end_), 0, better});
        }
        ranges_.back().to_bytes = std::exp2(to_octave);
        end_ = to_octave;
    }
    const std::vector<SizeRange>& ranges() const { return ranges_; }

  private:
    double end_;
    std::vector<SizeRange> ranges_;
};

std::vector<SizeRange> ranges_of(const BandCurve& band, const std::vector<double>& octaves) {
    RangeList list(octaves.front());
    Better left = better_of(band(octaves.front()));
    for (std::size_t i = 1; i < octaves.size(); ++i) {
        const Better right = better_of(band(octaves[i]));
        if (right != left) {
            const auto is = [&](Better wanted) {
                return [&, wanted](double octave) { return better_of(band(octave)) == wanted; };
            };
            const double left_ends = boundary(octaves[i - 1], octaves[i], is(left));
            const double right_starts =
                boundary(left_ends, octaves[i], [&](double octave) { return !is(right)(octave); });
            list.extend(left_ends, left);
            list.extend(right_starts, Better::tie);
        }
        list.extend(octaves[i], right);
        left = right;
    }
    if (list.ranges().empty()) {  // a single size
        return {{std::exp2(octaves.front()), std::exp2(octaves.back()), left}};
    }
    return list.ranges();
}

void require(bool condition, const char* what) {
    if (!condition) {
        throw std::invalid_argument(std::string("changeover points: ") + what);
    }
}

// Knots of the ratio's band at the measured sizes
struct Knots {
    std::vector<double> octaves;
    std::vector<Band> bands;

    // Constant beyond the first and the last
    Band at(double octave) const {
        const auto above = std::upper_bound(octaves.begin(), octaves.end(), octave) - octaves.begin();
        const auto right = static_cast<std::size_t>(above);
        if (right == 0 || right == octaves.size()) {
            return right == 0 ? bands.front() : bands.back();
        }
        const std::size_t left = right - 1;
        return interpolate(bands[left], bands[right],
                           (octave - octaves[left]) / (octaves[right] - octaves[left]));
    }
};

Band measured_band(const MeasuredSize& a, const MeasuredSize& b) {
    const Ratio ratio = ratio_of_medians(a.median_seconds, a.interval, b.median_seconds, b.interval);
    return {std::log(ratio.interval.low), std::log(ratio.ratio), std::log(ratio.interval.high)};
}

Knots measured_knots(std::span<const MeasuredSize> a, std::span<const MeasuredSize> b) {
    require(a.size() == b.size() && a.size() > 1, "both algorithms need the same sizes, at least two");
    Knots knots;
    for (std::size_t i = 0; i < a.size(); ++i) {
        require(a[i].bytes == b[i].bytes, "both algorithms must be measured at the same sizes");
        require(a[i].bytes > (i == 0 ? 0 : a[i - 1].bytes),
                "sizes must be above zero and in ascending order");
        for (const MeasuredSize& m : {a[i], b[i]}) {
            require(m.median_seconds > 0 && m.interval.low <= m.median_seconds &&
                        m.median_seconds <= m.interval.high,
                    "times must be above zero, each inside its interval");
        }
        knots.octaves.push_back(octave_of(a[i].bytes));
        knots.bands.push_back(measured_band(a[i], b[i]));
    }
    return knots;
}

double modelled_ratio(const Curve& a, const Curve& b, double octave) {
    const double seconds_a = a(std::exp2(octave));
    const double seconds_b = b(std::exp2(octave));
    require(seconds_a > 0 && seconds_b > 0, "a model gives a time of zero or less");
    return std::log(seconds_a / seconds_b);
}

std::vector<double> scan(std::size_t from_bytes, std::size_t to_bytes) {
    require(from_bytes > 0 && to_bytes >= from_bytes,
            "the range of sizes must start above zero and not end before its start");
    const double from = octave_of(from_bytes);
    const double to = octave_of(to_bytes);
    const auto steps = static_cast<int>(std::ceil((to - from) / octave_step));
    std::vector<double> octaves;
    for (int i = 0; i <= steps; ++i) {
        octaves.push_back(std::min(from + i * octave_step, to));
    }
    return octaves;
}

// Root mean square of the steps from one measured size to the next, per octave, as of a random walk
double error_per_octave(const Knots& corrections) {
    double squares = 0;
    const std::size_t steps = corrections.octaves.size() - 1;
    for (std::size_t i = 0; i < steps; ++i) {
        const double step = corrections.bands[i + 1].ratio - corrections.bands[i].ratio;
        squares += step * step / (corrections.octaves[i + 1] - corrections.octaves[i]);
    }
    return std::sqrt(squares / static_cast<double>(steps));
}

}  // namespace

std::size_t last_size_before(double changeover_bytes) {
    return static_cast<std::size_t>(std::floor(changeover_bytes));
}

std::vector<SizeRange> combined_changeover(const Curve& model_a, const Curve& model_b,
                                           std::span<const MeasuredSize> a, std::span<const MeasuredSize> b,
                                           std::size_t from_bytes, std::size_t to_bytes) {
    Knots corrections = measured_knots(a, b);
    for (std::size_t i = 0; i < corrections.octaves.size(); ++i) {
        const double modelled = modelled_ratio(model_a, model_b, corrections.octaves[i]);
        for (double Band::*value : {&Band::low, &Band::ratio, &Band::high}) {
            corrections.bands[i].*value -= modelled;
        }
    }
    const double first = corrections.octaves.front();
    const double last = corrections.octaves.back();
    const double widening = z_95 * error_per_octave(corrections);
    const auto band = [&](double octave) {
        const double modelled = modelled_ratio(model_a, model_b, octave);
        const Band correction = corrections.at(octave);
        const double beyond = widening * std::sqrt(std::max({0.0, first - octave, octave - last}));
        return Band{modelled + correction.low - beyond, modelled + correction.ratio,
                    modelled + correction.high + beyond};
    };
    std::vector<double> octaves = scan(from_bytes, to_bytes);
    const auto inside = [&](double octave) { return octave > octaves.front() && octave < octaves.back(); };
    std::vector<double> measured;
    std::copy_if(corrections.octaves.begin(), corrections.octaves.end(), std::back_inserter(measured),
                 inside);
    octaves.insert(octaves.end(), measured.begin(), measured.end());
    std::sort(octaves.begin(), octaves.end());
    return ranges_of(band, octaves);
}

}  // namespace models
