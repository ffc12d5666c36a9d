// SPDX-License-Identifier: MIT
// Names and paths that would run commands if they were pasted into a shell, Tcl or JSON as they are. A
// command that runs makes the file `canary` in the current folder.
#pragma once

#include <string>
#include <vector>

inline std::vector<std::string> hostile_texts() {
    std::vector<std::string> texts = {
        "a b",
        "it's",
        "\"",
        "$(touch canary)",
        "`touch canary`",
        "x\ntouch canary",
        "x\r\ntouch canary\r\n",
        "x\rexec touch canary",
        "'; touch canary; '",
        "\"; touch canary; \"",
        "& touch canary &",
        "x\nexec touch canary\n",
        "[exec touch canary]",
        "\"[exec touch canary]\"",
        "{[exec touch canary]}",
        "}\nexec touch canary\nset x {",
        "};exec touch canary;#",
        "; exec touch canary",
        "]",
        "[",
        "{",
        "}",
        "\\",
        "x\\\nexec touch canary",
        "\\\\",
        "$env(HOME)$HOME${HOME}",
        "\\$x \\[y\\] \\x41 \\101 \\u0041",
        "*/ [\"canary\"] /*",
        "**//**/",
        "# # //",
        "%s {} {0} %n",
        "~root",
        "-n",
        "\x1a exec touch canary",  // the end of a script for Tcl
        "\x1b[31mred\x07\x08\f\v\t",
        "\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80",  // UTF-8
        "\xc2\x85touch canary\xe2\x80\xa8"
        "exec touch canary",       // line ends of Unicode
        "\xff\xfe\ntouch canary",  // not UTF-8
        "\xe4 exec touch canary",
    };
    std::string controls;
    for (char c = 1; c < ' '; ++c) {
        controls += std::string{c, 'x'};
    }
    texts.push_back(controls + "\x7f\ntouch canary\nexec touch canary");
    return texts;
}

inline bool is_not_utf8(const std::string& text) {
    return text.find_first_of("\xff\xe4") != std::string::npos;
}
