// SPDX-License-Identifier: MIT
// Student's t distribution, for estimates whose variance is itself estimated from few observations.
#pragma once

namespace models {

// Probability of a value above `t`. `degrees_of_freedom` need not be a whole number, but above zero.
double student_upper_tail(double t, double degrees_of_freedom);

// The value that is exceeded with this probability; between 0 and 1, both excluded
double student_quantile(double upper_tail, double degrees_of_freedom);

}  // namespace models
