// SPDX-License-Identifier: MIT
// How busy the cores of this node are, and with what.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tuner {

struct CoreLoad {
    std::vector<double> busy;  // share of each core, 0 to 1; empty: not known
    std::string process;       // that uses most, in words; empty: none uses much
};

CoreLoad load_of_this_node(double seconds);  // over so much time

// Of /proc/stat
struct CoreTicks {
    long busy = 0;
    long all = 0;
};
std::vector<CoreTicks> core_ticks(std::string_view stat);
// Empty: time stood still
std::vector<double> busy_shares(const std::vector<CoreTicks>& before, const std::vector<CoreTicks>& after);

// Of /proc/ID/stat; -1: that is none
long process_ticks(std::string_view stat);

}  // namespace tuner
