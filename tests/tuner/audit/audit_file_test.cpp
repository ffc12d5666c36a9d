// SPDX-License-Identifier: MIT
#include "audit_file.hpp"

#include <gtest/gtest.h>

#include "error.hpp"
#include "files.hpp"
#include "made_up_audit.hpp"
#include "small_disk.hpp"

using namespace tuner;

TEST(AuditFile, IsReadAsItWasWritten) {
    const TemporaryFolder folder;
    const RunFiles files(folder.path.string());
    EXPECT_FALSE(audit_in(files).has_value());
    const Audit audit = made_up_audit();
    write_audit(files, audit);
    const std::optional<Audit> read = audit_in(files);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->created, audit.created);
    EXPECT_EQ(read->notes, audit.notes);
    ASSERT_EQ(read->results.size(), audit.results.size());
    for (std::size_t i = 0; i < audit.results.size(); ++i) {
        const AuditResult& was = audit.results[i];
        const AuditResult& is = read->results[i];
        EXPECT_EQ(is.of.cell, was.of.cell);
        EXPECT_EQ(is.of.bytes, was.of.bytes);
        EXPECT_EQ(is.of.mock_up, was.of.mock_up);
        EXPECT_EQ(is.of.is_loaded, was.of.is_loaded);
        EXPECT_EQ(is.of.rule, was.of.rule);
        EXPECT_EQ(is.of.jobs.size(), was.of.jobs.size());
        EXPECT_EQ(is.ratio.ratio, was.ratio.ratio);
        EXPECT_EQ(is.p, was.p);
        EXPECT_EQ(is.is_violated, was.is_violated);
        EXPECT_EQ(is.is_new, was.is_new);
        EXPECT_EQ(is.is_outpaced, was.is_outpaced);
        EXPECT_EQ(is.is_removed, was.is_removed);
    }
}

TEST(AuditFile, NamesTheGuideline) {
    const Json row = to_json(made_up_audit()).at("results").at(0);
    EXPECT_EQ(row.at("mock_up"), "mockup:reduce+bcast");
    EXPECT_EQ(row.at("right_side"), "reduce, bcast");
    EXPECT_EQ(row.at("kind"), "pattern");
    EXPECT_EQ(row.at("source"), "Traeff, Gropp, Thakur 2010");
}

TEST(AuditFile, OfAnotherFormatIsRefused) {
    const TemporaryFolder folder;
    const RunFiles files(folder.path.string());
    write_file_atomically(files.audit(), R"({"format": "changeover-config"})");
    EXPECT_THROW(audit_in(files), Error);
}
