// SPDX-License-Identifier: MIT
// Names and paths in files that shells, Tcl and MPI libraries read: whatever a name contains, it is a comment
// or a value there, never code. Values come back byte for byte.
#pragma once

#include <string>
#include <vector>

namespace tuner {

// One line that cannot end the comment around it, in any of the formats
std::string printable(std::string text);

std::string comment_line(const std::string& text);                 // "# text\n", for sh, Tcl and Open MPI
std::string comment_lines(const std::vector<std::string>& texts);  // one for each

// For JSON and Tcl, which cannot give back anything else. Throws an Error.
const std::string& checked_utf8(const std::string& text);

// One word of Tcl, which must be UTF-8
std::string tcl_quoted(const std::string& text);

// A value in a parameter file of Open MPI, which has no quotes. Throws an Error if the line would mean
// something else.
std::string openmpi_value(const std::string& text);

}  // namespace tuner
