// SPDX-License-Identifier: MIT
// Traces that are whole, cut, of another version or machine, or missing ranks: what can be used is used, what
// cannot is said with the file. Any bytes at all: trace_fuzz.cpp.
#include "reader.hpp"

#include <gtest/gtest.h>

#include "error.hpp"
#include "made_up_trace.hpp"
#include "small_disk.hpp"

namespace {

using namespace tuner::trace;

class TraceReader : public testing::Test {
  protected:
    TraceReader() {
        made_up::World world;
        world.layout = models::RankPlacement(2, 2);
        made_up::Recorder recorder(world);
        for (int i = 0; i < 3; ++i) {
            recorder.call("allgather", "ring", 4096);
            recorder.call("allreduce", "recursive_doubling", 64);
        }
        for (std::size_t rank = 0; rank < 4; ++rank) {
            files_.push_back(recorder.bytes_of(rank));
        }
        recorder.write(prefix());
    }
    std::string prefix() const { return (folder_.path / "trace").string(); }
    std::string file(std::size_t rank) const { return prefix() + "." + std::to_string(rank) + ".events"; }
    void write(std::size_t rank, const std::string& bytes) const {
        std::ofstream(file(rank), std::ios::binary) << bytes;
    }
    // With other bytes at a place of the header
    template <class Value>
    std::string changed(std::size_t rank, std::size_t offset, Value value) const {
        std::string bytes = files_[rank];
        std::memcpy(bytes.data() + offset, &value, sizeof value);
        return bytes;
    }
    // The only file there: reading fails with this text
    void expect_failure(const std::string& bytes, const std::string& text) const {
        for (std::size_t rank = 1; rank < 4; ++rank) {
            std::filesystem::remove(file(rank));
        }
        write(0, bytes);
        try {
            read_trace(prefix());
            FAIL() << "expected: " << text;
        } catch (const tuner::Error& error) {
            EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find(file(0)), std::string::npos) << error.what();
        }
    }

    void expect_refusal(const std::vector<std::string>& texts) const {
        try {
            read_trace(prefix());
            FAIL() << "expected: " << texts.back();
        } catch (const tuner::Error& error) {
            for (const std::string& text : texts) {
                EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
            }
        }
    }

    static constexpr std::size_t job_at = 440;
    TemporaryFolder folder_;
    std::vector<std::string> files_;
};

TEST_F(TraceReader, ReadsAllRanks) {
    const Trace trace = read_trace(prefix());
    ASSERT_EQ(trace.ranks.size(), 4U);
    EXPECT_EQ(trace.world_size, 4);
    EXPECT_TRUE(trace.problems.empty());
    EXPECT_EQ(trace.ranks[3].names, (std::vector<std::string>{"allgather/", "allgather/ring", "allreduce/",
                                                              "allreduce/recursive_doubling"}));
    EXPECT_EQ(trace.ranks[3].communicators.at(0).members.size(), 4U);
    EXPECT_EQ(trace.ranks[3].syncs.size(), 2U);
    EXPECT_EQ(trace.ranks[3].node(), 1);
    EXPECT_GT(trace.events(), 100U);
}

TEST_F(TraceReader, TakesTheNameOfOneFile) {
    EXPECT_EQ(read_trace(file(2)).ranks.size(), 4U);
}

TEST_F(TraceReader, NoTrace) {
    EXPECT_THROW(read_trace(prefix() + "x"), tuner::Error);
    EXPECT_THROW(read_trace("/no/such/folder/x"), tuner::Error);
}

TEST_F(TraceReader, MissingRankIsSaid) {
    std::filesystem::remove(file(2));
    const Trace trace = read_trace(prefix());
    EXPECT_EQ(trace.ranks.size(), 3U);
    ASSERT_EQ(trace.problems.size(), 1U);
    EXPECT_NE(trace.problems[0].find("1 of 4 ranks have no file (2)"), std::string::npos)
        << trace.problems[0];
}

TEST_F(TraceReader, CutFileIsUsedUpToTheCut) {
    write(1, files_[1].substr(0, files_[1].size() - 100));  // two and a half events
    const Trace trace = read_trace(prefix());
    ASSERT_EQ(trace.ranks.size(), 4U);
    EXPECT_EQ(trace.ranks[1].events.size() + 3, trace.ranks[1].header.events);
    ASSERT_EQ(trace.problems.size(), 1U);
    EXPECT_NE(trace.problems[0].find(file(1) + " was cut"), std::string::npos) << trace.problems[0];
}

TEST_F(TraceReader, OneBadFileIsLeftOut) {
    write(1, changed<std::uint32_t>(1, 8, 3));
    const Trace trace = read_trace(prefix());
    EXPECT_EQ(trace.ranks.size(), 3U);
    ASSERT_EQ(trace.problems.size(), 1U);
    EXPECT_NE(trace.problems[0].find("version 3"), std::string::npos) << trace.problems[0];
}

TEST_F(TraceReader, FileOfAnotherRank) {
    write(1, files_[2]);
    const Trace trace = read_trace(prefix());
    EXPECT_EQ(trace.ranks.size(), 3U);
    EXPECT_NE(trace.problems.at(0).find("belongs to rank 2 by its header"), std::string::npos)
        << trace.problems[0];
}

// Calls of two jobs have the same numbers, and would be matched
TEST_F(TraceReader, FilesOfDifferentJobsAreRefused) {
    write(2, changed<std::uint64_t>(2, job_at, 7));
    expect_refusal({file(0) + " (job started 2026-01-15 10:00:00 UTC) and " + file(2),
                    "are from different jobs", "remove the files of one job"});
}

TEST_F(TraceReader, AJobOfAnotherSizeIsADifferentJob) {
    write(3, changed<std::int32_t>(3, 28, 5));
    expect_refusal({file(0), file(3), "are from different jobs"});
}

TEST_F(TraceReader, AnyStartOfAJobCanBePrinted) {
    for (const std::int64_t start : {std::int64_t{0}, std::int64_t{-1}, INT64_MIN, INT64_MAX}) {
        std::string bytes = changed<std::uint64_t>(2, job_at, 7);
        std::memcpy(bytes.data() + job_at + 8, &start, sizeof start);
        write(2, bytes);
        expect_refusal({file(2), "are from different jobs"});
    }
}

// Without a job: all that can be said is that it cannot be said
TEST_F(TraceReader, FilesOfVersion1AreReadWithAWarning) {
    for (std::size_t rank = 0; rank < 4; ++rank) {
        write(rank, changed<std::uint32_t>(rank, 8, 1));
    }
    const Trace trace = read_trace(prefix());
    EXPECT_EQ(trace.ranks.size(), 4U);
    ASSERT_EQ(trace.problems.size(), 1U);
    EXPECT_NE(trace.problems[0].find("do not say which job they are from"), std::string::npos)
        << trace.problems[0];
}

TEST_F(TraceReader, AFileOfVersion1IsOfAnotherJobThanOneOfVersion2) {
    write(1, changed<std::uint32_t>(1, 8, 1));
    expect_refusal({file(0), file(1), "are from different jobs"});
}

TEST_F(TraceReader, RefusesWithThePlace) {
    expect_failure("", "ends after 0 bytes");
    expect_failure(files_[0].substr(0, 511), "ends after 511 bytes");
    expect_failure(std::string(4096, 'x'), "not a trace of collectives");
    expect_failure(changed<std::uint32_t>(0, 8, 7), "version 7");
    expect_failure(changed<std::uint32_t>(0, 12, 0x04030201), "other byte order");
    expect_failure(changed<std::uint32_t>(0, 12, 5), "byte order 0x5");
    expect_failure(changed<std::uint32_t>(0, 20, 36), "events of 36 bytes");
    expect_failure(changed<std::int32_t>(0, 24, -1), "rank -1 of 4");
    expect_failure(changed<std::int32_t>(0, 512 + 4 * 64 + 12, 5), "communicator 0 has 5 ranks");
    expect_failure(changed<std::int32_t>(0, 512 + 4 * 64 + 32, 9), "a member that is not in the job");
}

// Counts that promise more than the file has
TEST_F(TraceReader, CountsAreCheckedAgainstTheFile) {
    for (const std::size_t offset : {88U, 92U, 100U, 56U}) {  // names, communicators, syncs, events
        write(1, changed<std::uint32_t>(1, offset, 0xffffffffU));
        try {
            EXPECT_FALSE(read_trace(prefix()).problems.empty());
        } catch (const tuner::Error&) {
        }
    }
    write(1, changed<std::uint64_t>(1, 56, UINT64_MAX));
    EXPECT_EQ(read_trace(prefix()).problems.size(), 1U);
}

}  // namespace
