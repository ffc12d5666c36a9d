// SPDX-License-Identifier: MIT
// The schemes that measure overlap, with operations whose overlap is known: one that goes on by itself, and
// one that makes progress only while it is waited for. On a clock of the test, so that a busy machine does
// not matter.
#include "overlap.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace bench;

constexpr double transfer = 2e-3;  // seconds of the whole operation

// Goes on with each look at it, and by what is done
struct TestClock {
    mutable double time = 0;
    double now() const { return time += 1e-7; }
};

class Operation {
  public:
    explicit Operation(const TestClock& clock) : clock_(clock) {}

  protected:
    void wait_until(double end) const { clock_.time = std::max(clock_.time, end); }
    void spend(double seconds) const { clock_.time += seconds; }
    const TestClock& clock_;
};

struct Ideal : Operation {
    using Operation::Operation;
    double end = 0;
    void start() { end = clock_.time + transfer; }
    void test() {}
    void wait() const { wait_until(end); }
};

struct Worst : Operation {
    using Operation::Operation;
    void start() {}
    void test() {}
    void wait() const { spend(transfer); }
};

// Each test moves a fifth
struct InParts : Operation {
    using Operation::Operation;
    int left = 0;
    void start() { left = 5; }
    void test() {
        if (left > 0) {
            spend(transfer / 5);
            --left;
        }
    }
    void wait() {
        while (left > 0) {
            test();
        }
    }
};

class OverlapTest : public testing::TestWithParam<bool> {
  protected:
    template <class Tested>
    double overlap(int tests, double seconds = transfer) const {
        Tested operation(clock);
        const auto work = [&](double of_work) { clock.time += of_work; };
        return overlap_of(transfer, overhead_of(operation, {seconds, tests, GetParam()}, clock, work));
    }

    const TestClock clock;
};

TEST_P(OverlapTest, OfWhatGoesOnByItselfIsAll) {
    for (const int tests : {0, 1, 5}) {
        EXPECT_NEAR(overlap<Ideal>(tests), 1, 0.01) << tests;
    }
}

TEST_P(OverlapTest, OfWhatOnlyWaitsIsNone) {
    for (const int tests : {0, 1, 5}) {
        EXPECT_NEAR(overlap<Worst>(tests), 0, 0.01) << tests;
    }
}

TEST_P(OverlapTest, OfHalfTheComputationIsHalf) {
    EXPECT_NEAR(overlap<Ideal>(0, transfer / 2), 0.5, 0.01);
}

// What tests do is overhead, too
TEST_P(OverlapTest, WorkInsideOfTestsIsNotHidden) {
    EXPECT_NEAR(overlap<InParts>(5), 0, 0.01);
}
INSTANTIATE_TEST_SUITE_P(Schemes, OverlapTest, testing::Bool());

struct Counting {
    int tests = 0;
    void start() {}
    void test() { ++tests; }
    void wait() {}
};

TEST(Overlap, MakesAsManyTestsAsAskedFor) {
    const TestClock clock;
    for (const int tests : {0, 1, 2, 3, 17}) {
        Counting counting;
        overhead_of(counting, {1e-5, tests, false}, clock, [](double) {});
        EXPECT_EQ(counting.tests, tests);
    }
}

TEST(Overlap, TestsFollowTheSize) {
    EXPECT_EQ(tests_for(4096, 2048), 3);  // the paper's example
    EXPECT_EQ(tests_for(4097, 2048), 4);
    EXPECT_EQ(tests_for(100, 2048), 2);
    EXPECT_EQ(tests_for(4096, 0), 0);
}

}  // namespace
