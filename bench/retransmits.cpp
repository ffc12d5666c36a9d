// SPDX-License-Identifier: MIT
#include "retransmits.hpp"

#include <fstream>
#include <sstream>
#include <string>

namespace bench {

namespace {

// /proc/net/snmp and netstat have pairs of lines, "Tcp: NAME NAME ..." and "Tcp: VALUE VALUE ..."
long counter(const char* file, const std::string& prefix, const std::string& name) {
    std::ifstream in(file);
    for (std::string names_line, values_line;
         std::getline(in, names_line) && std::getline(in, values_line);) {
        std::istringstream names(names_line);
        std::istringstream values(values_line);
        std::string key;
        std::string value;
        names >> key;
        values >> value;
        if (key != prefix) {
            continue;
        }
        while (names >> key && values >> value) {
            if (key == name) {
                return std::stol(value);
            }
        }
    }
    return 0;
}

}  // namespace

Retransmits read_retransmits() {
    return {counter("/proc/net/snmp", "Tcp:", "RetransSegs"),
            counter("/proc/net/netstat", "TcpExt:", "TCPTimeouts")};
}

Retransmits retransmits_since(const Retransmits& before, bool first_on_node, MPI_Comm comm) {
    const Retransmits now = read_retransmits();
    long mine[2] = {first_on_node ? now.segments - before.segments : 0,
                    first_on_node ? now.time_outs - before.time_outs : 0};
    long sum[2] = {0, 0};
    MPI_Reduce(mine, sum, 2, MPI_LONG, MPI_SUM, 0, comm);
    return {sum[0], sum[1]};
}

}  // namespace bench
