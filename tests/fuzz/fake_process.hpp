// SPDX-License-Identifier: MIT
// A child process that is none: what it prints is set before it starts. In place of tuner/base/process.cpp,
// so that a fuzzer can give millions of answers of a benchmark to the code that reads them.
#pragma once

#include <string>

#include "process.hpp"

namespace fake {

// Of every process that is started from now on
void set_output(std::string text, tuner::ExitStatus status);

}  // namespace fake
