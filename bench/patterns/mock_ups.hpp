// SPDX-License-Identifier: MIT
// Mock-ups: the result of a collective from other collectives, with the same buffers. They are the right
// sides of the performance guidelines (models/guidelines/guidelines.hpp), asked for like an algorithm. The
// library chooses the algorithms of the calls they are made of. No search has them as candidates.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "guidelines.hpp"
#include "pattern.hpp"

namespace bench {

struct MockUpCall {
    const Pattern& pattern;
    const RankCall& call;
    const Arguments& arguments;  // not in place
    std::byte* scratch;
    std::size_t element_bytes;

    std::size_t ranks() const { return static_cast<std::size_t>(call.ranks); }
    std::size_t rank() const { return static_cast<std::size_t>(call.rank); }
    bool is_root() const { return call.rank == call.root; }
    std::byte* scratch_at(std::size_t element) const { return scratch + element * element_bytes; }
    // Of elements
    void copy(void* to, const void* from, std::size_t count) const;
};

struct MockUp {
    std::string_view collective;  // empty: every one
    std::string_view name;
    void (*make)(const MockUpCall& call);
    // Of one rank, in elements, besides the buffers of the collective
    std::size_t (*scratch)(const Pattern& pattern, const RankCall& call);
    std::size_t fewest_elements = 0;
    std::string_view (*why_not)() = nullptr;  // why the library cannot make it; empty: it can
};

const MockUp* find_mock_up(const Pattern& pattern, std::string_view algorithm);  // nullptr: there is none
std::string mock_up_names(const Pattern& pattern);                               // for people

}  // namespace bench
