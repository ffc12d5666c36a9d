// SPDX-License-Identifier: MIT
#include "fake_process.hpp"

#include <fmt/format.h>

namespace {

std::string next_output;
tuner::ExitStatus next_status;

}  // namespace

namespace fake {

void set_output(std::string text, tuner::ExitStatus status) {
    next_output = std::move(text);
    next_status = status;
}

}  // namespace fake

namespace tuner {

Deadline in_seconds(double) {
    return Clock::now();
}

std::string new_token() {
    return std::string(32, '0');
}

Ending reap(const std::string&, double) {
    return {};
}

std::string to_string(const ExitStatus& status) {
    return fmt::format("exit code {}", status.code);
}

Process::Process(const Command&, const std::string& token)
    : token_(token), output_text_(next_output), status_(next_status) {}

Process::~Process() = default;

bool Process::write(const std::string&, Deadline) {
    return true;
}

void Process::close_input() {}

Process::Read Process::read_line(std::string& line, Deadline) {
    const std::size_t end = output_text_.find('\n');
    if (end == std::string::npos) {
        return Read::end;
    }
    line = output_text_.substr(0, end);
    output_text_.erase(0, end + 1);
    errors_.push_back(line);  // a launcher says the same on standard error
    return Read::line;
}

std::optional<ExitStatus> Process::wait(Deadline) {
    return status_;
}

Ending Process::end(double) {
    return {};
}

}  // namespace tuner
