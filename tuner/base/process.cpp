// SPDX-License-Identifier: MIT
#include "process.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <set>
#include <thread>

#include "error.hpp"
#include "output.hpp"

extern char** environ;

namespace tuner {

namespace {

using namespace std::chrono_literals;

// How late a stop request or the death of a launcher whose output somebody else holds open is seen
constexpr std::chrono::milliseconds longest_poll = 100ms;
constexpr std::size_t kept_error_lines = 50;
constexpr std::size_t longest_error_line = 1000;
// 1000 repetitions are about 10 KiB: whoever writes this much without an end of line is not our benchmark
constexpr std::size_t longest_line = std::size_t{16} << 20;

std::string system_error(const std::string& what) {
    return what + ": " + std::strerror(errno);
}

struct Pipe {
    int read_end = -1;
    int write_end = -1;

    Pipe() {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) {
            throw failure(system_error("a pipe cannot be created") + "; try a higher limit with ulimit -n");
        }
        read_end = ends[0];
        write_end = ends[1];
    }
    ~Pipe() {
        close_end(read_end);
        close_end(write_end);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    static void close_end(int& end) {
        if (end >= 0) {
            close(end);
            end = -1;
        }
    }
    static int release(int& end) { return std::exchange(end, -1); }
};

std::vector<std::string> environment_with(const Environment& additions) {
    std::vector<std::string> all;
    for (char** entry = environ; *entry; ++entry) {
        const std::string_view text = *entry;
        const std::string_view name = text.substr(0, text.find('='));
        const bool replaced = std::any_of(additions.begin(), additions.end(),
                                          [&](const auto& addition) { return addition.first == name; });
        if (!replaced) {
            all.emplace_back(text);
        }
    }
    for (const auto& [name, value] : additions) {
        all.push_back(name + "=" + value);
    }
    return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    return pointers;
}

// In the child, after fork: only what is safe there
[[noreturn]] void become(char* const* arguments, char* const* environment, const int (&streams)[3],
                         int report, pid_t parent) {
    setpgid(0, 0);
    // SIGKILL, not SIGTERM: hydra's proxies end their ranks when the launcher is gone, but hydra passes
    // SIGTERM on, and ranks may ignore it
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(127);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int number : {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
        signal(number, SIG_DFL);
    }
    for (int i = 0; i < 3; ++i) {
        dup2(streams[i], i);
    }
    execvpe(arguments[0], arguments, environment);
    const int reason = errno;
    [[maybe_unused]] const ssize_t n = write(report, &reason, sizeof(reason));
    _exit(127);
}

bool is_token(const std::string& text) {
    return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

bool carries(pid_t pid, const std::string& entry) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/environ", std::ios::binary);
    const std::string all((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    for (std::size_t at = all.find(entry); at != std::string::npos; at = all.find(entry, at + 1)) {
        const bool starts = at == 0 || all[at - 1] == '\0';
        const std::size_t end = at + entry.size();
        if (starts && (end == all.size() || all[end] == '\0')) {
            return true;
        }
    }
    return false;
}

std::vector<pid_t> find_marked(const std::string& entry) {
    std::vector<pid_t> found;
    const std::unique_ptr<DIR, int (*)(DIR*)> processes(opendir("/proc"), closedir);
    if (!processes) {
        throw failure(system_error("processes cannot be listed in /proc") + "; try to mount /proc");
    }
    while (const dirent* row = readdir(processes.get())) {
        const pid_t pid = std::atoi(row->d_name);
        if (pid > 0 && pid != getpid() && carries(pid, entry)) {
            found.push_back(pid);
        }
    }
    return found;
}

// Through a descriptor: between the look and the signal the id could have become another process's
void kill_marked(pid_t pid, const std::string& entry) {
    const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
    if (descriptor < 0) {
        if (errno == ENOSYS) {  // before Linux 5.3
            kill(pid, SIGKILL);
        }
        return;
    }
    if (carries(pid, entry)) {
        syscall(SYS_pidfd_send_signal, descriptor, SIGKILL, nullptr, 0);
    }
    close(descriptor);
}

}  // namespace

Deadline in_seconds(double seconds) {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

double seconds_until(Deadline deadline) {
    return std::chrono::duration<double>(deadline - Clock::now()).count();
}

std::string new_token() {
    std::random_device random;
    return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

Ending reap(const std::string& token, double seconds) {
    if (!is_token(token)) {
        throw usage_error("'" + token +
                          "' is not the token of a job: it has 32 hexadecimal digits; try one of " +
                          "those in the run's samples.jsonl");
    }
    const std::string entry = std::string(token_variable) + "=" + token;
    const Deadline deadline = in_seconds(seconds);
    std::set<pid_t> killed;
    std::vector<pid_t> found;
    while (!(found = find_marked(entry)).empty() && Clock::now() < deadline) {
        for (const pid_t pid : found) {
            kill_marked(pid, entry);
            killed.insert(pid);
        }
        std::this_thread::sleep_for(10ms);
    }
    Ending ending = {static_cast<int>(killed.size() - found.size()), static_cast<int>(found.size()), {}};
    if (!found.empty()) {
        ending.problem = fmt::format(
            "leftover processes of a job could not be killed: {}; try kill -9, or check for a file system "
            "that hangs",
            fmt::join(found, " "));
    }
    return ending;
}

std::string to_string(const ExitStatus& status) {
    return status.signal ? fmt::format("signal {} ({})", status.signal, strsignal(status.signal))
                         : fmt::format("exit status {}", status.code);
}

Process::Process(const Command& command, const std::string& token) : token_(token) {
    signal(SIGPIPE, SIG_IGN);  // a child that is gone is seen by write's result
    Environment additions = command.environment;
    additions.emplace_back(token_variable, token);
    std::vector<std::string> arguments = command.arguments;
    std::vector<std::string> environment = environment_with(additions);
    const std::vector<char*> argument_pointers = pointers_to(arguments);
    const std::vector<char*> environment_pointers = pointers_to(environment);
    Pipe in;
    Pipe out;
    Pipe err;
    Pipe report;
    const int streams[3] = {in.read_end, out.write_end, err.write_end};
    const pid_t parent = getpid();
    pid_ = fork();
    if (pid_ == 0) {
        become(argument_pointers.data(), environment_pointers.data(), streams, report.write_end, parent);
    }
    if (pid_ < 0) {
        throw failure(system_error(arguments[0] + " could not be started") +
                      "; raise the limit on processes (ulimit -u)");
    }
    setpgid(pid_, pid_);  // both sides do it: whoever comes first
    Pipe::close_end(report.write_end);
    int reason = 0;
    if (read(report.read_end, &reason, sizeof(reason)) == sizeof(reason)) {
        waitpid(pid_, nullptr, 0);
        errno = reason;
        throw failure(system_error(arguments[0] + " could not be started") +
                      "; install it, or name its full path in the cluster file");
    }
    input_ = Pipe::release(in.write_end);
    output_ = Pipe::release(out.read_end);
    error_ = Pipe::release(err.read_end);
    for (const int descriptor : {input_, output_, error_}) {
        fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
    }
}

Process::~Process() {
    try {
        end();
    } catch (const std::exception& error) {
        print_note("Warning: {}\n", error.what());
    }
    for (int* descriptor : {&input_, &output_, &error_}) {
        Pipe::close_end(*descriptor);
    }
}

void Process::close_input() {
    Pipe::close_end(input_);
}

// The child stays a zombie until end(): so nobody else gets its id, which is also the id of its group
void Process::check_exit() {
    siginfo_t info = {};
    if (!status_ && waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == pid_) {
        status_ = info.si_code == CLD_EXITED ? ExitStatus{info.si_status, 0} : ExitStatus{0, info.si_status};
        read_available();  // its last words, which it may have written after the last look
    }
}

void Process::take_errors() {
    std::size_t start = 0;
    for (std::size_t end = 0; (end = error_text_.find('\n', start)) != std::string::npos; start = end + 1) {
        errors_.push_back(error_text_.substr(start, std::min(end - start, longest_error_line)));
        if (errors_.size() > kept_error_lines) {
            errors_.pop_front();
        }
    }
    error_text_.erase(0, start);
    if (error_text_.size() > longest_error_line) {
        error_text_.resize(longest_error_line);
    }
}

void Process::read_available() {
    std::array<char, 65536> buffer;
    for (const auto& [descriptor, text] :
         {std::pair{&output_, &output_text_}, std::pair{&error_, &error_text_}}) {
        // at most one buffer each: an endless writer must not keep us from looking at the time
        if (*descriptor < 0 || (text == &output_text_ && text->size() > longest_line)) {
            continue;
        }
        const ssize_t n = read(*descriptor, buffer.data(), buffer.size());
        if (n > 0) {
            text->append(buffer.data(), static_cast<std::size_t>(n));
        } else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
            Pipe::close_end(*descriptor);
        }
    }
    take_errors();
}

void Process::pump(Deadline deadline, bool wants_to_write) {
    std::array<pollfd, 3> polled = {pollfd{output_, POLLIN, 0}, pollfd{error_, POLLIN, 0},
                                    pollfd{wants_to_write ? input_ : -1, POLLOUT, 0}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    const bool nothing_to_see = output_ < 0 && error_ < 0;  // but the end of the child, soon
    const auto time = std::clamp<std::chrono::milliseconds>(left, 0ms, nothing_to_see ? 5ms : longest_poll);
    poll(polled.data(), polled.size(), static_cast<int>(time.count()));
    read_available();
    check_exit();
}

bool Process::write(const std::string& text, Deadline deadline) {
    std::size_t written = 0;
    while (written < text.size() && input_ >= 0 && !stop_requested) {
        const ssize_t n = ::write(input_, text.data() + written, text.size() - written);
        if (n > 0) {
            written += static_cast<std::size_t>(n);
        } else if ((errno != EAGAIN && errno != EINTR) || status_ || Clock::now() >= deadline) {
            return false;
        } else {
            pump(deadline, true);
        }
    }
    return written == text.size();
}

bool Process::take_line(std::string& line) {
    const std::size_t end = output_text_.find('\n');
    if (end == std::string::npos && output_text_.size() <= longest_line) {
        return false;
    }
    line = output_text_.substr(0, end);
    output_text_.erase(0, end == std::string::npos ? end : end + 1);
    return true;
}

Process::Read Process::read_line(std::string& line, Deadline deadline) {
    while (!take_line(line)) {
        if (status_ || output_ < 0) {
            // what a dead child had written; somebody else may still hold its output open
            const std::size_t before = output_text_.size();
            read_available();
            if (output_text_.size() > before) {
                continue;
            }
            line = std::exchange(output_text_, {});
            return line.empty() ? Read::end : Read::line;
        }
        if (stop_requested) {
            return Read::stopped;
        }
        if (Clock::now() >= deadline) {
            return Read::time_out;
        }
        pump(deadline, false);
    }
    return Read::line;
}

std::optional<ExitStatus> Process::wait(Deadline deadline) {
    check_exit();
    while (!status_ && Clock::now() < deadline) {
        pump(deadline, false);
        if (output_text_.size() > longest_line) {
            output_text_.clear();  // nobody will read it
        }
    }
    return status_;
}

Ending Process::end(double grace_seconds) {
    if (collected_) {
        return {};
    }
    if (!wait(in_seconds(0))) {
        kill(-pid_, SIGTERM);
        close_input();
        wait(in_seconds(grace_seconds));
    }
    kill(-pid_, SIGKILL);
    wait(in_seconds(5));
    const Ending ending = reap(token_);
    wait(in_seconds(1));
    if (status_) {
        waitpid(pid_, nullptr, 0);
        collected_ = true;
    }
    return ending;
}

}  // namespace tuner
