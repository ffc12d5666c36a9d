// SPDX-License-Identifier: MIT
// The logarithm of the gamma function of a positive number, in any thread: std::lgamma also writes the sign
// into a variable of the C library that all threads share.
#pragma once

#include <math.h>  // <cmath> has no lgamma_r

namespace models {

inline double log_gamma(double positive) {
    int sign = 0;
    return ::lgamma_r(positive, &sign);
}

}  // namespace models
