// SPDX-License-Identifier: MIT
// What can be measured, for people: each collective and exchange with the definition of its message size, its
// algorithms in this library, and its parameters.
#pragma once

#include <string>

#include "library.hpp"

namespace bench {

std::string list_text(const Pattern& pattern, Library& library);

}  // namespace bench
