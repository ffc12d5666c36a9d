// SPDX-License-Identifier: MIT
// Changes JSON so that it stays JSON: most bytes of a file that a fuzzer changes would otherwise end in the
// parser, and never reach the code that reads values.
#pragma once

#include <cstddef>
#include <optional>
#include <random>
#include <string>

namespace fuzz {

using Random = std::mt19937_64;

// One to four changes of a document, or of one line of a file with a document in each. Nothing: it is not
// JSON.
std::optional<std::string> damaged_json(const std::string& text, Random& random);
std::optional<std::string> damaged_line(const std::string& text, Random& random);

}  // namespace fuzz
