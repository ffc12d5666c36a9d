// SPDX-License-Identifier: MIT
#include "crashed_cases.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

CaseRecord ring_case(std::size_t bytes, Status status) {
    CaseRecord record;
    record.collective = "allgather";
    record.algorithm = "ring";
    record.bytes = bytes;
    record.status = status;
    return record;
}

TEST(CrashedCases, AreThoseThatWereNeverMeasured) {
    RunData run;
    run.cases = {ring_case(8, Status::crashed),  ring_case(64, Status::crashed),
                 ring_case(8, Status::measured), ring_case(512, Status::measured),
                 ring_case(64, Status::crashed), ring_case(4096, Status::crashed)};
    const auto sizes = [&](std::ptrdiff_t tries) {
        std::vector<std::size_t> found;
        for (const CaseRecord& record : still_crashed(run, tries)) {
            found.push_back(record.bytes);
        }
        return found;
    };
    EXPECT_EQ(sizes(0), (std::vector<std::size_t>{64, 4096}));
    EXPECT_EQ(sizes(1), std::vector<std::size_t>{4096});
}

}  // namespace
