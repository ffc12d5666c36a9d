// SPDX-License-Identifier: MIT
// What an audit finds, and what it makes of noise, with made-up ratios whose truth is known.
#include "audit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace {

using namespace tuner;

constexpr double noise_of_pairs = 0.01;
constexpr double noise_of_jobs = 0.03;

// One case for each of the true ratios (call / mock-up), as three jobs measure them
std::vector<AuditCase> measured(const std::vector<double>& ratios, std::uint64_t seed,
                                bool is_loaded = false) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::vector<AuditCase> cases;
    for (std::size_t i = 0; i < ratios.size(); ++i) {
        AuditCase one = {{"eth", {4, 2}, "allreduce", "sum"}, std::size_t{8} << i, "mockup:reduce+bcast"};
        one.is_loaded = is_loaded;
        one.rule = is_loaded ? "smp" : "";
        for (std::size_t job = 0; job < jobs_of_audit; ++job) {
            const double difference = noise_of_jobs * normal(random) + noise_of_pairs * normal(random);
            one.jobs.push_back({std::log(ratios[i]) + difference, noise_of_pairs * noise_of_pairs});
        }
        cases.push_back(one);
    }
    return cases;
}

std::size_t violations(const std::vector<AuditResult>& results) {
    return static_cast<std::size_t>(std::count_if(
        results.begin(), results.end(), [](const AuditResult& result) { return result.is_violated; }));
}

}  // namespace

TEST(Audit, FalseAlarmsAreRare) {
    constexpr std::uint64_t trials = 200;
    int alarms = 0;
    for (std::uint64_t seed = 0; seed < trials; ++seed) {
        alarms += violations(judge_audit(measured(std::vector<double>(50, 1.0), seed))) > 0;
    }
    EXPECT_LE(alarms, 10) << "of 200 audits of 50 comparisons, all equal";
}

TEST(Audit, PlantedViolationsAreAllFound) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        std::vector<double> ratios(50, 1.0);
        ratios[3] = 1.3;
        ratios[20] = 2;
        ratios[40] = 1.25;
        const std::vector<AuditResult> results = judge_audit(measured(ratios, seed));
        EXPECT_TRUE(results[3].is_violated && results[20].is_violated && results[40].is_violated) << seed;
        EXPECT_NEAR(results[20].ratio.ratio, 2, 0.2);
        EXPECT_LE(violations(results), 4U) << seed;
    }
}

TEST(Audit, SmallDifferencesAreTolerated) {
    std::vector<AuditCase> cases = measured(std::vector<double>(30, 1.03), 1);
    for (AuditCase& one : cases) {
        one.jobs.assign(jobs_of_audit, {std::log(1.03), 1e-8});
    }
    EXPECT_EQ(violations(judge_audit(cases)), 0U) << "3%, beyond chance";
}

TEST(Audit, TellsWhatTheRulesChange) {
    std::vector<AuditCase> cases = measured({1, 1.5, 1.5, 1}, 1);
    const std::vector<AuditCase> loaded = measured({1, 1, 1.5, 1.5}, 2, true);
    cases.insert(cases.end(), loaded.begin(), loaded.end());
    const std::vector<AuditResult> results = judge_audit(cases);
    ASSERT_EQ(results.size(), 8U);
    for (std::size_t i = 0; i < results.size(); ++i) {
        EXPECT_EQ(results[i].of.bytes, 8U << (i / 2));
        EXPECT_EQ(results[i].of.is_loaded, i % 2 == 1) << "by size, the default first";
        EXPECT_EQ(results[i].is_removed, i == 2) << i;
        EXPECT_EQ(results[i].is_new, i == 7) << i;
    }
}

TEST(Audit, ACallWithoutARuleIsOnlyOutpaced) {
    struct Expected {
        const char* mock_up;
        const char* rule;  // for the collective
        bool is_outpaced;
    };
    for (const Expected& expected : {Expected{"mockup:reduce+bcast", "smp", false},
                                     {"mockup:reduce+bcast", "", true},
                                     {"mockup:double_size", "", true},
                                     {"mockup:nonblocking", "", false},  // nor has the right side a rule
                                     {"mockup:persistent", "smp", true},
                                     {"mockup:persistent", "", false}}) {
        std::vector<AuditCase> cases = measured({1}, 1);
        const std::vector<AuditCase> loaded = measured({1.5}, 2, true);
        cases.insert(cases.end(), loaded.begin(), loaded.end());
        for (AuditCase& one : cases) {
            one.mock_up = expected.mock_up;
            one.rule = one.is_loaded ? expected.rule : "";
        }
        const AuditResult with_rules = judge_audit(cases).at(1);
        EXPECT_TRUE(with_rules.is_violated);
        EXPECT_EQ(with_rules.is_outpaced, expected.is_outpaced) << expected.mock_up << " " << expected.rule;
        EXPECT_EQ(with_rules.is_new, !expected.is_outpaced) << expected.mock_up << " " << expected.rule;
    }
}

TEST(Audit, ACaseThatLacksAJobIsLeftOut) {
    std::vector<AuditCase> cases = measured({1, 1.5, 1}, 1);
    cases[1].jobs.pop_back();
    EXPECT_EQ(judge_audit(cases).size(), 2U);
    EXPECT_TRUE(judge_audit({}).empty());
}
