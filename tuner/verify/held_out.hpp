// SPDX-License-Identifier: MIT
// Where a rule for a range of layouts is tested: at layouts that it was not decided from, as far from each
// other as can be, with sizes at which it decides what runs.
#pragma once

#include <cstdint>
#include <set>

#include "config.hpp"
#include "range_rules.hpp"

namespace tuner {

struct HeldOutLayout {
    Layout layout;
    std::vector<std::size_t> sizes;  // ascending
};

struct HeldOutChoice {
    Extent extent;  // of the cluster
    std::uint64_t seed = 1;
    std::size_t layouts = 3;
    std::size_t sizes = 3;
};

// `rule` is one of the configuration. Fewer than asked for if there are no more; not those of `measured`.
// Those of `preferred` if they are about as far apart: jobs run there anyway.
std::vector<HeldOutLayout> held_out(const Config& config, const Rule& rule, const std::set<Layout>& measured,
                                    const HeldOutChoice& choice, const std::set<Layout>& preferred = {});

}  // namespace tuner
