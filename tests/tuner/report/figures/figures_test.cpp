// SPDX-License-Identifier: MIT
#include "figures.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <set>

#include "report_run.hpp"

namespace {

using namespace tuner::report;

TEST(Figures, NamesAreUniqueAndPlain) {
    const ReportRun run({"a b", "a_b"});
    std::set<std::string> names;
    const ReportData data = gather(run.folder());
    for (const NamedFigure& figure : figures_of(data)) {
        EXPECT_TRUE(names.insert(figure.name).second) << figure.name;
        for (const char c : figure.name) {
            EXPECT_TRUE(std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_') << figure.name;
        }
    }
    EXPECT_TRUE(names.contains("curves-bcast-a_b-2x2"));
    EXPECT_TRUE(names.contains("gains-bcast-a_b"));
    EXPECT_TRUE(names.contains("changeovers-bcast"));
    EXPECT_TRUE(names.contains("model-a_b"));
}

}  // namespace
