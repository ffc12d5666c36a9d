// SPDX-License-Identifier: MIT
#include "rank_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace tuner::trace {

namespace {

constexpr std::size_t most_parts = 12;  // of a list of ranks
constexpr std::size_t most_hosts = 4;

std::string with_host(int rank, const std::string& host) {
    return host.empty() ? fmt::format("rank {}", rank) : fmt::format("rank {} ({})", rank, host);
}

using Communicators = std::set<std::uint32_t>;

Communicators communicators_of(const Matched& matched, const Kind& kind) {
    Communicators found;
    for (const std::uint32_t call : kind.calls) {
        found.insert(matched.calls[call].communicator);
    }
    return found;
}

// Empty: it is not known, or there are several
std::string host_in(const Matched& matched, const Communicators& communicators, int rank) {
    std::set<std::string> hosts;
    for (const std::uint32_t communicator : communicators) {
        const std::vector<int>& members = matched.communicators[communicator].members;
        hosts.insert(matched.trace->host_of_rank(members.at(static_cast<std::size_t>(rank))));
    }
    return hosts.size() == 1 ? *hosts.begin() : "";
}

}  // namespace

std::string ranks_text(const std::vector<int>& ranks) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t last = i;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) {
            ++last;
        }
        parts.push_back(last == i ? std::to_string(ranks[i]) : fmt::format("{}-{}", ranks[i], ranks[last]));
        i = last + 1;
    }
    if (parts.size() > most_parts) {
        return fmt::format("{}, ... ({} ranks)", fmt::join(parts.begin(), parts.begin() + most_parts, ", "),
                           ranks.size());
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string rank_text(const Trace& trace, int world_rank) {
    return with_host(world_rank, trace.host_of_rank(world_rank));
}

std::string rank_text(const Matched& matched, const Kind& kind, int rank) {
    return with_host(rank, host_in(matched, communicators_of(matched, kind), rank));
}

std::string hosts_text(const Matched& matched, const Kind& kind, const std::vector<int>& ranks) {
    const Communicators communicators = communicators_of(matched, kind);
    std::set<std::string> hosts;
    for (const int rank : ranks) {
        hosts.insert(host_in(matched, communicators, rank));
    }
    if (hosts.contains("")) {
        return "";
    }
    return hosts.size() > most_hosts ? fmt::format("{} hosts", hosts.size())
                                     : fmt::format("{}", fmt::join(hosts, ", "));
}

std::string ranks_by_host(const Trace& trace, const std::vector<int>& world_ranks) {
    std::map<std::string, std::vector<int>> ranks_of;
    std::vector<std::string> hosts;  // in the order of their first ranks
    for (const int rank : world_ranks) {
        const std::string host = trace.host_of_rank(rank);
        std::vector<int>& ranks = ranks_of[host];
        if (ranks.empty()) {
            hosts.push_back(host);
        }
        ranks.push_back(rank);
    }
    std::vector<std::string> parts;
    for (const std::string& host : hosts) {
        std::sort(ranks_of[host].begin(), ranks_of[host].end());
        parts.push_back(
            fmt::format("{}: {}", host.empty() ? "unknown host" : host, ranks_text(ranks_of[host])));
    }
    if (parts.size() > most_parts) {
        const std::size_t more = parts.size() - most_parts;
        parts.resize(most_parts);
        parts.push_back(fmt::format("and {} more hosts", more));
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace tuner::trace
