// SPDX-License-Identifier: MIT
#include "pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace bench {

namespace {

constexpr int tag = 40;
constexpr int round_trips = 10;  // of which the shortest counts

double shortest_round_trip(const Pair& pair, std::vector<char>& message, const Clock& clock, MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    const auto length = static_cast<int>(message.size());
    double shortest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < round_trips; ++i) {
        if (rank == pair.root) {
            const double begin = clock.now();
            MPI_Send(message.data(), length, MPI_BYTE, pair.peer, tag, comm);
            MPI_Recv(message.data(), length, MPI_BYTE, pair.peer, tag, comm, MPI_STATUS_IGNORE);
            shortest = std::min(shortest, clock.now() - begin);
        } else if (rank == pair.peer) {
            MPI_Recv(message.data(), length, MPI_BYTE, pair.root, tag, comm, MPI_STATUS_IGNORE);
            MPI_Send(message.data(), length, MPI_BYTE, pair.root, tag, comm);
        }
    }
    MPI_Bcast(&shortest, 1, MPI_DOUBLE, pair.root, comm);
    return shortest;
}

}  // namespace

std::vector<Pair> halves(int ranks) {
    std::vector<Pair> pairs;
    for (int rank = 0; rank < ranks / 2; ++rank) {
        pairs.push_back({rank, rank + ranks / 2});
    }
    return pairs;
}

std::vector<Pair> parse_pairs(const std::string& text) {
    std::vector<Pair> pairs;
    std::istringstream lines(text);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        std::istringstream words(line.substr(0, line.find('#')));
        Pair pair = {};
        std::string rest;
        if ((words >> std::ws).eof()) {
            continue;
        }
        if (!(words >> pair.root >> pair.peer) || words >> rest) {
            throw std::invalid_argument(fmt::format("line {}: expected two ranks, got '{}'", number, line));
        }
        pairs.push_back(pair);
    }
    if (pairs.empty()) {
        throw std::invalid_argument("the file has no pair; write two ranks on each line");
    }
    return pairs;
}

std::vector<Pair> read_pairs(const std::string& path, MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    std::string text;
    long length = -1;
    if (rank == 0) {
        std::ifstream file(path);
        std::ostringstream content;
        if (file && content << file.rdbuf()) {
            text = content.str();
            length = static_cast<long>(text.size());
        }
    }
    MPI_Bcast(&length, 1, MPI_LONG, 0, comm);
    if (length < 0) {
        throw std::invalid_argument(
            "--pairs " + path + " cannot be read, or is empty; write two ranks on each line, or 'halves'");
    }
    text.resize(static_cast<std::size_t>(length));
    MPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, 0, comm);
    try {
        return parse_pairs(text);
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument("--pairs " + path + ": " + error.what());
    }
}

Pair pair_by_link(int root, const std::string& link, const Placement& placement) {
    if (!link.empty() && link != "within" && link != "between") {
        throw std::invalid_argument("there is no link '" + link + "'; choose within, between or slowest");
    }
    const std::vector<std::string>& nodes = placement.node_of_rank;
    const bool between = link.empty() ? placement.nodes.size() > 1 : link == "between";
    for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
        const auto own = static_cast<std::size_t>(root);
        if (rank != own && own < nodes.size() && (nodes[rank] != nodes[own]) == between) {
            return {root, static_cast<int>(rank)};
        }
    }
    throw std::invalid_argument(fmt::format("there is no other rank {1} for rank {0}; use another layout",
                                            root, between ? "on another node" : "on the same node"));
}

Pair find_slowest_pair(int first, std::size_t bytes, const Clock& clock, MPI_Comm comm) {
    int ranks = 0;
    MPI_Comm_size(comm, &ranks);
    std::vector<char> message(bytes);
    Pair slowest = {first, first};
    double longest = -1;
    for (int sweep = 0; sweep < 2; ++sweep) {
        const int from = slowest.peer;
        for (int to = 0; to < ranks; ++to) {
            const double seconds = to == from ? -1 : shortest_round_trip({from, to}, message, clock, comm);
            if (seconds > longest) {
                longest = seconds;
                slowest = {from, to};
            }
        }
    }
    return slowest;
}

std::string problem_with(const std::vector<Pair>& pairs, int ranks) {
    if (pairs.empty()) {
        return "there is no pair of ranks";
    }
    std::vector<int> seen;
    for (const Pair& pair : pairs) {
        if (std::min(pair.root, pair.peer) < 0 || std::max(pair.root, pair.peer) >= ranks ||
            pair.root == pair.peer) {
            return fmt::format(
                "rank {} cannot exchange messages with rank {}; a pair is two different ranks, and there are "
                "{} ranks",
                pair.root, pair.peer, ranks);
        }
        for (const int rank : {pair.root, pair.peer}) {
            if (std::find(seen.begin(), seen.end(), rank) != seen.end()) {
                return fmt::format("rank {} is in more than one pair", rank);
            }
            seen.push_back(rank);
        }
    }
    return {};
}

std::string link_of(const std::vector<Pair>& pairs, const Placement& placement) {
    const auto is_between = [&](const Pair& pair) {
        return placement.node_of_rank.at(static_cast<std::size_t>(pair.root)) !=
               placement.node_of_rank.at(static_cast<std::size_t>(pair.peer));
    };
    const auto between = std::count_if(pairs.begin(), pairs.end(), is_between);
    return between == 0 ? "within" : between == std::ssize(pairs) ? "between" : "mixed";
}

}  // namespace bench
