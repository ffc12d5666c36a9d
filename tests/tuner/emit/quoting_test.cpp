// SPDX-License-Identifier: MIT
// Quoted words come back from real interpreters, byte for byte.
#include "quoting.hpp"

#include "emitted_text.hpp"
#include "error.hpp"
#include "hostile_texts.hpp"
#include "real_interpreters.hpp"

namespace {

using namespace tuner;

bool is_not_utf8(const std::string& text) {
    return text.find_first_of("\xff\xe4") != std::string::npos;
}

class Quoting : public Interpreters {};

TEST_F(Quoting, TclGivesWordsBack) {
    for (const char* locale : {"C", "C.UTF-8"}) {
        for (const std::string& text : hostile_texts()) {
            if (is_not_utf8(text)) {
                EXPECT_THROW(tcl_quoted(text), Error) << text;
                continue;
            }
            ASSERT_EQ(load_in_tcl("setenv VALUE " + tcl_quoted(text) + "\n", "VALUE", locale), 0)
                << text << read("log");
            EXPECT_EQ(read("value"), text) << locale;
        }
    }
    EXPECT_FALSE(has_canary());
}

TEST_F(Quoting, PlainWordsStayReadable) {
    EXPECT_EQ(tcl_quoted("/opt/tuned file.json"), "{/opt/tuned file.json}");
    EXPECT_EQ(tcl_quoted("a{b"), "\"a\\{b\"");
}

TEST_F(Quoting, NoCommentEndsEarly) {
    for (const std::string& text : hostile_texts()) {
        const std::string line = comment_line(text);
        EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1) << text;
        EXPECT_EQ(line.find('\r'), std::string::npos) << text;
        EXPECT_EQ(printable(text).find("*/"), std::string::npos) << text;
        ASSERT_EQ(source_in_sh(line + "VALUE=next\n", "VALUE"), 0) << text << read("log");
        EXPECT_EQ(read("value"), "next") << text;
        ASSERT_EQ(load_in_tcl(line + "setenv VALUE next\n", "VALUE", "C.UTF-8"), 0) << text << read("log");
        EXPECT_EQ(read("value"), "next") << text;
    }
    EXPECT_FALSE(has_canary());
}

TEST_F(Quoting, OpenMpiHasNoQuotes) {
    EXPECT_EQ(openmpi_value("/a b/it's \"#=$HOME"), "/a b/it's \"#=$HOME");
    for (const char* text : {"", "/a\nb = c", "/a\r", "/a ", " /a", "/a:~/b", "~/b", "/\x1b"}) {
        EXPECT_THROW(openmpi_value(text), Error) << text;
    }
}

}  // namespace
