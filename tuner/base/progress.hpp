// SPDX-License-Identifier: MIT
// How far a campaign is, for people: a few lines that are rewritten on a terminal, now and then a line
// elsewhere. A terminal stays as it is: no mode is changed, and nothing has to be restored when the program
// is killed.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace tuner {

struct ProgressState {
    std::size_t cases_done = 0;
    double seconds_left = -1;  // below zero: unknown
    std::string current;       // what is being measured
    std::vector<std::string> details =
        {};  // more lines, for terminals only; the last ones are the most important
};

class Progress {
  public:
    // On standard error. With NO_COLOR, or TERM=dumb, a terminal is like any other file.
    Progress();
    Progress(std::FILE* file, bool is_terminal, bool has_colour, double seconds_between_lines = 10);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void show(const ProgressState& state);
    void note(const std::string& text);  // a line that stays
    void clear();                        // the lines that are rewritten

  private:
    void put(const std::string& text);
    std::string erase();

    std::FILE* file_;
    bool is_terminal_;
    bool has_colour_;
    std::chrono::duration<double> between_lines_;
    std::chrono::steady_clock::time_point last_line_;
    std::size_t lines_ = 0;  // on the terminal, that are rewritten
};

}  // namespace tuner
