// SPDX-License-Identifier: MIT
// The network interface that MPI is to use, chosen before MPI_Init. Launchers are not enough: hydra's -iface
// and host names choose where its own connections go, but ch3:sock takes the first interface of a node, and
// Open MPI any of them.
#pragma once

#include <string>
#include <vector>

namespace bench {

struct Interface {
    std::string name;
    std::string address;  // as text
    std::string subnet;   // with the number of its bits: 10.1.0.0/16
};

// Of this node, with their IPv4 and IPv6 addresses, those that are up
std::vector<Interface> interfaces();

struct InterfaceChoice {
    std::string interface;    // by name; empty: not chosen so
    std::string host_suffix;  // the one with the address of this host's name with this behind; empty: not so
};

// From the command line, which is read again in full after MPI_Init
InterfaceChoice interface_choice_of(int argc, const char* const* argv);

// This node's name in the network, and what it resolves to. Empty without a suffix.
struct NetworkName {
    std::string name;
    std::vector<std::string> addresses;
};
NetworkName network_name(const std::string& host_suffix);

// Sets the variables by which MPI libraries are told, unless they are set already. Throws
// std::invalid_argument if this node has no such interface.
void choose_interface(const InterfaceChoice& choice);

}  // namespace bench
