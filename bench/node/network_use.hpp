// SPDX-License-Identifier: MIT
// Which network a job really uses: the two ends of its TCP connections between nodes, found among the sockets
// that its ranks have open, and the interfaces with these addresses. Where there are no such connections,
// what the library says of itself.
#pragma once

#include <mpi.h>
#include <sys/socket.h>

#include <string>
#include <vector>

#include "placement.hpp"

namespace bench {

struct Endpoint {
    std::string address;
    int port = 0;
    auto operator<=>(const Endpoint&) const = default;
};

// A TCP connection, as a rank has it
struct Connection {
    Endpoint local;
    Endpoint remote;
    std::string interface;        // with the local address
    std::string subnet;           // of the local address
    bool is_to_own_host = false;  // the remote address is this host's: the kernel takes its loopback
    auto operator<=>(const Connection&) const = default;
};

struct NodeNetwork {
    std::string node;
    std::vector<std::string> interfaces;  // of connections to other nodes
    std::vector<std::string> addresses;
    std::vector<std::string> subnets;         // of the addresses
    bool is_loopback = false;                 // some of them do not leave this machine
    std::string name;                         // of the node in the network, with --host-suffix
    std::vector<std::string> name_addresses;  // that it stands for
};

enum class Evidence {
    sockets,   // both ends of a connection between nodes were found, on every node
    library,   // only what the library and its environment say
    unknown,   // nothing says anything
    one_node,  // there is no network between nodes
};
const char* to_string(Evidence evidence);

struct NetworkUse {
    Evidence evidence = Evidence::unknown;
    std::string stated_by_library;   // device, and variables that choose a network
    std::vector<NodeNetwork> nodes;  // as in the placement
};

Endpoint endpoint_of(const sockaddr_storage& address);  // of version 4 or 6

// TCP connections of this process. (The kernel's table of all connections takes milliseconds to read.)
std::vector<Connection> own_connections();

// Connections between ranks of different nodes, by node
std::vector<std::vector<Connection>> between_nodes(const std::vector<std::vector<Connection>>& of_ranks,
                                                   const Placement& placement);

// Collective, once ranks of all nodes have communicated. On rank 0.
NetworkUse find_network_use(MPI_Comm comm, const Placement& placement, const std::string& device,
                            const std::string& host_suffix);

}  // namespace bench
