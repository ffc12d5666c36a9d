// SPDX-License-Identifier: MIT
// What is on the page; simulated_test.py opens it in a browser
#include "what_if_page.hpp"

#include <gtest/gtest.h>

#include "made_up_what_if.hpp"

namespace {

using namespace tuner;

TEST(WhatIfPage, HasTotalsLayoutsAndCalls) {
    const std::string page = html_page(made_up_what_if());
    for (const char* part :
         {"SIMULATED: no message was sent", "id=\"totals\"", "id=\"layouts\"", "id=\"calls\"",
          "fast 4x2 is the fastest", "bcast 1Ki: binomial on 4x1, smp on 4x2", "3 calls are left out"}) {
        EXPECT_NE(page.find(part), page.npos) << part;
    }
}

TEST(WhatIfPage, HasNoSectionOfLayoutsForOne) {
    WhatIf what_if = made_up_what_if();
    std::erase_if(what_if.places, [](const WhatIfPlace& place) { return place.layout.ppn > 1; });
    EXPECT_EQ(html_page(what_if).find("Ranks on a node"), std::string::npos);
}

TEST(WhatIfPage, BarsHaveAPartForEachCollective) {
    const report::Figure figure = draw_totals(made_up_what_if());
    ASSERT_EQ(figure.key.size(), 2);
    EXPECT_EQ(figure.key[0].label, "allreduce");
    EXPECT_NE(figure.body.find("bcast: 500 ms"), std::string::npos);
    EXPECT_NE(figure.body.find("slow 4x2, tuned"), std::string::npos);
}

TEST(WhatIfPage, NamesFromOutsideAreEscaped) {
    WhatIf what_if = made_up_what_if();
    what_if.places[0].platform = "/a/<script>.xml";
    EXPECT_EQ(html_page(what_if).find("<script>.xml"), std::string::npos);
}

}  // namespace
