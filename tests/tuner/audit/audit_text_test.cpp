// SPDX-License-Identifier: MIT
#include "audit_text.hpp"

#include <gtest/gtest.h>

#include "made_up_audit.hpp"

using namespace tuner;

TEST(AuditText, OneRowForEachGuidelineNewOnesFirst) {
    const Audit audit = made_up_audit();
    const std::vector<Violations> found = violations_of(audit);
    ASSERT_EQ(found.size(), 3U);
    EXPECT_TRUE(found[0].is_new);
    EXPECT_EQ(found[0].worst->of.cell.collective, "bcast");
    EXPECT_EQ(found[1].worst->of.bytes, 4096U);
    EXPECT_EQ(found[1].sizes.size() + found[2].sizes.size(), 3U);
}

TEST(AuditText, SaysWhatIsSlowerThanWhatAndWhere) {
    const std::string text = to_text(made_up_audit());
    for (const char* part : {"allreduce", "reduce, bcast", "2.00", "64 4Ki", "itself, twice the size",
                             "rules: smp (new)", "not measured: eth 2x2 scan 8, mockup:in_place: crashed",
                             "default: 2 of 4 comparisons violate a guideline",
                             "with the rules: 2 of 4; 1 of the default are gone, 1 are new"}) {
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    }
}

TEST(AuditText, SaysThatOnlyTheRightSideBecameFaster) {
    Audit audit = made_up_audit();
    AuditResult& result = audit.results.back();
    ASSERT_TRUE(result.is_new);
    result.is_new = false;
    result.is_outpaced = true;
    const std::string text = to_text(audit);
    EXPECT_NE(text.find("rules: smp (right side is faster)"), std::string::npos) << text;
    EXPECT_NE(text.find("0 are new, 1 are calls without a rule that only the faster right side overtook"),
              std::string::npos)
        << text;
}

TEST(AuditText, NothingFoundIsSaid) {
    EXPECT_EQ(to_text(Audit{}), "default: 0 of 0 comparisons violate a guideline\n");
}

TEST(AuditText, AnUnknownMockUpIsNamed) {
    AuditCase of;
    of.cell.collective = "bcast";
    of.mock_up = "mockup:later";
    EXPECT_EQ(guideline_of(of).right_side, "mockup:later");
}
