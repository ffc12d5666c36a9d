// SPDX-License-Identifier: MIT
// What must hold before rules become a file that jobs read: names that the library has, and rules as they
// were written. A configuration may come from somebody else, or from a damaged disk.
#pragma once

#include <string>
#include <vector>

#include "config.hpp"

namespace tuner {

// Those that the library has, by its models and by what it reported when it was measured, sorted; empty: not
// known
std::vector<std::string> algorithms_of_library(const Config& config, const std::string& collective);

struct ConfigToEmit {
    Config config;
    std::vector<std::string> warnings;  // for the user: not verified, edited
};

// Throws an Error if a name is not known to the library that was measured, or if the checksum does not match
// the rules; with `accept_edited` such rules count as not verified.
ConfigToEmit read_config_to_emit(const std::string& file, bool accept_edited);
ConfigToEmit checked_to_emit(Config config, const std::string& file, bool accept_edited);

}  // namespace tuner
