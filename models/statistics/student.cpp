// SPDX-License-Identifier: MIT
#include "student.hpp"

#include <cmath>
#include <initializer_list>

#include "log_gamma.hpp"
#include "remembered.hpp"

namespace models {

namespace {

constexpr double smallest = 1e-300;
constexpr double converged = 1e-15;
constexpr int most_steps = 500;

double away_from_zero(double x) {
    return std::abs(x) < smallest ? smallest : x;
}

// Continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), evaluated by Lentz's
// method
double beta_fraction(double a, double b, double x) {
    double c = 1;
    double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
    double fraction = d;
    for (int m = 1; m <= most_steps; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double step = 1;
        for (const double term : {even, odd}) {
            d = 1 / away_from_zero(1 + term * d);
            c = away_from_zero(1 + term / c);
            step = c * d;
            fraction *= step;
        }
        if (std::abs(step - 1) < converged) {
            break;
        }
    }
    return fraction;
}

double incomplete_beta(double a, double b, double x) {
    const double front =
        std::exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * std::log(x) + b * std::log1p(-x));
    // the fraction converges quickly on this side only
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
                                     : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

}  // namespace

double student_upper_tail(double t, double degrees_of_freedom) {
    if (t == 0) {
        return 0.5;
    }
    const double x = degrees_of_freedom / (degrees_of_freedom + t * t);
    const double tail = x <= 0 ? 0 : incomplete_beta(degrees_of_freedom / 2, 0.5, x) / 2;
    return t > 0 ? tail : 1 - tail;
}

namespace {

// By bisection; of a tail up to one half
double computed_quantile(double upper_tail, double degrees_of_freedom) {
    double high = 1;
    while (student_upper_tail(high, degrees_of_freedom) > upper_tail) {
        high *= 2;
    }
    double low = 0;
    while (high - low > 1e-12 * high) {
        const double middle = (low + high) / 2;
        (student_upper_tail(middle, degrees_of_freedom) > upper_tail ? low : high) = middle;
    }
    return (low + high) / 2;
}

}  // namespace

double student_quantile(double upper_tail, double degrees_of_freedom) {
    if (upper_tail > 0.5) {
        return -student_quantile(1 - upper_tail, degrees_of_freedom);
    }
    thread_local Remembered quantiles;
    return quantiles.of(upper_tail, degrees_of_freedom, computed_quantile);
}

}  // namespace models
