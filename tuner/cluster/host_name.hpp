// SPDX-License-Identifier: MIT
// Host names go to launchers, and from there to ssh and shells: nothing else than a name may pass.
#pragma once

#include <string_view>

namespace tuner {

// A name of RFC 1123, also with underscores, which Slurm allows for its nodes; or an IPv4 address
bool is_host_name(std::string_view text);

// What a name may be made of: also a part such as the suffix -ib.cluster
bool has_only_host_characters(std::string_view text);

}  // namespace tuner
