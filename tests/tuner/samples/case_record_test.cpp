// SPDX-License-Identifier: MIT
// Stages and statuses have names that go to the journal and back; so do whole records.
#include "case_record.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace {

using namespace tuner;

TEST(StageNames, GoThereAndBack) {
    for (const Stage stage : {Stage::network, Stage::exchange, Stage::search, Stage::verify, Stage::check,
                              Stage::not_loaded, Stage::loaded, Stage::audit, Stage::audit_loaded}) {
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

TEST(CaseLine, HasRanksOnlyOfAnUnevenLayout) {
    CaseRecord record;
    record.collective = "bcast";
    record.layout = {4, 2};
    EXPECT_EQ(to_line(record, 1).find("\"ranks\""), std::string::npos) << "as in older journals";
    record.layout.missing = 1;
    std::vector<double> samples;
    const Json head = parse_line(to_line(record, 1), samples);
    EXPECT_EQ(head.at("ranks"), 7);
    EXPECT_EQ(record_from_head(head, samples), record);
}

TEST(CaseLine, KeepsTheCallsInARowAndTheSkewOnlyIfTheySayAnything) {
    CaseRecord record;
    record.collective = "bcast";
    EXPECT_EQ(to_line(record, 1).find("calls_in_a_row"), std::string::npos) << "as in older journals";
    EXPECT_EQ(to_line(record, 1).find("start_skew"), std::string::npos);
    record.calls_in_a_row = 10;
    record.start_skew_seconds = 1e-6 * 2.125;
    std::vector<double> samples;
    const Json head = parse_line(to_line(record, 1), samples);
    EXPECT_EQ(head.at("calls_in_a_row"), 10);
    EXPECT_EQ(head.at("start_skew_us"), 2.125);
    EXPECT_EQ(record_from_head(head, samples), record);
}

TEST(CaseLine, KeepsThePatternOfArrival) {
    CaseRecord record;
    record.collective = "bcast";
    record.stage = Stage::arrivals;
    record.arrival = "one-late:0.5";
    record.communicators = "rows:2";
    record.by_arrival = {{"one-late:0.5", 1e-6 * 12}, {"together", 1e-6 * 9.5}};
    record.bits = {"0123456789abcdef", false};
    std::vector<double> samples;
    const Json head = parse_line(to_line(record, 1), samples);
    EXPECT_EQ(head.at("stage"), "arrivals");
    EXPECT_EQ(record_from_head(head, samples), record);
    Json answer = head;
    answer["arrival"] = {{"pattern", "one-late"}, {"width", 0.5}, {"unit_us", 120.5}};
    EXPECT_EQ(record_from_answer(answer, "eth", {}).arrival, "one-late:0.5");
    answer["arrival"] = {{"pattern", "back-to-back"}};
    EXPECT_EQ(record_from_answer(answer, "eth", {}).arrival, "back-to-back");
}

TEST(CaseLine, ThatIsDamagedIsRefused) {
    std::vector<double> samples;
    EXPECT_THROW(parse_line(R"({"type":"case","samples_us":[1,2)", samples), std::exception);
    EXPECT_THROW(parse_line(R"({"type":"case","samples_us":[1,x]})", samples), std::exception);
    EXPECT_THROW(parse_line(R"({"type":"case","samples_us":[inf]})", samples), std::exception);
}

TEST(CaseLine, HasAChecksum) {
    CaseRecord record;
    record.collective = "bcast";
    record.samples_seconds = {1e-6 * 1, 1e-6 * 2.5};
    const std::string plain = to_line(record, 1);
    const std::string line = with_checksum(plain);
    EXPECT_FALSE(has_checksum(plain));
    EXPECT_TRUE(has_checksum(line));
    EXPECT_TRUE(Json::parse(line).at("crc").is_string()) << "still JSON";
    for (const std::string& text : {line, plain}) {  // plain: of an older version
        std::vector<double> samples;
        const Json head = parse_line(text, samples);
        EXPECT_EQ(record_from_head(head, samples), record) << text;
    }
}

TEST(CaseLine, ShowsEveryDamagedByte) {
    CaseRecord record;
    record.collective = "bcast";
    record.samples_seconds = {1e-6 * 1, 1e-6 * 2.5};
    const std::string line = with_checksum(to_line(record, 1));
    std::vector<double> samples;
    for (std::size_t i = 0; i < line.size(); ++i) {
        std::string damaged = line;
        damaged[i] = static_cast<char>(damaged[i] ^ 1);
        EXPECT_TRUE(!has_checksum(damaged) || [&] {
            try {
                parse_line(damaged, samples);
            } catch (const std::exception&) {
                return true;
            }
            return false;
        }()) << damaged;
    }
}

TEST(CaseLine, ThatIsTooDeepIsRefused) {
    std::vector<double> samples;
    const std::string deep = "{\"type\":\"event\",\"event\":\"x\",\"a\":" + std::string(200000, '[') +
                             std::string(200000, ']') + "}";
    EXPECT_THROW(parse_line(deep, samples), std::exception);
}

// Times of zero gave losses that are no numbers, and an endless list of ranges
TEST(Samples, ThatAreNoTimesAreNoMeasurement) {
    const Json answer = {{"collective", "bcast"}, {"algorithm", "ring"}, {"bytes", 8},
                         {"datatype", "byte"},    {"root", 0},           {"in_place", false},
                         {"status", "measured"},  {"invalid", 0},        {"seconds", 0.1}};
    const auto with_samples = [&](const Json& samples) {
        Json changed = answer;
        changed["samples_us"] = samples;
        return record_from_answer(changed, "eth", {2, 1});
    };
    EXPECT_EQ(with_samples({10.5, 11}).status, Status::measured);
    EXPECT_EQ(with_samples({10.5, 11}).samples_seconds.size(), 2u);
    EXPECT_EQ(with_samples({0.001, 11}).status, Status::measured) << "a nanosecond";
    for (const Json& samples : {Json{0, 0, 0}, Json{10.5, 0}, Json{-1, 5}, Json{1e-5, 7}, Json{1e300, 7}}) {
        const CaseRecord record = with_samples(samples);
        EXPECT_EQ(record.status, Status::crashed) << samples;
        EXPECT_TRUE(record.samples_seconds.empty()) << samples;
        EXPECT_NE(record.reason.find("samples are not times"), std::string::npos) << record.reason;
    }
    CaseRecord record = with_samples({10.5});
    record.samples_seconds = {0, 0};
    std::vector<double> samples;
    const Json head = parse_line(to_line(record, 1), samples);
    EXPECT_EQ(record_from_head(head, samples).status, Status::crashed) << "of a journal";
}

}  // namespace
