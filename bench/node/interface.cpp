// SPDX-License-Identifier: MIT
#include "interface.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <span>
#include <stdexcept>

namespace bench {

namespace {

// Each is read by one library and ignored by the others
constexpr const char* variables_by_name[] = {
    "FI_TCP_IFACE",
    "FI_SOCKETS_IFACE",  // libfabric: ch4:ofi
    "UCX_NET_DEVICES",   // ch4:ucx
    "OMPI_MCA_btl_tcp_if_include",
};
// ch3:nemesis takes one of these and refuses to have both. Hydra sets the first one to the name that it was
// given for the host.
constexpr const char* nemesis_host_name = "MPIR_CVAR_CH3_INTERFACE_HOSTNAME";
constexpr const char* nemesis_interface = "MPIR_CVAR_NEMESIS_TCP_NETWORK_IFACE";

std::string text_of(const sockaddr* address) {
    std::array<char, INET6_ADDRSTRLEN> text = {};
    if (address != nullptr && address->sa_family == AF_INET) {
        inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(address)->sin_addr, text.data(),
                  text.size());
    } else if (address != nullptr && address->sa_family == AF_INET6) {
        inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr, text.data(),
                  text.size());
    }
    return text.data();
}

// Its bytes, in the order of the network
std::span<unsigned char> bytes_of(sockaddr* address) {
    if (address->sa_family == AF_INET) {
        auto& v4 = reinterpret_cast<sockaddr_in*>(address)->sin_addr;
        return {reinterpret_cast<unsigned char*>(&v4), sizeof v4};
    }
    auto& v6 = reinterpret_cast<sockaddr_in6*>(address)->sin6_addr;
    return {reinterpret_cast<unsigned char*>(&v6), sizeof v6};
}

// Of an address of version 4 or 6
std::string subnet_of(const sockaddr* address, const sockaddr* mask) {
    sockaddr_storage base = {};
    sockaddr_storage mask_copy = {};
    const std::size_t size = address->sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    std::memcpy(&base, address, size);
    std::memcpy(&mask_copy, mask, size);
    mask_copy.ss_family = address->sa_family;
    const std::span<unsigned char> bytes = bytes_of(reinterpret_cast<sockaddr*>(&base));
    const std::span<unsigned char> mask_bytes = bytes_of(reinterpret_cast<sockaddr*>(&mask_copy));
    int bits = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] &= mask_bytes[i];
        bits += std::popcount(mask_bytes[i]);
    }
    return text_of(reinterpret_cast<const sockaddr*>(&base)) + "/" + std::to_string(bits);
}

std::vector<std::string> resolved(const std::string& name) {
    addrinfo hints = {};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* list = nullptr;
    std::vector<std::string> addresses;
    if (getaddrinfo(name.c_str(), nullptr, &hints, &list) == 0) {
        for (const addrinfo* row = list; row != nullptr; row = row->ai_next) {
            addresses.push_back(text_of(row->ai_addr));
        }
        freeaddrinfo(list);
    }
    return addresses;
}

// Names that this host may have, without a network's suffix: the launcher's, and its own
std::vector<std::string> candidates(const std::string& suffix) {
    std::vector<std::string> names;
    if (const char* given = std::getenv(nemesis_host_name);
        given != nullptr && std::string(given).ends_with(suffix)) {
        names.emplace_back(given);
    }
    std::array<char, 256> host = {};
    gethostname(host.data(), host.size() - 1);
    const std::string own = host.data();
    names.push_back(own + suffix);
    names.push_back(own.substr(0, own.find('.')) + suffix);
    return names;
}

std::string value_of(const std::string& option, int argc, const char* const* argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string text = argv[i];
        if (text == option && i + 1 < argc) {
            return argv[i + 1];
        }
        if (text.starts_with(option + "=")) {
            return text.substr(option.size() + 1);
        }
    }
    return {};
}

Interface find_interface(const InterfaceChoice& choice) {
    const NetworkName name = network_name(choice.host_suffix);
    std::string known;
    for (const Interface& row : interfaces()) {
        if (row.name == choice.interface ||
            std::find(name.addresses.begin(), name.addresses.end(), row.address) != name.addresses.end()) {
            return row;
        }
        known += (known.empty() ? "" : ", ") + row.name + " " + row.address;
    }
    if (!choice.interface.empty()) {
        throw std::invalid_argument("this node has no interface '" + choice.interface +
                                    "' that is up; it has: " + known);
    }
    throw std::invalid_argument(name.addresses.empty()
                                    ? "the name '" + name.name +
                                          "' does not resolve on this node; add it to its hosts file"
                                    : "the name '" + name.name + "' resolves to " + name.addresses.front() +
                                          ", which no interface of this node has; it has: " + known);
}

}  // namespace

std::vector<Interface> interfaces() {
    std::vector<Interface> found;
    ifaddrs* list = nullptr;
    if (getifaddrs(&list) == 0) {
        for (const ifaddrs* row = list; row != nullptr; row = row->ifa_next) {
            const std::string address = text_of(row->ifa_addr);
            if (!address.empty() && (row->ifa_flags & IFF_UP) != 0) {
                const std::string label = row->ifa_name;  // eth0:1 is another address of eth0
                found.push_back({label.substr(0, label.find(':')), address,
                                 row->ifa_netmask ? subnet_of(row->ifa_addr, row->ifa_netmask) : ""});
            }
        }
        freeifaddrs(list);
    }
    // the kernel gives the addresses of version 4 first, and so do we: a name stands for its first address
    return found;
}

InterfaceChoice interface_choice_of(int argc, const char* const* argv) {
    return {value_of("--interface", argc, argv), value_of("--host-suffix", argc, argv)};
}

NetworkName network_name(const std::string& host_suffix) {
    NetworkName found;
    if (host_suffix.empty()) {
        return found;
    }
    for (const std::string& name : candidates(host_suffix)) {
        found = {name, resolved(name)};
        if (!found.addresses.empty()) {
            break;
        }
    }
    return found;
}

void choose_interface(const InterfaceChoice& choice) {
    if (choice.interface.empty() && choice.host_suffix.empty()) {
        return;
    }
    constexpr int keep = 0;
    const Interface chosen = find_interface(choice);
    for (const char* variable : variables_by_name) {
        setenv(variable, chosen.name.c_str(), keep);
    }
    if (choice.interface.empty()) {
        setenv(nemesis_host_name, network_name(choice.host_suffix).name.c_str(), keep);
    } else {
        unsetenv(nemesis_host_name);
        setenv(nemesis_interface, chosen.name.c_str(), keep);
    }
    // ch3:sock (ch3u_getinterfaces.c); without the rank it would be another spelling of nemesis_host_name
    if (const char* rank = std::getenv("PMI_RANK")) {
        setenv(("MPICH_INTERFACE_HOSTNAME_R" + std::string(rank)).c_str(), chosen.address.c_str(), keep);
    }
}

}  // namespace bench
