// SPDX-License-Identifier: MIT
// A file of rules, given to the library that was measured before it is given to users: some libraries end
// every job if a word in it is wrong.
#pragma once

#include <string>

#include "saved_run.hpp"

namespace tuner::commands {

// Starts a job of two ranks that reads the file, on the first network of the run, and lets it make some
// calls. Throws an Error with what the library said if it does not work.
void try_file(const SavedRun& run, const std::string& format, const std::string& text);

}  // namespace tuner::commands
