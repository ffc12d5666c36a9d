// SPDX-License-Identifier: MIT
// page.css and page.js, which CMake puts into the program
#pragma once

namespace tuner::report {

extern const char* const page_style;
extern const char* const page_script;

}  // namespace tuner::report
