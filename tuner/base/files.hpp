// SPDX-License-Identifier: MIT
// Files that are either the old or the new one, whatever happens meanwhile.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tuner {

// Replaces a file at once; it is on the disk when this returns. On failure (a full disk) the old file is
// still there and nothing else is. Throws an Error.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

// What was made or renamed in a folder stays so after a loss of power. False: errno says why.
bool sync_folder(const std::filesystem::path& folder);

std::string read_file(const std::filesystem::path& path);  // throws an Error

}  // namespace tuner
