// SPDX-License-Identifier: MIT
#include "device_advice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tuner {

const char* const built_device = MPICH_DEVICE;

namespace {

constexpr const char* blocking_device = "ch3:sock";  // its ranks sleep where they wait

struct NetworkKind {
    const char* interface;  // how its names begin
    const char* name;
    std::vector<const char*> devices;
};

// The first one that fits; the last one is for all others, and for one node
const std::vector<NetworkKind>& kinds() {
    static const std::vector<NetworkKind> all = {{"ib", "InfiniBand or Omni-Path", {"ch4:ucx", "ch4:ofi"}},
                                                 {"hsn", "Slingshot", {"ch4:ofi"}},
                                                 {"", "", {"ch3:nemesis", "ch4:ofi", "ch4:ucx"}}};
    return all;
}

}  // namespace

std::string device_advice(const std::string& device, const std::vector<ProposedNetwork>& networks) {
    for (const NetworkKind& kind : kinds()) {
        const auto network =
            std::find_if(networks.begin(), networks.end(), [&](const ProposedNetwork& candidate) {
                return candidate.interface.starts_with(kind.interface);
            });
        const bool is_last = *kind.interface == '\0';
        if (network == networks.end() && !is_last) {
            continue;
        }
        if (std::find(kind.devices.begin(), kind.devices.end(), device) != kind.devices.end()) {
            return "";
        }
        const std::string of_network =
            is_last ? "" : fmt::format(" for {} ({})", kind.name, network->interface);
        const bool sleeps = device == blocking_device;
        return fmt::format("the device of this MPICH is {}{} take {}{} (mpich-patches/README.md, Devices)",
                           device, sleeps ? ", for more ranks than cores. With a core for each rank," : ";",
                           fmt::join(kind.devices, " or "), of_network);
    }
    return "";
}

}  // namespace tuner
