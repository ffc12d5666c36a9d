// SPDX-License-Identifier: MIT
#include "communicators.hpp"

#include <charconv>
#include <stdexcept>

namespace models {

namespace {

using Kind = Communicators::Kind;

constexpr struct {
    Kind kind;
    const char* name;
} kinds[] = {{Kind::world, "world"}, {Kind::rows, "rows"}, {Kind::columns, "columns"}};

const char* name_of(Kind kind) {
    return kinds[static_cast<std::size_t>(kind)].name;
}

}  // namespace

Communicators parse_communicators(const std::string& text) {
    const std::size_t colon = text.find(':');
    for (const auto& row : kinds) {
        if (text.substr(0, colon) != row.name || (colon == std::string::npos) != (row.kind == Kind::world)) {
            continue;
        }
        if (row.kind == Kind::world) {
            return {};
        }
        int count = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, problem] = std::from_chars(text.data() + colon + 1, end, count);
        if (problem == std::errc() && stop == end && count > 1) {
            return {row.kind, count};
        }
    }
    throw std::invalid_argument(
        "'" + text + "': expected world, rows:R or columns:C with a number above 1, such as rows:2");
}

std::string to_string(const Communicators& communicators) {
    const std::string name = name_of(communicators.kind);
    return communicators.are_parts() ? name + ":" + std::to_string(communicators.count) : name;
}

std::string problem_with(const Communicators& communicators, int ranks) {
    if (!communicators.are_parts()) {
        return {};
    }
    if (ranks % communicators.count != 0) {
        return std::to_string(ranks) + " ranks cannot be divided into " +
               std::to_string(communicators.count) + " " + name_of(communicators.kind) +
               " of the same length; choose a number that divides them";
    }
    if (ranks == communicators.count) {
        return to_string(communicators) + " of " + std::to_string(ranks) +
               " ranks have one rank each; choose a smaller number";
    }
    return {};
}

int communicator_of(const Communicators& communicators, int rank, int ranks) {
    switch (communicators.kind) {
        case Kind::rows:
            return rank / (ranks / communicators.count);
        case Kind::columns:
            return rank % communicators.count;
        default:
            return 0;
    }
}

std::vector<int> ranks_of(const Communicators& communicators, int which, int ranks) {
    std::vector<int> members;
    for (int rank = 0; rank < ranks; ++rank) {
        if (communicator_of(communicators, rank, ranks) == which) {
            members.push_back(rank);
        }
    }
    return members;
}

}  // namespace models
