// SPDX-License-Identifier: MIT
// A child process with pipes, started without a shell, and an ending that leaves nothing behind. A launcher's
// proxies and ranks run in sessions of their own, so a signal to the launcher does not reach them. Each
// job therefore carries a random token in its environment, and whoever has it is found in /proc.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"

namespace tuner {

using Clock = std::chrono::steady_clock;
using Deadline = Clock::time_point;

Deadline in_seconds(double seconds);
double seconds_until(Deadline deadline);  // below zero: it has passed

// A signal handler may set it: what waits for a child then returns within a tenth of a second.
inline std::atomic<bool> stop_requested{false};

constexpr const char* token_variable = "CHANGEOVER_JOB";
std::string new_token();  // 32 hexadecimal digits

// What is left of a job when it was ended.
struct Ending {
    int ended = 0;        // processes that had to be killed
    int left = 0;         // processes that are still there
    std::string problem;  // empty: all are gone
};

// Kills all processes of this machine and this user that carry the token, until none is left. Throws when it
// is not a token.
Ending reap(const std::string& token, double seconds = 10);

struct ExitStatus {
    int code = 0;    // if signal is 0
    int signal = 0;  // that ended it
};
std::string to_string(const ExitStatus& status);

class Process {
  public:
    enum class Read { line, end, time_out, stopped };

    // Throws an Error when the program cannot be started. The child is killed when the thread that started it
    // ends, however that comes.
    Process(const Command& command, const std::string& token);
    ~Process();  // ends it
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    const std::string& token() const { return token_; }
    pid_t pid() const { return pid_; }

    // All of these keep reading standard output and standard error, so that the child never waits for us.
    bool write(const std::string& text, Deadline deadline);  // false: not taken in time, or nobody reads
    void close_input();
    Read read_line(std::string& line, Deadline deadline);  // of standard output; `end`: the child is done
    std::optional<ExitStatus> wait(Deadline deadline);     // nothing: still running

    // SIGTERM, some time to end well, SIGKILL, and then whatever still carries the token on this machine.
    Ending end(double grace_seconds = 1);

    const std::deque<std::string>& last_errors() const { return errors_; }  // lines of standard error

  private:
    void pump(Deadline deadline, bool wants_to_write);
    void read_available();
    bool take_line(std::string& line);
    void take_errors();
    void check_exit();

    std::string token_;
    pid_t pid_ = -1;
    int input_ = -1;
    int output_ = -1;
    int error_ = -1;
    std::string output_text_;
    std::string error_text_;
    std::deque<std::string> errors_;
    std::optional<ExitStatus> status_;
    bool collected_ = false;  // only then may the system give its id to another process
};

}  // namespace tuner
