// SPDX-License-Identifier: MIT
#include "replay_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "collectives.hpp"

namespace bench {

namespace {

using Json = nlohmann::ordered_json;

constexpr int version = 1;
constexpr const char* remedy = "write it again: changeover trace TRACE --replay FILE";

void require(bool is_right, const std::string& otherwise) {
    if (!is_right) {
        throw std::domain_error(otherwise);
    }
}

// Without the library's conversions of -1 and 1.5
std::size_t whole(const Json& value, const char* what, std::size_t end) {
    require(value.is_number_unsigned() && value.get<std::size_t>() < end,
            fmt::format("'{}': expected an integer from 0 to {}, got {}", what, end - 1, value.dump()));
    return value.get<std::size_t>();
}

std::vector<int> members_of(const Json& json, std::size_t ranks) {
    std::vector<int> members;
    for (const Json& member : json) {
        members.push_back(static_cast<int>(whole(member, "communicators", ranks)));
    }
    std::vector<int> sorted = members;
    std::sort(sorted.begin(), sorted.end());
    require(!members.empty() && std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(),
            "'communicators': expected different ranks, got " + json.dump());
    return members;
}

ReplayCall call_of(const Json& json, const ReplayProgram& program) {
    ReplayCall call = {};
    call.collective = json.at("collective").get<std::string>();
    call.is_nonblocking =
        models::find_collective(call.collective) == nullptr && call.collective.starts_with('i');
    require(models::find_collective(call.blocking_name()) != nullptr,
            fmt::format("there is no collective '{}'", call.collective));
    call.communicator = whole(json.at("communicator"), "communicator", program.communicators.size());
    const std::size_t members = program.communicators[call.communicator].size();
    call.bytes = whole(json.at("bytes"), "bytes", std::numeric_limits<std::size_t>::max());
    require(call.bytes / replay_element_bytes(call.bytes) <=
                static_cast<std::size_t>(std::numeric_limits<int>::max()) / members,
            fmt::format("{} of {} bytes has more elements than a count of MPI", call.collective, call.bytes));
    call.root = static_cast<int>(whole(json.at("root"), "root", members));
    call.number = whole(json.at("number"), "number", std::numeric_limits<std::size_t>::max());
    call.recorded_seconds = json.at("seconds").get<double>();
    return call;
}

ReplayProgram program_of(const Json& json) {
    require(json.is_object() && json.value("type", "") == "program", "it does not begin with a program");
    require(json.at("version") == version,
            fmt::format("expected version {}, got {}", version, json.at("version").dump()));
    ReplayProgram program = {};
    program.ranks = static_cast<int>(
        whole(json.at("ranks"), "ranks", static_cast<std::size_t>(std::numeric_limits<int>::max())));
    json.at("node_of_rank").get_to(program.node_of_rank);
    require(program.ranks > 0 && program.node_of_rank.size() == static_cast<std::size_t>(program.ranks),
            fmt::format("'node_of_rank': expected one for each of {} ranks", program.ranks));
    json.at("seconds").get_to(program.recorded_seconds);
    for (const Json& members : json.at("communicators")) {
        program.communicators.push_back(members_of(members, static_cast<std::size_t>(program.ranks)));
    }
    for (const Json& call : json.at("calls")) {
        program.calls.push_back(call_of(call, program));
    }
    json.at("approximated").get_to(program.approximated);
    json.at("omitted").get_to(program.omitted);
    return program;
}

bool is_member(const ReplayProgram& program, const ReplayCall& call, int rank) {
    const std::vector<int>& members = program.communicators[call.communicator];
    return std::find(members.begin(), members.end(), rank) != members.end();
}

std::vector<ReplayStep> steps_of(const Json& json, const ReplayProgram& program, int rank) {
    require(json.is_object() && json.value("type", "") == "rank" && json.at("rank") == rank,
            fmt::format("expected the steps of rank {}", rank));
    std::vector<ReplayStep> steps;
    std::vector<bool> is_waited_for;  // of the starts so far
    for (const Json& item : json.at("steps")) {
        require(item.is_array() && item.size() >= 2,
                "'steps': expected [nanoseconds, call], got " + item.dump());
        const std::size_t ns = whole(item[0], "steps", std::size_t{1} << 62);
        const bool is_wait = item.size() == 3 && item[1] == "wait";
        const std::size_t number =
            whole(item.back(), "steps", is_wait ? is_waited_for.size() : program.calls.size());
        require(is_wait || (item.size() == 2 && is_member(program, program.calls[number], rank)),
                fmt::format("'steps': {} is no call of rank {}", item.dump(), rank));
        if (is_wait) {
            require(!is_waited_for[number], fmt::format("'steps': {} waits once more", item.dump()));
            is_waited_for[number] = true;
        } else if (program.calls[number].is_nonblocking) {
            is_waited_for.push_back(false);
        }
        steps.push_back({1e-9 * static_cast<double>(ns), number, is_wait});
    }
    require(std::find(is_waited_for.begin(), is_waited_for.end(), false) == is_waited_for.end(),
            "'steps': a nonblocking call has no wait");
    return steps;
}

// The calls of a rank on a communicator, in their order
struct Sequence {
    std::uint64_t hash = 0;
    std::size_t calls = 0;
    bool operator==(const Sequence&) const = default;

    void add(std::size_t call) {
        hash = (hash ^ (call + 1)) * 0x100000001b3;  // FNV-1a
        ++calls;
    }
};

}  // namespace

std::size_t replay_element_bytes(std::size_t bytes) {
    return bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : 1;
}

ReplayFile::ReplayFile(std::string text, std::string name) : text_(std::move(text)), name_(std::move(name)) {
    for (std::string_view rest = text_; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        lines_.push_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
}

void ReplayFile::fail(std::size_t line, const std::string& cause) const {
    throw std::invalid_argument(fmt::format("{}: line {}: {}; {}", name_, line, cause, remedy));
}

// What the JSON library and `require` throw gets its place and remedy here
template <class Read>
auto ReplayFile::read_line(std::size_t number, const Read& read) const {
    try {
        if (number > lines_.size()) {
            fail(number, "it is missing");
        }
        return read(Json::parse(lines_[number - 1]));
    } catch (const Json::parse_error&) {
        fail(number, "it is cut or is not JSON");
    } catch (const Json::exception& error) {
        const std::string what = error.what();  // [json.exception.out_of_range.403] key 'x' not found
        fail(number, what.substr(what.find("] ") + 2));
    } catch (const std::domain_error& error) {
        fail(number, error.what());
    }
}

ReplayProgram ReplayFile::program() const {
    if (text_.starts_with("COLLEVTS")) {
        throw std::invalid_argument(
            name_ + ": it is a trace; write a program from it: changeover trace TRACE --replay FILE");
    }
    return read_line(1, program_of);
}

std::vector<ReplayStep> ReplayFile::steps(const ReplayProgram& program, int rank) const {
    return read_line(static_cast<std::size_t>(rank) + 2,
                     [&](const Json& json) { return steps_of(json, program, rank); });
}

void ReplayFile::check(const ReplayProgram& program) const {
    std::vector<std::vector<Sequence>> of_rank;
    for (int rank = 0; rank < program.ranks; ++rank) {
        std::vector<Sequence>& sequences = of_rank.emplace_back(program.communicators.size());
        for (const ReplayStep& step : steps(program, rank)) {
            if (!step.is_wait) {
                sequences[program.calls[step.number].communicator].add(step.number);
            }
        }
    }
    for (std::size_t c = 0; c < program.communicators.size(); ++c) {
        const int first = program.communicators[c].front();
        for (const int member : program.communicators[c]) {
            if (of_rank[static_cast<std::size_t>(member)][c] != of_rank[static_cast<std::size_t>(first)][c]) {
                fail(static_cast<std::size_t>(member) + 2,
                     fmt::format("the calls of rank {} on communicator {} are not those of rank {}", member,
                                 c, first));
            }
        }
    }
}

}  // namespace bench
