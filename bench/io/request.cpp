// SPDX-License-Identifier: MIT
#include "request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "recorded_arrivals.hpp"

namespace bench {

namespace {

// Of an exchange between two ranks; the largest size makes the difference between two networks plain
std::vector<Pair> pairs_of(const Request& request, Session& session) {
    if (request.all_pairs) {
        return halves(session.ranks());
    }
    if (!request.pairs.empty()) {
        return request.pairs;
    }
    if (request.peer >= 0) {
        return {{request.root, request.peer}};
    }
    if (request.link == "slowest" && request.root >= 0 && request.root < session.ranks()) {
        return {session.slowest_pair(request.root,
                                     *std::max_element(request.sizes.begin(), request.sizes.end()))};
    }
    return {pair_by_link(request.root, request.link, session.header().placement)};
}

std::vector<std::string> algorithms_of(const Request& request, const Pattern& pattern, Library& library) {
    std::vector<std::string> algorithms;
    for (const std::string& name : request.algorithms) {
        if (name != "all") {
            algorithms.push_back(name);
            continue;
        }
        if (!pattern.is_exchange()) {
            algorithms.push_back(default_algorithm);
        }
        const std::vector<std::string> known = library.algorithms(pattern);
        algorithms.insert(algorithms.end(), known.begin(), known.end());
    }
    return algorithms;
}

const Pattern& pattern_of(const Request& request) {
    const Pattern* pattern = find_pattern(request.collective);
    if (pattern == nullptr) {
        throw std::invalid_argument("there is no collective '" + request.collective +
                                    "'; there are: " + pattern_names());
    }
    return *pattern;
}

// Collective. Calls in a row are a pattern of their own
void add_arrival(GroupSpec& group, const Request& request, const Placement& placement) {
    if (request.arrival.empty()) {
        return;
    }
    group.arrival = {request.arrival, 1e-6 * request.arrival_unit_us, {}};
    for (const std::string& node : placement.node_of_rank) {
        group.arrival->node_of_rank.push_back(static_cast<int>(
            std::find(placement.nodes.begin(), placement.nodes.end(), node) - placement.nodes.begin()));
    }
    if (group.calls_in_a_row == 1) {
        group.calls_in_a_row = request.arrival.front().pattern->calls_in_a_row;
    }
    const bool is_recorded = std::any_of(request.arrival.begin(), request.arrival.end(),
                                         [](const models::Arrival& a) { return a.pattern->is_recorded; });
    if (is_recorded == request.arrival_from.empty()) {
        throw std::invalid_argument(
            is_recorded
                ? "the arrival pattern recorded needs a file of arrivals; write one with: changeover trace "
                  "TRACE --arrivals FILE, and name it: --arrival-from FILE"
                : "a file of arrivals is for the pattern recorded, got " +
                      models::to_string(request.arrival) + "; omit one of them");
    }
}

// Collective
void add_recorded(GroupSpec& group, const Request& request) {
    if (!request.arrival_from.empty()) {
        group.arrival->recorded = recorded_calls(
            request.arrival_from, {request.collective, group.bytes, group.ranks}, MPI_COMM_WORLD);
    }
}

// What overlaps is measured for each algorithm alone
void check_overlap_of(const Request& request) {
    if (request.order == Order::pairs) {
        throw std::invalid_argument(
            "overlap is measured for one algorithm at a time; omit the order 'pairs'");
    }
    if (request.calls_in_a_row != 1) {
        throw std::invalid_argument("overlap is measured for single calls; omit the calls in a row");
    }
    if (!request.arrival.empty()) {
        throw std::invalid_argument("overlap is measured with a common start; omit the arrival pattern");
    }
    if (request.communicators.are_parts()) {
        throw std::invalid_argument("overlap is measured on all ranks; omit the communicators");
    }
}

void check_communicators(const Request& request, const Pattern& pattern, int ranks) {
    if (pattern.is_exchange() && request.communicators.are_parts()) {
        throw std::invalid_argument("communicators are for collectives; " + pattern.name +
                                    " is an exchange of messages");
    }
    if (const std::string problem = models::problem_with(request.communicators, ranks); !problem.empty()) {
        throw std::invalid_argument(request.collective + ": " + problem);
    }
}

}  // namespace

std::vector<double> parameters_of(const Request& request, const Pattern& pattern) {
    std::vector<double> values;
    std::vector<std::string> known;
    for (const ParameterSpec& spec : pattern.parameters) {
        const auto found = request.parameters.find(spec.name);
        values.push_back(found == request.parameters.end() ? spec.value : found->second);
        if (!(values.back() >= spec.smallest)) {
            throw std::invalid_argument(fmt::format("parameter {} ({}) must be at least {}, got {}",
                                                    spec.name, spec.meaning, spec.smallest, values.back()));
        }
        known.emplace_back(spec.name);
    }
    for (const auto& [name, value] : request.parameters) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            throw std::invalid_argument(fmt::format(
                "{} has no parameter '{}'; {}", pattern.name, name,
                known.empty() ? "it has none" : fmt::format("there are: {}", fmt::join(known, ", "))));
        }
    }
    return values;
}

std::vector<GroupSpec> groups_of(const Request& request, Session& session) {
    const Pattern& pattern = pattern_of(request);
    if (request.overlap) {
        check_overlap(pattern);
        check_overlap_of(request);
    }
    check_communicators(request, pattern, session.ranks());
    if (request.sizes.empty()) {
        throw std::invalid_argument("no message size is given");
    }
    const Caller caller = session.caller(request.communicators);
    GroupSpec group = {.pattern = &pattern,
                       .bytes = 0,
                       .algorithms = algorithms_of(request, pattern, *caller.library),
                       .elements = &find_elements(request.datatype, request.operation),
                       .root = request.root,
                       .rotate_root = request.rotate_root,
                       .in_place = request.in_place,
                       .parameters = parameters_of(request, pattern),
                       .ranks = caller.ranks,
                       .order = request.order,
                       .calls_in_a_row = request.calls_in_a_row,
                       .communicators = request.communicators};
    add_arrival(group, request, session.header().placement);
    if (pattern.has_pairs()) {
        group.pairs = pairs_of(request, session);
        if (problem_with(group.pairs, session.ranks()).empty()) {
            group.root = group.pairs.front().root;
            group.link = link_of(group.pairs, session.header().placement);
        }
    }
    std::vector<GroupSpec> groups;
    for (const std::size_t bytes : request.sizes) {
        group.bytes = bytes;
        add_recorded(group, request);
        groups.push_back(group);
        if (const std::string problem = session.problem_with(groups.back()); !problem.empty()) {
            throw std::invalid_argument(request.collective + ": " + problem);
        }
    }
    return groups;
}

}  // namespace bench
