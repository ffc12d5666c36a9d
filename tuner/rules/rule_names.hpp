// SPDX-License-Identifier: MIT
// The names in a configuration: they become words of shells, Tcl and the files of MPI libraries, so a file
// that somebody else wrote is refused if a name could not have been written by `changeover`.
#pragma once

#include <string>

#include "checked_json.hpp"

namespace tuner {

// Each throws an Error that names the place in the file
std::string network_name(const CheckedJson& json);  // any text without control characters
std::string collective_name(const CheckedJson& json);
std::string algorithm_name(const CheckedJson& json);  // with its parameters: chain:segment=8Ki:fanout=4
std::string operation_name(const CheckedJson& json);  // may be empty

std::string variable_name(const CheckedJson& json);
std::string variable_value(const CheckedJson& json);  // any text without control characters

void check_algorithm_values(const CheckedJson& json);  // numbers by collective and algorithm; or null
void check_fingerprint(const CheckedJson& json);       // what is read of it; the rest is for people

}  // namespace tuner
