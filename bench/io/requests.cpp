// SPDX-License-Identifier: MIT
#include "requests.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "output.hpp"

namespace bench {

namespace {

using Json = nlohmann::ordered_json;

// A launcher passes standard input on through a pipe of 64 KiB, and hydra gives up when it is full.
constexpr std::size_t longest_line = std::size_t{32} << 10;

// Reads standard input by lines of bounded length. A longer one is skipped to its end.
class LineReader {
  public:
    enum class Result { line, too_long, end };
    Result next(std::string& line) {
        line.clear();
        bool too_long = false;
        for (;;) {
            for (; position_ < length_; ++position_) {
                const char c = buffer_[position_];
                if (c == '\n') {
                    ++position_;
                    return too_long ? Result::too_long : Result::line;
                }
                if (line.size() < longest_line) {
                    line += c;
                } else {
                    too_long = true;
                }
            }
            const ssize_t n = read(STDIN_FILENO, buffer_, sizeof(buffer_));
            if (n <= 0) {
                return line.empty() ? Result::end : Result::line;
            }
            position_ = 0;
            length_ = static_cast<std::size_t>(n);
        }
    }

  private:
    char buffer_[4096];
    std::size_t position_ = 0;
    std::size_t length_ = 0;
};

// The keys of a request, so that a misspelled one is found
constexpr const char* known_keys[] = {
    "id",          "collective", "bytes",   "algorithms", "datatype",        "operation",
    "root",        "in_place",   "peer",    "link",       "pairs",           "parameters",
    "overlap",     "precision",  "warm_up", "seed",       "min_repetitions", "max_repetitions",
    "max_seconds", "ranks"};

template <class Value>
void take(const Json& json, const char* key, Value& value) {
    if (json.contains(key)) {
        try {
            value = json.at(key).get<Value>();
        } catch (const Json::exception&) {
            throw std::invalid_argument("'" + std::string(key) +
                                        "' has a value of the wrong type: " + json.at(key).dump());
        }
    }
}

// {"schemes": ["time", "work"], "test_intervals": [0, 4096, "search"]}
OverlapPlan overlap_plan_of(const Json& json) {
    if (!json.is_object()) {
        throw std::invalid_argument("'overlap' is an object, such as {\"test_intervals\": [0, 4096]}");
    }
    std::vector<std::string> schemes = {to_string(Scheme::time), to_string(Scheme::work)};
    Json intervals = Json::array({0U});
    take(json, "schemes", schemes);
    take(json, "test_intervals", intervals);
    for (const auto& [key, value] : json.items()) {
        if (key != "schemes" && key != "test_intervals") {
            throw std::invalid_argument("'overlap' has schemes and test_intervals, not '" + key + "'");
        }
    }
    OverlapPlan plan = {{}, {}, false};
    std::transform(schemes.begin(), schemes.end(), std::back_inserter(plan.schemes), scheme_named);
    for (const Json& interval : intervals) {
        if (interval == search_interval_name) {
            plan.search_interval = true;
        } else if (interval.is_number_unsigned()) {
            plan.intervals.push_back(interval.get<std::size_t>());
        } else {
            throw std::invalid_argument("'test_intervals' has bytes, or \"search\", not " + interval.dump());
        }
    }
    return plan;
}

Request request_of(const Json& json, Settings& settings) {
    if (!json.is_object()) {
        throw std::invalid_argument(
            "a request is a JSON object, such as {\"collective\": \"bcast\", \"bytes\": [1024]}");
    }
    for (const auto& [key, value] : json.items()) {
        if (std::find(std::begin(known_keys), std::end(known_keys), key) == std::end(known_keys)) {
            throw std::invalid_argument("there is no key '" + key + "' in a request");
        }
    }
    Request request;
    request.algorithms = {"all"};
    take(json, "collective", request.collective);
    take(json, "bytes", request.sizes);
    take(json, "algorithms", request.algorithms);
    take(json, "datatype", request.datatype);
    take(json, "operation", request.operation);
    if (json.contains("root") && json.at("root") == "rotating") {
        request.rotate_root = true;
    } else {
        take(json, "root", request.root);
    }
    take(json, "in_place", request.in_place);
    take(json, "peer", request.peer);
    take(json, "link", request.link);
    if (json.contains("pairs") && json.at("pairs") == "halves") {
        request.all_pairs = true;
    } else {
        std::vector<std::array<int, 2>> pairs;
        take(json, "pairs", pairs);
        std::transform(pairs.begin(), pairs.end(), std::back_inserter(request.pairs),
                       [](const std::array<int, 2>& pair) {
                           return Pair{pair[0], pair[1]};
                       });
    }
    take(json, "parameters", request.parameters);
    if (json.contains("overlap")) {
        request.overlap = overlap_plan_of(json.at("overlap"));
    }
    take(json, "warm_up", settings.warm_up);
    take(json, "precision", settings.precision);
    take(json, "min_repetitions", settings.limits.min_repetitions);
    take(json, "max_repetitions", settings.limits.max_repetitions);
    take(json, "max_seconds", settings.limits.max_seconds);
    take(json, "seed", settings.seed);
    take(json, "ranks", settings.keep_ranks);
    return request;
}

// The same text on all ranks; false at the end of the input
bool broadcast_line(LineReader& reader, int rank, std::string& line, std::string& problem) {
    long length = 0;
    if (rank == 0) {
        const auto result = reader.next(line);
        length = result == LineReader::Result::end        ? -1
                 : result == LineReader::Result::too_long ? -2
                                                          : static_cast<long>(line.size());
    }
    MPI_Bcast(&length, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    problem = length == -2 ? "a request is at most 32 KiB long" : "";
    if (length < 0) {
        return length == -2;
    }
    line.resize(static_cast<std::size_t>(length));
    MPI_Bcast(line.data(), static_cast<int>(length), MPI_CHAR, 0, MPI_COMM_WORLD);
    return true;
}

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

// In the order of the pattern's table
std::vector<double> parameters_of(const Request& request, const Pattern& pattern) {
    std::vector<double> values;
    std::string known;
    for (const ParameterSpec& spec : pattern.parameters) {
        const auto found = request.parameters.find(spec.name);
        values.push_back(found == request.parameters.end() ? spec.value : found->second);
        if (!(values.back() >= spec.smallest)) {
            throw std::invalid_argument(fmt::format("{} is at least {}", spec.name, spec.smallest));
        }
        known += (known.empty() ? "" : ", ") + std::string(spec.name);
    }
    for (const auto& [name, value] : request.parameters) {
        if (std::none_of(pattern.parameters.begin(), pattern.parameters.end(),
                         [&, &wanted = name](const ParameterSpec& spec) { return wanted == spec.name; })) {
            throw std::invalid_argument(std::string(pattern.name) + " has no parameter '" + name + "'; " +
                                        (known.empty() ? "it has none" : "there are: " + known));
        }
    }
    return values;
}

}  // namespace

std::vector<GroupSpec> groups_of(const Request& request, Session& session) {
    const Pattern* pattern = find_pattern(request.collective);
    if (!pattern) {
        throw std::invalid_argument("there is no collective '" + request.collective +
                                    "'; there are: " + pattern_names());
    }
    if (request.overlap) {
        check_overlap(*pattern);
    }
    if (request.sizes.empty()) {
        throw std::invalid_argument("no message size is given");
    }
    std::vector<std::string> algorithms;
    for (const std::string& name : request.algorithms) {
        if (name == "all") {
            if (!pattern->is_exchange()) {
                algorithms.push_back(default_algorithm);
            }
            for (const std::string& known : session.mpi_library().algorithms(*pattern)) {
                algorithms.push_back(known);
            }
        } else {
            algorithms.push_back(name);
        }
    }
    const Elements& elements = find_elements(request.datatype, request.operation);
    GroupSpec group = {pattern,         0, algorithms, &elements, request.root, request.rotate_root,
                       request.in_place};
    group.parameters = parameters_of(request, *pattern);
    group.ranks = session.ranks();
    if (pattern->has_pairs()) {
        group.pairs = pairs_of(request, session);
        if (problem_with(group.pairs, session.ranks()).empty()) {
            group.root = group.pairs.front().root;
            group.link = link_of(group.pairs, session.header().placement);
        }
    }
    std::vector<GroupSpec> groups;
    for (const std::size_t bytes : request.sizes) {
        group.bytes = bytes;
        groups.push_back(group);
        if (const std::string problem = session.problem_with(groups.back()); !problem.empty()) {
            throw std::invalid_argument(request.collective + ": " + problem);
        }
    }
    return groups;
}

void serve(Session& session, const Settings& settings, Printer& printer) {
    LineReader reader;
    std::string line;
    std::string problem;
    while (broadcast_line(reader, session.rank(), line, problem)) {
        std::string id;
        try {
            if (!problem.empty()) {
                throw std::invalid_argument(problem);
            }
            if (line.find_first_not_of(" \t\r") == std::string::npos) {
                continue;
            }
            const Json json = Json::parse(line);
            if (json.is_object() && json.contains("id")) {
                id = json.at("id").dump();
            }
            Settings own = settings;
            const Request request = request_of(json, own);
            for (const GroupSpec& group : groups_of(request, session)) {
                if (request.overlap) {
                    const auto results = measure_overlap(session, group, own, *request.overlap);
                    if (session.rank() == 0) {
                        printer.overlap(group, results, id);
                    }
                    continue;
                }
                const auto results = session.measure(group, own);
                if (session.rank() == 0) {
                    printer.group(group, results, id);
                }
            }
            if (session.rank() == 0) {
                printer.done(id);
            }
        } catch (const Json::parse_error& error) {
            if (session.rank() == 0) {
                printer.error(std::string("this is not JSON: ") + error.what(), id);
            }
        } catch (const std::invalid_argument& error) {
            if (session.rank() == 0) {
                printer.error(error.what(), id);
            }
        }
    }
}

}  // namespace bench
