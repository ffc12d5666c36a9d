// SPDX-License-Identifier: MIT
// Stages and statuses have names that go to the journal and back; so do whole records.
#include "case_record.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace {

using namespace tuner;

TEST(StageNames, GoThereAndBack) {
    for (const Stage stage : {Stage::network, Stage::exchange, Stage::search, Stage::verify, Stage::check,
                              Stage::not_loaded, Stage::loaded}) {
        EXPECT_EQ(stage_from(to_string(stage)), stage) << to_string(stage);
    }
    EXPECT_STREQ(to_string(Stage::not_loaded), "not loaded");
    EXPECT_THROW(stage_from("serach"), std::invalid_argument);
}

TEST(StatusNames, GoThereAndBack) {
    for (const Status status : {Status::measured, Status::refused, Status::wrong_result,
                                Status::wrong_algorithm, Status::crashed}) {
        EXPECT_EQ(status_from(to_string(status)), status) << to_string(status);
    }
    EXPECT_THROW(status_from(""), std::invalid_argument);
}

TEST(StatusNames, OfOlderJournalsAreKnown) {
    EXPECT_EQ(status_from("poisoned"), Status::crashed);
}

TEST(CaseLine, GoesThereAndBack) {
    CaseRecord record;
    record.group = 7;
    record.stage = Stage::verify;
    record.network = "eth \"0\"";
    record.layout = {4, 2, Mapping::round_robin};
    record.collective = "bcast";
    record.algorithm = "ring";
    record.bytes = 4096;
    record.datatype = "byte";
    record.status = Status::crashed;
    record.reason = "it hung";
    record.samples_seconds = {1e-6 * 1, 1e-6 * 2.5};  // as microseconds are read
    std::vector<double> samples;
    const Json head = parse_line(to_line(record, 1), samples);
    EXPECT_EQ(record_from_head(head, samples), record);
}

TEST(CaseLine, ThatIsDamagedIsRefused) {
    std::vector<double> samples;
    EXPECT_THROW(parse_line(R"({"type":"case","samples_us":[1,2)", samples), std::exception);
    EXPECT_THROW(parse_line(R"({"type":"case","samples_us":[1,x]})", samples), std::exception);
    EXPECT_THROW(parse_line(R"({"type":"case","samples_us":[inf]})", samples), std::exception);
}

}  // namespace
