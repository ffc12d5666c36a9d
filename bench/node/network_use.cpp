// SPDX-License-Identifier: MIT
#include "network_use.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "interface.hpp"

namespace bench {

namespace {

// What chooses a network where no connection can be seen, by the start of the device that reads it
constexpr struct {
    const char* variable;
    const char* device;  // empty: of a library that names none
} choosing_variables[] = {{"FI_PROVIDER", "ch4:ofi"}, {"MPIR_CVAR_NEMESIS_NETMOD", "ch3:nemesis"},
                          {"UCX_TLS", "ch4:ucx"},     {"UCX_NET_DEVICES", "ch4:ucx"},
                          {"OMPI_MCA_pml", ""},       {"OMPI_MCA_btl", ""}};

std::string file_text(const char* file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<unsigned long> own_socket_inodes() {
    std::vector<unsigned long> inodes;
    std::error_code problem;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", problem)) {
        const std::string target = std::filesystem::read_symlink(entry.path(), problem).string();
        unsigned long inode = 0;
        if (std::sscanf(target.c_str(), "socket:[%lu]", &inode) == 1) {
            inodes.push_back(inode);
        }
    }
    return inodes;
}

// "0100007F:1F90": words of the address in the byte order of this machine, then the port
Endpoint endpoint_from(const std::string& text) {
    const std::size_t colon = text.find(':');
    std::array<std::uint32_t, 4> words = {};
    const std::size_t count = std::min<std::size_t>(words.size(), colon / 8);
    for (std::size_t i = 0; i < count; ++i) {
        words[i] = static_cast<std::uint32_t>(std::stoul(text.substr(8 * i, 8), nullptr, 16));
    }
    const bool is_mapped = count == 4 && words[0] == 0 && words[1] == 0 && words[2] == htonl(0xffff);
    std::array<char, INET6_ADDRSTRLEN> name = {};
    if (count == 4 && !is_mapped) {
        inet_ntop(AF_INET6, words.data(), name.data(), name.size());
    } else {
        inet_ntop(AF_INET, is_mapped ? &words[3] : words.data(), name.data(), name.size());
    }
    return {name.data(), static_cast<int>(std::stoul(text.substr(colon + 1), nullptr, 16))};
}

std::vector<Connection> own_connections() {
    const std::vector<unsigned long> inodes = own_socket_inodes();
    const std::vector<Interface> own = interfaces();
    std::vector<Connection> found;
    for (const char* file : {"/proc/self/net/tcp", "/proc/self/net/tcp6"}) {
        for (Connection& connection : parse_connections(file_text(file), inodes)) {
            for (const Interface& row : own) {
                if (row.address == connection.local.address) {
                    connection.interface = row.name;
                }
                connection.is_to_own_host |= row.address == connection.remote.address;
            }
            found.push_back(connection);
        }
    }
    return found;
}

// What a rank tells rank 0, as words
std::string to_text(const std::vector<Connection>& connections, const NetworkName& name) {
    std::ostringstream text;
    text << (name.name.empty() ? "-" : name.name) << ' ' << name.addresses.size();
    for (const std::string& address : name.addresses) {
        text << ' ' << address;
    }
    for (const Connection& c : connections) {
        text << ' ' << c.local.address << ' ' << c.local.port << ' ' << c.remote.address << ' '
             << c.remote.port << ' ' << (c.interface.empty() ? "-" : c.interface) << ' ' << c.is_to_own_host;
    }
    return text.str();
}

std::vector<Connection> from_text(const std::string& text, NetworkName& name) {
    std::istringstream in(text);
    std::size_t addresses = 0;
    in >> name.name >> addresses;
    name.name = name.name == "-" ? "" : name.name;
    name.addresses.resize(addresses);
    for (std::string& address : name.addresses) {
        in >> address;
    }
    std::vector<Connection> connections;
    for (Connection c; in >> c.local.address >> c.local.port >> c.remote.address >> c.remote.port >>
                       c.interface >> c.is_to_own_host;) {
        c.interface = c.interface == "-" ? "" : c.interface;
        connections.push_back(c);
    }
    return connections;
}

// The texts of all ranks, on rank 0
std::vector<std::string> gather(const std::string& mine, MPI_Comm comm) {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const auto length = static_cast<int>(mine.size());
    std::vector<int> lengths(static_cast<std::size_t>(ranks));
    MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm);
    std::vector<int> starts(lengths.size() + 1);
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        starts[i + 1] = starts[i] + lengths[i];
    }
    std::string all(static_cast<std::size_t>(rank == 0 ? starts.back() : 0), ' ');
    MPI_Gatherv(mine.data(), length, MPI_CHAR, all.data(), lengths.data(), starts.data(), MPI_CHAR, 0, comm);
    std::vector<std::string> texts;
    for (std::size_t i = 0; rank == 0 && i < lengths.size(); ++i) {
        texts.push_back(
            all.substr(static_cast<std::size_t>(starts[i]), static_cast<std::size_t>(lengths[i])));
    }
    return texts;
}

void add_once(std::vector<std::string>& to, const std::string& text) {
    if (std::find(to.begin(), to.end(), text) == to.end()) {
        to.push_back(text);
    }
}

std::size_t node_index(const Placement& placement, std::size_t rank) {
    return static_cast<std::size_t>(
        std::find(placement.nodes.begin(), placement.nodes.end(), placement.node_of_rank[rank]) -
        placement.nodes.begin());
}

std::string said_by_library(const std::string& device) {
    std::string text = device;
    for (const auto& row : choosing_variables) {
        const char* value = std::getenv(row.variable);
        if (value != nullptr && (*row.device ? device.starts_with(row.device) : device.empty())) {
            text += (text.empty() ? "" : ", ") + std::string(row.variable) + "=" + value;
        }
    }
    return text;
}

}  // namespace

std::vector<Connection> parse_connections(const std::string& text, const std::vector<unsigned long>& inodes) {
    constexpr const char* established = "01";
    std::vector<Connection> found;
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);  // the names of the columns
    while (std::getline(lines, line)) {
        std::istringstream words(line);
        std::string number, local, remote, state, queues, timer, retransmits, user, time_out;
        unsigned long inode = 0;
        if (words >> number >> local >> remote >> state >> queues >> timer >> retransmits >> user >>
                time_out >> inode &&
            state == established && std::find(inodes.begin(), inodes.end(), inode) != inodes.end()) {
            found.push_back({endpoint_from(local), endpoint_from(remote), "", false});
        }
    }
    return found;
}

std::vector<std::vector<Connection>> between_nodes(const std::vector<std::vector<Connection>>& of_ranks,
                                                   const Placement& placement) {
    using Ends = std::pair<Endpoint, Endpoint>;
    std::map<Ends, std::size_t> node_of_ends;
    for (std::size_t rank = 0; rank < of_ranks.size(); ++rank) {
        for (const Connection& c : of_ranks[rank]) {
            node_of_ends[{c.local, c.remote}] = node_index(placement, rank);
        }
    }
    std::vector<std::vector<Connection>> of_nodes(placement.nodes.size());
    for (std::size_t rank = 0; rank < of_ranks.size(); ++rank) {
        const std::size_t node = node_index(placement, rank);
        for (const Connection& c : of_ranks[rank]) {
            const auto other = node_of_ends.find({c.remote, c.local});
            if (other != node_of_ends.end() && other->second != node) {
                of_nodes[node].push_back(c);
            }
        }
    }
    return of_nodes;
}

NetworkUse find_network_use(MPI_Comm comm, const Placement& placement, const std::string& device,
                            const std::string& host_suffix) {
    const std::vector<std::string> texts =
        gather(to_text(own_connections(), network_name(host_suffix)), comm);
    NetworkUse use;
    if (texts.empty()) {
        return use;
    }
    for (const std::string& node : placement.nodes) {
        use.nodes.push_back({node, {}, {}, false, "", {}});
    }
    std::vector<std::vector<Connection>> of_ranks;
    for (std::size_t rank = 0; rank < texts.size(); ++rank) {
        NetworkName name;
        of_ranks.push_back(from_text(texts[rank], name));
        NodeNetwork& node = use.nodes[node_index(placement, rank)];
        node.name = name.name;
        node.name_addresses = name.addresses;
    }
    const auto of_nodes = between_nodes(of_ranks, placement);
    for (std::size_t i = 0; i < use.nodes.size(); ++i) {
        for (const Connection& c : of_nodes[i]) {
            add_once(use.nodes[i].interfaces, c.interface);
            add_once(use.nodes[i].addresses, c.local.address);
            use.nodes[i].is_loopback |= c.is_to_own_host;
        }
    }
    use.stated_by_library = said_by_library(device);
    const bool all_seen = std::none_of(use.nodes.begin(), use.nodes.end(),
                                       [](const NodeNetwork& node) { return node.addresses.empty(); });
    use.evidence = placement.nodes.size() == 1      ? Evidence::one_node
                   : all_seen                       ? Evidence::sockets
                   : !use.stated_by_library.empty() ? Evidence::library
                                                    : Evidence::unknown;
    return use;
}

const char* to_string(Evidence evidence) {
    constexpr const char* names[] = {"sockets", "library", "unknown", "one node"};
    return names[static_cast<std::size_t>(evidence)];
}

}  // namespace bench
