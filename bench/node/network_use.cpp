// SPDX-License-Identifier: MIT
#include "network_use.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
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

// Nothing if it is no socket, or not connected by TCP
std::optional<Connection> connection_of(int descriptor) {
    int type = 0;
    socklen_t length = sizeof type;
    if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) != 0 || type != SOCK_STREAM) {
        return std::nullopt;
    }
    sockaddr_storage local = {};
    sockaddr_storage remote = {};
    socklen_t local_length = sizeof local;
    socklen_t remote_length = sizeof remote;
    if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&local), &local_length) != 0 ||
        getpeername(descriptor, reinterpret_cast<sockaddr*>(&remote), &remote_length) != 0 ||
        (local.ss_family != AF_INET && local.ss_family != AF_INET6)) {
        return std::nullopt;
    }
    return Connection{endpoint_of(local), endpoint_of(remote), "", "", false};
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
             << c.remote.port << ' ' << (c.interface.empty() ? "-" : c.interface) << ' '
             << (c.subnet.empty() ? "-" : c.subnet) << ' ' << c.is_to_own_host;
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
                       c.interface >> c.subnet >> c.is_to_own_host;) {
        c.interface = c.interface == "-" ? "" : c.interface;
        c.subnet = c.subnet == "-" ? "" : c.subnet;
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

Endpoint endpoint_of(const sockaddr_storage& address) {
    std::array<char, INET6_ADDRSTRLEN> name = {};
    if (address.ss_family == AF_INET) {
        const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
        inet_ntop(AF_INET, &v4.sin_addr, name.data(), name.size());
        return {name.data(), ntohs(v4.sin_port)};
    }
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
    constexpr std::size_t start_of_v4 = 12;  // of an address of version 4 within one of version 6
    if (IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr)) {
        inet_ntop(AF_INET, &v6.sin6_addr.s6_addr[start_of_v4], name.data(), name.size());
    } else {
        inet_ntop(AF_INET6, &v6.sin6_addr, name.data(), name.size());
    }
    return {name.data(), ntohs(v6.sin6_port)};
}

std::vector<Connection> own_connections() {
    std::vector<Connection> found;
    std::error_code problem;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", problem)) {
        if (const auto connection = connection_of(std::atoi(entry.path().filename().c_str()))) {
            found.push_back(*connection);
        }
    }
    const std::vector<Interface> own = interfaces();
    for (Connection& connection : found) {
        for (const Interface& row : own) {
            if (row.address == connection.local.address) {
                connection.interface = row.name;
                connection.subnet = row.subnet;
            }
            connection.is_to_own_host |= row.address == connection.remote.address;
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
        use.nodes.push_back({node, {}, {}, {}, false, "", {}});
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
            add_once(use.nodes[i].subnets, c.subnet);
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
