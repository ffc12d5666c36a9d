// SPDX-License-Identifier: MIT
#include "command_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "layout.hpp"
#include "mpi_library.hpp"

namespace tuner {

namespace {

constexpr const char* program_name = "changeover";

// Does a shell find this very file by its name?
bool is_found_by_name(const std::filesystem::path& file) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::filesystem::path candidate = std::filesystem::path(folder) / program_name;
        std::error_code is_not_there;
        if (std::filesystem::exists(candidate, is_not_there)) {
            return std::filesystem::equivalent(candidate, file, is_not_there);
        }
    }
    return false;
}

std::string program() {
    const std::string file = beside_this_program(program_name);
    return std::filesystem::exists(file) && !is_found_by_name(file) ? file : program_name;
}

}  // namespace

std::string changeover_command(std::vector<std::string> words) {
    words.insert(words.begin(), program());
    return to_shell({std::move(words), {}});
}

std::string run_command(const std::string& command, const std::string& folder) {
    return changeover_command({command, "--run", absolute_path(folder)});
}

std::string absolute_path(const std::string& path) {
    return std::filesystem::absolute(path).lexically_normal().string();
}

std::string export_command(const Environment& environment) {
    std::string line = to_shell({{}, environment});
    line.resize(line.find_last_not_of(' ') + 1);
    return "export " + line;
}

std::string layout_option(const Layout& layout) {
    std::string text = to_string(layout);
    std::replace(text.begin(), text.end(), ' ', ':');  // which a shell would split
    return text;
}

}  // namespace tuner
