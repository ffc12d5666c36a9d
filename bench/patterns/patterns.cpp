// SPDX-License-Identifier: MIT
// The table of the patterns: the name of each is the name of its file, and of the object in it.
#include <algorithm>
#include <stdexcept>

#include "collectives.hpp"
#include "nonblocking.hpp"
#include "pattern.hpp"

namespace bench {

// clang-format off
#define PATTERNS(ROW) \
    ROW(bcast) \
    ROW(reduce) \
    ROW(allreduce) \
    ROW(allgather) \
    ROW(allgatherv) \
    ROW(alltoall) \
    ROW(alltoallv) \
    ROW(reduce_scatter) \
    ROW(reduce_scatter_block) \
    ROW(gather) \
    ROW(scatter) \
    ROW(scan) \
    ROW(exscan) \
    ROW(barrier) \
    ROW(ping_pong) \
    ROW(one_way) \
    ROW(receive_call) \
    ROW(bandwidth) \
    ROW(availability) \
    ROW(ring) \
    ROW(halo) \
    ROW(master_worker) \
    ROW(local_call) \
    ROW(new_communicator)
// clang-format on

#define DECLARE(name) extern const Pattern name;
PATTERNS(DECLARE)

namespace {

struct Table {
    std::vector<const Pattern*> all;
    std::deque<Pattern> nonblocking;  // a deque: patterns stay where they are when a test adds one

    Table() {
#define LIST(name) &name,
        all = {PATTERNS(LIST)};
        const std::vector<const Pattern*> listed = all;
        std::for_each(listed.begin(), listed.end(),
                      [&](const Pattern* pattern) { add_nonblocking(*pattern); });
    }
    void add_nonblocking(const Pattern& pattern) {
        if (pattern.start != nullptr) {
            all.push_back(&nonblocking.emplace_back(nonblocking_version(pattern)));
        }
    }
};

Table& table() {
    static Table rows;
    return rows;
}

}  // namespace

const std::vector<const Pattern*>& patterns() {
    return table().all;
}

const std::deque<Pattern>& nonblocking_patterns() {
    return table().nonblocking;
}

bool is_nonblocking(const Pattern& pattern) {
    return std::any_of(nonblocking_patterns().begin(), nonblocking_patterns().end(),
                       [&](const Pattern& known) { return &known == &pattern; });
}

const Pattern* find_pattern(const std::string& name) {
    const auto found = std::find_if(patterns().begin(), patterns().end(),
                                    [&](const Pattern* pattern) { return pattern->name == name; });
    return found == patterns().end() ? nullptr : *found;
}

std::string pattern_names() {
    std::string names;
    for (const Pattern* pattern : patterns()) {
        names += (names.empty() ? "" : ", ") + pattern->name;
    }
    return names;
}

std::size_t Pattern::variant_of(const std::string& wanted) const {
    return static_cast<std::size_t>(std::find(variants.begin(), variants.end(), wanted) - variants.begin());
}

Pattern collective(std::string_view name, const Contents& contents, void (*call)(const Arguments&),
                   StartCall* start) {
    const models::Collective* row = models::find_collective(name);
    if (row == nullptr) {
        throw std::logic_error(std::string(name) + " has no row in models/schedules/collectives.cpp");
    }
    return {.name = std::string(name),
            .size = row->size,
            .has_message = row->has_message,
            .has_root = row->has_root,
            .combines = row->combines,
            .contents = contents,
            .call = call,
            .start = start};
}

AddedPattern::AddedPattern(const Pattern& pattern) {
    table().all.push_back(&pattern);
    table().add_nonblocking(pattern);
}

AddedPattern::~AddedPattern() {
    if (is_nonblocking(*table().all.back())) {
        table().all.pop_back();
        table().nonblocking.pop_back();
    }
    table().all.pop_back();
}

}  // namespace bench
