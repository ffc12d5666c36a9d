// SPDX-License-Identifier: MIT
// Every text that the tuner reads and did not write itself a moment ago: one row each.
#pragma once

#include <span>
#include <string>

namespace fuzz {

struct Reader {
    const char* name;  // --reader=NAME, and the folder of its inputs in corpus/
    bool is_lines;     // a document of JSON in each line
    // Reads the text and uses what was read. A tuner::Error may come out, and nothing else.
    void (*read)(const std::string& text);
};

std::span<const Reader> readers();

}  // namespace fuzz
