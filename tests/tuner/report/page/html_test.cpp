// SPDX-License-Identifier: MIT
#include "html.hpp"

#include <gtest/gtest.h>

#include "contains.hpp"

namespace {

using namespace tuner::report;
using tuner::TextTable;

TEST(HtmlPieces, TextIsEscaped) {
    Html html;
    html.element("p", "<b>", "class=\"x\"");
    html.text("&");
    EXPECT_EQ(html.markup, "<p class=\"x\">&lt;b&gt;</p>&amp;");
}

TEST(HtmlPieces, LongTablesSayHowManyRowsThereAre) {
    Html html;
    table(html, {{"a"}, {"n", true}}, Rows(61, {"long_name", "1"}));
    EXPECT_TRUE(contains(html.markup, "The first 60 of 61 rows"));
    EXPECT_TRUE(contains(html.markup, "<td>long_<wbr>name</td><td class=\"n\">1</td>"));
    Html of_text;
    TextTable text({"call", "number"});
    for (int i = 0; i < 61; ++i) {
        text.add({"x", std::to_string(i)});
    }
    table(of_text, text);
    EXPECT_TRUE(contains(of_text.markup, "The first 59 and the last of 61 rows."));
    EXPECT_TRUE(contains(of_text.markup, ">60</td>")) << "the last one";
}

TEST(HtmlPieces, SectionsAndFoldedLists) {
    Html html;
    open_section(html, "id", "Title", "Words.");
    folded_list(html, "Notes", {});
    folded_list(html, "Notes", {"a<b"});
    close_section(html);
    EXPECT_EQ(html.markup,
              "<section id=\"id\"><h2>Title</h2><p>Words.</p><details><summary>Notes (1)</summary>"
              "<ul><li>a&lt;b</li></ul></details></section>");
}

}  // namespace
