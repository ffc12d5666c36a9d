// SPDX-License-Identifier: MIT
// Files that are either the old or the new one, whatever happens meanwhile.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tuner {

// Replaces a file at once; it is on the disk when this returns. On failure (a full disk) the old file is
// still there and nothing else is. A symbolic link is replaced, not its target: nobody can lead a run to
// write elsewhere. Throws an Error.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

// Temporary files of `write_file_atomically` when it was killed. Only for a folder that nobody else writes
// to.
void remove_temporary_files(const std::filesystem::path& folder);

// What was made or renamed in a folder stays so after a loss of power. False: errno says why.
bool sync_folder(const std::filesystem::path& folder);

// Where a user wants it: to standard output if `file` is empty; a device or a FIFO is written to; a file, or
// the target of a symbolic link, is replaced as above. Throws an Error unless all of it is written.
void write_output(const std::string& file, std::string_view text);

std::string read_file(const std::filesystem::path& path);  // to its end, whatever it is; throws an Error
// One that must be a file: a FIFO in its place would wait for ever
std::string read_regular_file(const std::filesystem::path& path);

// Low-level parts. A signal does not stop them; below zero or false: errno says why.
int open_file(const std::filesystem::path& path, int flags);
bool write_all(int file, std::string_view text);
bool sync_file(int file);
bool is_disk_full(int reason);  // ENOSPC, or a quota

}  // namespace tuner
