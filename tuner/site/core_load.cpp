// SPDX-License-Identifier: MIT
#include "core_load.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

namespace tuner {

namespace {

constexpr double share_worth_a_word = 0.25;  // of a core

// What cannot be read is empty: a process may be gone by now
std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::map<int, long> ticks_of_processes() {
    std::map<int, long> ticks;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
        const std::string name = entry.path().filename();
        if (name.find_first_not_of("0123456789") == std::string::npos) {
            ticks[std::stoi(name)] = process_ticks(text_of(entry.path() / "stat"));
        }
    }
    return ticks;
}

std::string busiest(const std::map<int, long>& before, const std::map<int, long>& after, double seconds) {
    int id = 0;
    long most = 0;
    for (const auto& [process, ticks] : after) {
        const auto start = before.find(process);
        const long used = ticks - (start == before.end() ? 0 : start->second);
        if (used > most && process != getpid()) {
            id = process;
            most = used;
        }
    }
    const double share = static_cast<double>(most) / static_cast<double>(sysconf(_SC_CLK_TCK)) / seconds;
    if (share < share_worth_a_word) {
        return "";
    }
    std::string name = text_of(fmt::format("/proc/{}/comm", id));
    name = name.substr(0, name.find('\n'));
    return fmt::format("{} (process {}, {:.0f}% of a core)", name.empty() ? "one that has ended" : name, id,
                       100 * share);
}

}  // namespace

std::vector<CoreTicks> core_ticks(std::string_view stat) {
    std::vector<CoreTicks> cores;
    std::istringstream lines{std::string(stat)};
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name;
        words >> name;
        if (name.size() <= 3 || !name.starts_with("cpu")) {
            continue;  // the sum of all, or something else
        }
        CoreTicks core;
        // user, nice, system, idle, iowait, irq, softirq, steal; those of guests are part of user
        long ticks = 0;
        for (int column = 0; column < 8 && words >> ticks; ++column) {
            core.all += ticks;
            core.busy += column == 3 || column == 4 ? 0 : ticks;
        }
        cores.push_back(core);
    }
    return cores;
}

std::vector<double> busy_shares(const std::vector<CoreTicks>& before, const std::vector<CoreTicks>& after) {
    std::vector<double> shares;
    for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
        const long all = after[i].all - before[i].all;
        if (all <= 0) {
            return {};
        }
        shares.push_back(static_cast<double>(after[i].busy - before[i].busy) / static_cast<double>(all));
    }
    return shares;
}

long process_ticks(std::string_view stat) {
    const std::size_t name_end = stat.rfind(')');  // a name may have spaces and parentheses
    if (name_end == std::string_view::npos) {
        return -1;
    }
    std::istringstream words{std::string(stat.substr(name_end + 1))};
    std::string word;
    long user = 0;
    long system = 0;
    for (int column = 3; column < 14; ++column) {
        words >> word;
    }
    return words >> user >> system ? user + system : -1;
}

CoreLoad load_of_this_node(double seconds) {
    const auto start = std::chrono::steady_clock::now();
    const std::vector<CoreTicks> cores = core_ticks(text_of("/proc/stat"));
    const std::map<int, long> processes = ticks_of_processes();
    std::this_thread::sleep_until(start + std::chrono::duration<double>(seconds));
    return {busy_shares(cores, core_ticks(text_of("/proc/stat"))),
            busiest(processes, ticks_of_processes(), seconds)};
}

}  // namespace tuner
