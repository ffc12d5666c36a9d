// SPDX-License-Identifier: MIT
// Quoted words come back from real interpreters, byte for byte.
#include "quoting.hpp"

#include "emitted_text.hpp"
#include "error.hpp"
#include "hostile_texts.hpp"
#include "real_interpreters.hpp"

namespace {

using namespace tuner;

class Quoting : public Interpreters {};

TEST_F(Quoting, TclGivesWordsBack) {
    Texts words;
    Texts scripts;
    for (const std::string& text : hostile_texts()) {
        if (is_not_utf8(text)) {
            EXPECT_THROW(tcl_quoted(text), Error) << text;
        } else {
            words.push_back(text);
            scripts.push_back("setenv VALUE " + tcl_quoted(text) + "\n");
        }
    }
    for (const char* locale : {"C", "C.UTF-8"}) {
        EXPECT_EQ(load_in_tcl(scripts, "VALUE", locale), words);
    }
}

TEST_F(Quoting, PlainWordsStayReadable) {
    EXPECT_EQ(tcl_quoted("/opt/tuned file.json"), "{/opt/tuned file.json}");
    EXPECT_EQ(tcl_quoted("a{b"), "\"a\\{b\"");
}

TEST_F(Quoting, NoCommentEndsEarly) {
    Texts of_sh;
    Texts of_tcl;
    for (const std::string& text : hostile_texts()) {
        const std::string line = comment_line(text);
        EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1) << text;
        EXPECT_EQ(line.find('\r'), std::string::npos) << text;
        EXPECT_EQ(line.find("*/"), std::string::npos) << text;
        of_sh.push_back(line + "VALUE=next\n");
        of_tcl.push_back(line + "setenv VALUE next\n");
    }
    EXPECT_EQ(source_in_sh(of_sh, "VALUE"), Texts(of_sh.size(), "next"));
    EXPECT_EQ(load_in_tcl(of_tcl, "VALUE", "C.UTF-8"), Texts(of_tcl.size(), "next"));
}

TEST_F(Quoting, OpenMpiHasNoQuotes) {
    EXPECT_EQ(openmpi_value("/a b/it's \"#=$HOME"), "/a b/it's \"#=$HOME");
    for (const char* text : {"", "/a\nb = c", "/a\r", "/a ", " /a", "/a:~/b", "~/b", "/\x1b"}) {
        EXPECT_THROW(openmpi_value(text), Error) << text;
    }
}

}  // namespace
