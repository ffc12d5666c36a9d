// SPDX-License-Identifier: MIT
// How much less a sequence of times says about its median than as many independent ones: neighbours in time
// share what disturbs them, and the level drifts.
#pragma once

#include <span>

namespace models {

// Variance of the median of a sequence with this autocorrelation / variance with independent samples; at
// least 1. The larger of two estimates: that of a first-order autoregression (samples that forget quickly),
// and that of sums over ever longer batches, where these vary significantly more (slow drift). `samples` in
// the order in which they were measured, `sorted` the same ones sorted. Linear in their number, without
// allocation.
double variance_inflation(std::span<const double> samples, std::span<const double> sorted);

}  // namespace models
