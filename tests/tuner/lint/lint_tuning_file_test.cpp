// SPDX-License-Identifier: MIT
// A tuning file as the patched MPICH of this build sees it.
#include <gtest/gtest.h>

#include "emit.hpp"
#include "example_config.hpp"
#include "files.hpp"
#include "lint.hpp"
#include "small_disk.hpp"

namespace {

using namespace tuner;

class LintTuningFile : public testing::Test {
  protected:
    std::vector<Finding> findings_in(const std::string& text) const {
        const std::string file = folder.path / "tuning.json";
        write_file_atomically(file, text);
        return lint_file(file);
    }
    static Json emitted() { return Json::parse(emit_mpich(example_config(), {})); }

    TemporaryFolder folder;
};

TEST_F(LintTuningFile, WhatIsEmittedIsCorrect) {
    const std::vector<Finding> findings = findings_in(emit_mpich(example_config(), {}));
    EXPECT_TRUE(findings.empty()) << to_text(findings.front());
}

TEST_F(LintTuningFile, AMistakeHasItsPlaceAndARemedy) {
    Json file = emitted();
    file["mpir"][3]["algorithm"] = "bruks";
    const std::vector<Finding> findings = findings_in(file.dump());
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].severity, Severity::error);
    EXPECT_TRUE(findings[0].place.starts_with("/mpir/3")) << findings[0].place;
    EXPECT_NE(findings[0].problem.find("bruks"), std::string::npos);
    EXPECT_FALSE(findings[0].remedy.empty());
    EXPECT_EQ(exit_code(findings), 1);
}

TEST_F(LintTuningFile, AnotherMachineIsAWarning) {
    Json file = emitted();
    file["fingerprint"]["cores"] = 12345;
    const std::vector<Finding> findings = findings_in(file.dump());
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].severity, Severity::warning) << to_text(findings[0]);
    EXPECT_EQ(exit_code(findings), 0);
}

TEST_F(LintTuningFile, WhatIsNoJsonIsAnError) {
    EXPECT_EQ(exit_code(findings_in("{\"version\": 1,")), 1);
}

}  // namespace
