// SPDX-License-Identifier: MIT
#include "progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "units.hpp"

namespace tuner {

namespace {

constexpr const char* to_line_start = "\r\033[K";
constexpr const char* line_up = "\033[A\033[K";
constexpr const char* yellow = "\033[33m";
constexpr const char* plain = "\033[0m";

bool is_live_terminal() {
    const char* no_color = std::getenv("NO_COLOR");  // no-color.org: if it is there and not empty
    const char* term = std::getenv("TERM");
    return isatty(STDERR_FILENO) && (!no_color || !*no_color) && term && *term &&
           std::string_view(term) != "dumb";
}

struct ScreenSize {
    std::size_t columns;
    std::size_t lines;
};

// A number of the environment; 0: it has none
std::size_t count_in(const char* variable) {
    const char* text = std::getenv(variable);
    const long number = text ? std::strtol(text, nullptr, 10) : 0;
    return number > 0 ? static_cast<std::size_t>(number) : 0;
}

ScreenSize size_of(std::FILE* file) {
    constexpr ScreenSize usual = {80, 24};
    winsize size = {};
    if (ioctl(fileno(file), TIOCGWINSZ, &size) != 0) {
        size = {};
    }
    const auto first_of = [](std::size_t a, std::size_t b, std::size_t c) { return a ? a : b ? b : c; };
    return {first_of(size.ws_col, count_in("COLUMNS"), usual.columns),
            first_of(size.ws_row, count_in("LINES"), usual.lines)};
}

std::string line_of(const ProgressState& state) {
    std::string text = fmt::format("{} cases", state.cases_done);
    if (state.seconds_left >= 0) {
        text += fmt::format(", {} left", seconds_text(state.seconds_left < 1 ? 1 : state.seconds_left));
    }
    return text + ": " + state.current;
}

}  // namespace

Progress::Progress() : Progress(stderr, is_live_terminal(), is_live_terminal()) {}

Progress::Progress(std::FILE* file, bool is_terminal, bool has_colour, double seconds_between_lines)
    : file_(file),
      is_terminal_(is_terminal),
      has_colour_(has_colour),
      between_lines_(seconds_between_lines),
      last_line_(std::chrono::steady_clock::time_point::min()) {}

Progress::~Progress() {
    clear();
}

// Nobody has to read it: a full disk or a closed pipe must not end a measurement
void Progress::put(const std::string& text) {
    [[maybe_unused]] const bool shown =
        std::fwrite(text.data(), 1, text.size(), file_) == text.size() && std::fflush(file_) == 0;
}

// The cursor is behind the last line, and then at the start of the first
std::string Progress::erase() {
    std::string text = to_line_start;
    for (std::size_t i = 1; i < lines_; ++i) {
        text += line_up;
    }
    return text;
}

void Progress::show(const ProgressState& state) {
    const auto now = std::chrono::steady_clock::now();
    if (is_terminal_) {
        const ScreenSize size = size_of(file_);
        std::vector<std::string> lines = state.details;
        lines.push_back(line_of(state));
        const std::size_t fitting = std::max<std::size_t>(1, size.lines - 1);
        lines.erase(lines.begin(),
                    lines.end() - static_cast<std::ptrdiff_t>(std::min(fitting, lines.size())));
        std::string text = erase();
        for (std::size_t i = 0; i < lines.size(); ++i) {
            // the last column stays free: some terminals wrap there
            text += (i > 0 ? "\n" : "") + lines[i].substr(0, size.columns - 1);
        }
        put(text);
        lines_ = lines.size();
    } else if (last_line_ == std::chrono::steady_clock::time_point::min() ||
               now - last_line_ >= between_lines_) {
        put(line_of(state) + "\n");
        last_line_ = now;
    }
}

void Progress::note(const std::string& text) {
    clear();
    put(fmt::format("{}{}{}\n", has_colour_ ? yellow : "", text, has_colour_ ? plain : ""));
}

void Progress::clear() {
    if (lines_ > 0) {
        put(erase());
        lines_ = 0;
    }
}

}  // namespace tuner
