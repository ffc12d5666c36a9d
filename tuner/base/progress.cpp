// SPDX-License-Identifier: MIT
#include "progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "units.hpp"

namespace tuner {

namespace {

constexpr const char* to_line_start = "\r\033[K";
constexpr const char* yellow = "\033[33m";
constexpr const char* plain = "\033[0m";

bool colour_is_wanted() {
    const char* no_color = std::getenv("NO_COLOR");  // no-color.org: if it is there and not empty
    return isatty(STDERR_FILENO) && (!no_color || !*no_color);
}

std::size_t columns_of(std::FILE* file) {
    winsize size = {};
    constexpr std::size_t usual = 80;
    return ioctl(fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual;
}

std::string line_of(const ProgressState& state) {
    std::string text = fmt::format("{} cases", state.cases_done);
    if (state.seconds_left >= 0) {
        text += fmt::format(", {} left", seconds_text(state.seconds_left < 1 ? 1 : state.seconds_left));
    }
    return text + ": " + state.current;
}

}  // namespace

Progress::Progress() : Progress(stderr, isatty(STDERR_FILENO), colour_is_wanted()) {}

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

void Progress::show(const ProgressState& state) {
    const auto now = std::chrono::steady_clock::now();
    if (is_terminal_) {
        // the last column stays free: some terminals wrap there
        put(to_line_start + line_of(state).substr(0, columns_of(file_) - 1));
        has_line_ = true;
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
    if (has_line_) {
        put(to_line_start);
        has_line_ = false;
    }
}

}  // namespace tuner
