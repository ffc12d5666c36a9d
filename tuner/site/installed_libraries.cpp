// SPDX-License-Identifier: MIT
#include "installed_libraries.hpp"

#include <algorithm>

#include "error.hpp"
#include "process.hpp"

namespace tuner {

namespace {

constexpr double seconds_for_answer = 5;

constexpr struct {
    const char* program;
    const char* argument;
    const char* begin;  // of the line that it prints; the version is behind it
    const char* name;
} libraries[] = {{"mpichversion", "-v", "MPICH Version:", "MPICH"},
                 {"ompi_info", "--version", "Open MPI v", "Open MPI"},
                 {"impi_info", "-v", "Intel(R) MPI Library for Linux* OS, Version", "Intel MPI"}};

}  // namespace

std::string library_of_line(const std::string& line) {
    for (const auto& row : libraries) {
        const std::string begin = row.begin;
        const std::size_t version = line.find_first_not_of(" \t", begin.size());
        if (line.starts_with(begin) && version != std::string::npos) {
            return row.name + (" " + line.substr(version, line.find_first_of(" \t", version) - version));
        }
    }
    return "";
}

std::vector<std::string> installed_libraries() {
    std::vector<std::string> found;
    for (const auto& row : libraries) {
        try {
            Process process({{row.program, row.argument}, {}}, new_token());
            process.close_input();
            std::string line;
            process.read_line(line, in_seconds(seconds_for_answer));
            if (const std::string library = library_of_line(line); !library.empty()) {
                found.push_back(library);
            }
        } catch (const Error&) {  // it is not there
        }
    }
    return found;
}

}  // namespace tuner
