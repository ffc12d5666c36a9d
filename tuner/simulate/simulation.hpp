// SPDX-License-Identifier: MIT
// A changeover-sim that runs: so that nothing else needs SimGrid. It gets and answers lines of JSON.
#pragma once

#include <string>
#include <vector>

#include "checked_json.hpp"
#include "layout.hpp"
#include "process.hpp"

namespace tuner {

class Simulation {
  public:
    // Throws an Error if changeover-sim was not built
    Simulation(const std::string& platform_file, const std::vector<std::string>& arguments);
    void send(const Json& line);
    void end_of_lines() { process_.close_input(); }
    Json next();  // throws an Error if the answer is one, or if there is none

  private:
    Process process_;
};

std::string layout_argument(const Layout& layout);  // as its --layout has it

// A platform file that nobody else can read or replace; removed with this object
class TemporaryPlatform {
  public:
    explicit TemporaryPlatform(const std::string& text);
    ~TemporaryPlatform();
    TemporaryPlatform(const TemporaryPlatform&) = delete;
    TemporaryPlatform& operator=(const TemporaryPlatform&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

}  // namespace tuner
