// SPDX-License-Identifier: MIT
// How far a campaign is, for people: one line that is rewritten on a terminal, now and then a line elsewhere.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

namespace tuner {

struct ProgressState {
    std::size_t cases_done = 0;
    double seconds_left = -1;  // below zero: unknown
    std::string current;       // what is being measured
};

class Progress {
  public:
    Progress();  // on standard error; colour on a terminal, unless NO_COLOR is set
    Progress(std::FILE* file, bool is_terminal, bool has_colour, double seconds_between_lines = 10);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void show(const ProgressState& state);
    void note(const std::string& text);  // a line that stays
    void clear();                        // the line that is rewritten

  private:
    void put(const std::string& text);

    std::FILE* file_;
    bool is_terminal_;
    bool has_colour_;
    std::chrono::duration<double> between_lines_;
    std::chrono::steady_clock::time_point last_line_;
    bool has_line_ = false;
};

}  // namespace tuner
