// SPDX-License-Identifier: MIT
#include "placement.hpp"

#include <fmt/core.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <map>

namespace bench {

namespace {

// The launcher has one process on each node, real or simulated, that is the parent of its ranks
std::string node_key() {
    std::array<char, 256> host = {};
    gethostname(host.data(), host.size() - 1);
    return fmt::format("{}/{}/{}", running_system(), host.data(), getppid());
}

std::string cpu_name() {
    std::ifstream cpuinfo("/proc/cpuinfo");
    for (std::string line; std::getline(cpuinfo, line);) {
        if (line.starts_with("model name") || line.starts_with("CPU part")) {
            return line.substr(line.find(':') + 2);
        }
    }
    return "unknown";
}

int usable_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
}

}  // namespace

std::string running_system() {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string id;
    std::getline(file, id);
    return id;
}

Placement find_placement(MPI_Comm comm) {
    int ranks = 0;
    MPI_Comm_size(comm, &ranks);
    constexpr int length = 400;
    std::array<char, length> mine = {};
    std::strncpy(mine.data(), node_key().c_str(), length - 1);
    std::vector<char> all(static_cast<std::size_t>(ranks) * length);
    MPI_Allgather(mine.data(), length, MPI_CHAR, all.data(), length, MPI_CHAR, comm);

    Placement placement = {{}, {}, {}, 0, 0, usable_cores(), cpu_name()};
    std::vector<std::string> keys;
    std::map<std::string, int> nodes_on_host;
    std::map<std::string, int> ranks_on_system;
    for (int rank = 0; rank < ranks; ++rank) {
        const std::string key = all.data() + static_cast<std::size_t>(rank) * length;
        const std::size_t host_at = key.find('/') + 1;
        const std::string host = key.substr(host_at, key.find('/', host_at) - host_at);
        const std::string system = key.substr(0, host_at);
        const auto found = std::find(keys.begin(), keys.end(), key);
        const auto node = static_cast<std::size_t>(found - keys.begin());
        if (found == keys.end()) {
            keys.push_back(key);
            const int number = ++nodes_on_host[host];  // more than one: simulated
            placement.nodes.push_back(number == 1 ? host : host + "#" + std::to_string(number));
            placement.ranks_on_node.push_back(0);
        }
        ++placement.ranks_on_node[node];
        placement.node_of_rank.push_back(placement.nodes[node]);
        placement.most_ranks_on_a_machine =
            std::max(placement.most_ranks_on_a_machine, ++ranks_on_system[system]);
    }
    placement.machines = static_cast<int>(ranks_on_system.size());
    return placement;
}

}  // namespace bench
