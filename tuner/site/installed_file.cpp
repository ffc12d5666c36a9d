// SPDX-License-Identifier: MIT
#include "installed_file.hpp"

#include <fmt/format.h>

#include "error.hpp"
#include "files.hpp"
#include "units.hpp"

namespace tuner {

namespace {

namespace fs = std::filesystem;

constexpr fs::perms folder_for_all = fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                                     fs::perms::others_read | fs::perms::others_exec;
constexpr fs::perms file_for_all =
    fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read | fs::perms::others_read;

Error cannot(const std::string& what, const fs::path& path, const std::error_code& reason) {
    return failure(fmt::format("{} {}: {}; run it as the owner of the installation, such as root", what,
                               path.string(), reason.message()));
}

void make_folder(const fs::path& folder) {
    std::error_code problem;
    if (fs::is_directory(folder)) {
        return;
    }
    if (!fs::create_directories(folder, problem) && problem) {
        throw cannot("cannot make the folder", folder, problem);
    }
    fs::permissions(folder, folder_for_all, problem);  // whatever the umask is
}

void move_file(const fs::path& from, const fs::path& to) {
    std::error_code problem;
    fs::rename(from, to, problem);
    if (problem && fs::exists(from)) {
        throw cannot("cannot rename", from, problem);
    }
}

// The file has two names then; where that is not possible, there are two of them
void keep_as(const fs::path& file, const fs::path& name) {
    std::error_code problem;
    fs::remove(name, problem);
    fs::create_hard_link(file, name, problem);
    if (problem && (!fs::copy_file(file, name, fs::copy_options::overwrite_existing, problem) || problem)) {
        throw cannot("cannot keep the file before as", name, problem);
    }
}

std::string text_at(const Json& json, const char* pointer) {
    const Json::json_pointer place(pointer);
    return json.is_object() && json.contains(place) && json.at(place).is_string() ? json.at(place) : Json("");
}

std::string age_text(double seconds) {
    constexpr double day = 24 * 3600;
    return seconds < 2 * day ? seconds_text(std::max(0.0, seconds))
                             : fmt::format("{:.0f} days", seconds / day);
}

std::string machine_text(const Json& machine) {
    return machine.is_object()
               ? fmt::format("{}, {} cores", machine.value("processor", Json("unknown")).dump(),
                             machine.value("cores", Json("unknown")).dump())
               : "unknown";
}

}  // namespace

InstalledFile::InstalledFile(const fs::path& prefix) : path_(prefix / "etc/changeover/tuning.json") {}

fs::path InstalledFile::kept(std::size_t number) const {
    return path_.string() + "." + std::to_string(number);
}

bool InstalledFile::exists() const {
    return fs::exists(path_);
}

std::vector<fs::path> InstalledFile::previous() const {
    std::vector<fs::path> all;
    for (std::size_t number = 1; number <= most_previous; ++number) {
        if (fs::exists(kept(number))) {
            all.push_back(kept(number));
        }
    }
    return all;
}

bool InstalledFile::install(std::string_view text) const {
    make_folder(path_.parent_path());
    if (exists()) {
        if (read_regular_file(path_) == text) {
            return false;
        }
        for (std::size_t number = most_previous; number > 1; --number) {
            if (fs::exists(kept(number - 1))) {
                move_file(kept(number - 1), kept(number));
            }
        }
        keep_as(path_, kept(1));
    }
    write_file_atomically(path_, text);
    std::error_code ignored;  // some file systems have no permissions
    fs::permissions(path_, file_for_all, ignored);
    return true;
}

void InstalledFile::roll_back() const {
    const std::vector<fs::path> before = previous();
    if (before.empty()) {
        throw usage_error(
            fmt::format("no file before {} is kept; to use no rules, remove it", path_.string()));
    }
    if (exists()) {
        keep_as(path_, path_.string() + ".undone");
    }
    move_file(before.front(), path_);
    for (std::size_t number = 1; number < before.size(); ++number) {
        move_file(before[number], kept(number));
    }
    sync_folder(path_.parent_path());
}

std::string InstalledFile::status(const Json& this_machine, fs::file_time_type now) const {
    if (!exists()) {
        return fmt::format("{}: not installed\n", path_.string());
    }
    const double age = std::chrono::duration<double>(now - fs::last_write_time(path_)).count();
    const Json file = Json::parse(read_regular_file(path_), nullptr, false);
    if (!file.is_object() || !file.contains("mpir") || !file.at("mpir").is_array()) {
        return fmt::format(
            "{}: no tuning file; jobs use the library's own choices. Install one again, or roll "
            "back\n",
            path_.string());
    }
    std::string text = fmt::format("{}: {} rules, checksum {}, installed {} ago\n", path_.string(),
                                   file.at("mpir").size(), text_at(file, "/info/checksum"), age_text(age));
    for (const char* key : {"/info/origin", "/info/measured"}) {
        if (const std::string line = text_at(file, key); !line.empty()) {
            text += fmt::format("  {}\n", line);
        }
    }
    const Json::json_pointer place("/info/machine");
    const Json machine = file.contains(place) ? file.at(place) : Json();
    const std::string there = machine_text(machine);
    const std::string here = machine_text(this_machine);
    text += there == here ? fmt::format("  measured on: {}, as this machine\n", there)
                          : fmt::format(
                                "  measured on: {}; this machine: {}. Do the rules still hold? try: "
                                "changeover check\n",
                                there, here);
    if (const std::size_t count = previous().size(); count > 0) {
        text += fmt::format("  before it: {} files; back to the last one: --rollback\n", count);
    }
    return text;
}

}  // namespace tuner
