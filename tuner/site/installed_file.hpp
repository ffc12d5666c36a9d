// SPDX-License-Identifier: MIT
// The tuning file that all jobs of a site read without a variable, and the ones that it replaced. The library
// looks for it in the prefix that it is in, then in /etc.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "checked_json.hpp"

namespace tuner {

class InstalledFile {
  public:
    static constexpr std::size_t most_previous = 5;

    // Of an installation below a prefix; without one, of the system
    explicit InstalledFile(const std::filesystem::path& prefix = "/");

    const std::filesystem::path& path() const { return path_; }
    bool exists() const;
    std::vector<std::filesystem::path> previous() const;  // the last one first

    // At once, readable for all. Keeps the one before. False: it is installed already. Throws an Error.
    bool install(std::string_view text) const;

    // The one before is installed again; what was installed is kept beside it, once. Throws an Error if there
    // is none before.
    void roll_back() const;

    // For people: what is installed, since when, from which run, and whether it was measured on such a
    // machine (keys processor and cores)
    std::string status(const Json& this_machine, std::filesystem::file_time_type now =
                                                     std::filesystem::file_time_type::clock::now()) const;

  private:
    std::filesystem::path kept(std::size_t number) const;  // 1: the last one

    std::filesystem::path path_;
};

}  // namespace tuner
