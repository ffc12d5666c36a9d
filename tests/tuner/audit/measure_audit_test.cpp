// SPDX-License-Identifier: MIT
// What an audit asks for, with answers that are written here.
#include "measure_audit.hpp"

#include <gtest/gtest.h>

#include <set>

namespace {

using namespace tuner;

const Layout layout = {4, 2};

Cells measured_cells() {
    Cells cells;
    for (const char* collective : {"bcast", "barrier"}) {
        Cell& cell = cells[{"eth", layout, collective, ""}];
        for (const std::size_t bytes : {8, 64, 512, 4096}) {
            cell.times[bytes][default_algorithm].time.median_seconds = 1e-5;
        }
    }
    cells[{"eth", {2, 1}, "bcast", ""}] = cells.begin()->second;
    return cells;
}

// Mock-ups take half as long as the call; one of them fails
struct Answers {
    std::vector<PairRequest> asked = {};
    std::size_t requests_left = 1000;

    std::vector<CaseRecord> operator()(const PairRequest& request) {
        if (asked.size() == requests_left) {
            return {};
        }
        asked.push_back(request);
        std::vector<CaseRecord> records(2);
        for (std::size_t i = 0; i < 2; ++i) {
            records[i].algorithm = request.algorithms.at(i);
            records[i].samples_seconds.assign(10, i == 0 ? 2.0 : 1.0);
        }
        if (request.algorithms[1] == "mockup:two_halves" && request.bytes == 8) {
            records[1].status = Status::crashed;
            records[1].reason = "the job died";
        }
        return records;
    }
};

TEST(MeasureAudit, ComparesEveryGuidelineAtSizesOfTheCell) {
    const std::vector<AuditCase> cases = cases_to_audit(measured_cells(), "eth", layout, {});
    std::set<std::pair<std::string, std::string>> compared;
    for (const AuditCase& one : cases) {
        compared.emplace(one.cell.collective, one.mock_up);
        EXPECT_EQ(one.cell.layout, layout);
    }
    EXPECT_TRUE(compared.contains({"bcast", "mockup:scatter+allgather"}));
    EXPECT_TRUE(compared.contains({"bcast", "mockup:double_size"}));
    EXPECT_TRUE(compared.contains({"barrier", "mockup:allreduce"}));
    EXPECT_EQ(cases_to_audit(measured_cells(), "eth", layout, {"bcast"}).size(), 5U * 4U);
    EXPECT_TRUE(cases_to_audit(measured_cells(), "eth", layout, {"scan"}).empty());
    EXPECT_TRUE(cases_to_audit(measured_cells(), "ib", layout, {}).empty());
}

TEST(MeasureAudit, AsksForPairsOfTheCallAndItsMockUpInThreeJobs) {
    std::vector<AuditCase> cases = cases_to_audit(measured_cells(), "eth", layout, {"bcast"});
    Answers answers;
    std::vector<std::string> notes;
    EXPECT_TRUE(measure_audit(cases, std::ref(answers), notes));
    std::set<int> jobs;
    for (const PairRequest& request : answers.asked) {
        EXPECT_EQ(request.algorithms.front(), default_algorithm);
        EXPECT_TRUE(request.shares_job);
        jobs.insert(request.job);
    }
    EXPECT_EQ(jobs, std::set({0, 1, 2}));
    EXPECT_EQ(answers.asked.size(), 3U * 19U + 1U) << "what failed is not asked for again";
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes.front(), "eth 4x2 bcast 8, mockup:two_halves: the job died");
    for (const AuditResult& result : judge_audit(cases)) {
        const bool is_persistent = result.of.mock_up == "mockup:persistent";
        EXPECT_NEAR(result.ratio.ratio, is_persistent ? 0.5 : 2, 1e-6);
        EXPECT_EQ(result.is_violated, !is_persistent) << "a fast persistent call is no violation";
    }
}

TEST(MeasureAudit, SaysThatItWasStopped) {
    std::vector<AuditCase> cases = cases_to_audit(measured_cells(), "eth", layout, {"bcast"});
    Answers answers;
    answers.requests_left = 20;
    std::vector<std::string> notes;
    EXPECT_FALSE(measure_audit(cases, std::ref(answers), notes));
}

}  // namespace
