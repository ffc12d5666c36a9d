// SPDX-License-Identifier: MIT
#include "machine.hpp"

#include <sys/utsname.h>

#include <ctime>
#include <fstream>
#include <thread>

namespace tuner {

const char* const program_version = CHANGEOVER_VERSION;

namespace {

// The first line of /proc/cpuinfo that names the processor: x86 has a model name, ARM only part numbers.
std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    std::string part;
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (colon == std::string::npos) {
            continue;
        }
        if (line.starts_with("model name")) {
            return line.substr(colon + 2);
        }
        if (line.starts_with("CPU part") && part.empty()) {
            part = "part " + line.substr(colon + 2);
        }
    }
    return part.empty() ? "unknown" : part;
}

}  // namespace

std::string now_utc() {
    const std::time_t now = std::time(nullptr);
    std::tm parts = {};
    gmtime_r(&now, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

Json environment_of_this_machine() {
    utsname system = {};
    uname(&system);
    return {{"changeover", program_version},
            {"host", system.nodename},
            {"kernel", std::string(system.sysname) + " " + system.release},
            {"architecture", system.machine},
            {"processor", processor_name()},
            {"cores", std::thread::hardware_concurrency()}};
}

Json fingerprint_of(const Cluster& cluster) {
    const Json machine = environment_of_this_machine();
    Json networks = Json::array();
    for (const Network& network : cluster.networks) {
        networks.push_back(network.name);
    }
    return {{"library", cluster.library},
            {"launcher", cluster.mpiexec},
            {"architecture", machine.at("architecture")},
            {"processor", machine.at("processor")},
            {"cores", machine.at("cores")},
            {"hosts", cluster.hosts.size()},
            {"networks", networks}};
}

}  // namespace tuner
