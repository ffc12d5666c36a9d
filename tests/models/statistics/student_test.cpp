// SPDX-License-Identifier: MIT
#include "student.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using models::student_quantile;
using models::student_upper_tail;

// Tables of Abramowitz and Stegun 26.10
TEST(Student, QuantilesAreThoseOfTables) {
    EXPECT_NEAR(student_quantile(0.025, 2), 4.303, 5e-4);
    EXPECT_NEAR(student_quantile(0.025, 10), 2.228, 5e-4);
    EXPECT_NEAR(student_quantile(0.05, 5), 2.015, 5e-4);
    EXPECT_NEAR(student_quantile(0.0005, 20), 3.850, 5e-4);
    EXPECT_NEAR(student_quantile(0.025, 1e6), 1.95996, 1e-4);
}

// One degree of freedom is Cauchy's distribution, two have a closed form
TEST(Student, TailsAreThoseOfClosedForms) {
    for (const double t : {0.1, 0.9, 1.0, 3.0, 50.0}) {
        EXPECT_NEAR(student_upper_tail(t, 1), std::atan2(1, t) / M_PI, 1e-12) << t;
        EXPECT_NEAR(student_upper_tail(t, 2), (1 - t / std::sqrt(2 + t * t)) / 2, 1e-12) << t;
        EXPECT_NEAR(student_upper_tail(-t, 2), (1 + t / std::sqrt(2 + t * t)) / 2, 1e-12) << t;
    }
    EXPECT_EQ(student_upper_tail(0, 7), 0.5);
}

TEST(Student, AQuantileIsTheInverseOfATail) {
    for (const double tail : {1e-8, 1e-4, 0.01, 0.3, 0.7, 0.999}) {
        EXPECT_NEAR(student_upper_tail(student_quantile(tail, 6.5), 6.5) / tail, 1, 1e-9);
    }
}

}  // namespace
