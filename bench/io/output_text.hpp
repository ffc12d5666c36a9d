// SPDX-License-Identifier: MIT
// What the output formats share: whole lines on standard output, microseconds, and the comment lines that say
// how results were measured.
#pragma once

#include <string>

#include "derived.hpp"
#include "session.hpp"

namespace bench {

void write_line(std::string line);  // in one go
double us(double seconds);

std::string size_definition(const Pattern& pattern);  // of its message size, with the OSU and IMB columns
// The median finish of each rank, in microseconds, with spaces between
std::string finish_of_ranks(const CaseResult& result);

// One field of comma-separated values: in quotes where it must be, and never a formula of a spreadsheet
std::string csv_field(const std::string& text);

// Lines that start with '#'
void write_comments(const Header& header);
void write_comment(const EagerLimits& limits);
void write_comment(const Retransmits& before, const Retransmits& after);

}  // namespace bench
