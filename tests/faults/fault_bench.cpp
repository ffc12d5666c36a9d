// SPDX-License-Identifier: MIT
// Launcher and benchmark in one: answers as changeover-bench --serve on two nodes would, at once and always
// the same. What is asked shows how its answers are used: allreduce has an algorithm that wins when it is
// searched and loses when it is verified, so that its rule must be rejected. As the library does, it takes
// the algorithm `tuned` from the tuning file. BENCH_PHASE=after: the network has changed, and rules are
// stale. BENCH_LOG gets a line for each answer.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

using Json = nlohmann::json;

struct Algorithm {
    const char* collective;
    const char* name;
    double start_us;
    double us_per_kib;
    double start_us_after;      // the network has changed
    double times_in_verifying;  // as long as in the search
};
constexpr Algorithm algorithms[] = {
    {"bcast", "binomial", 100, 1, 100, 1},
    {"bcast", "scatter_ring_allgather", 150, 0.5, 300, 1},
    {"allgather", "recursive_doubling", 100, 1, 100, 1},
    {"allgather", "ring", 150, 0.5, 300, 1},
    {"allreduce", "recursive_doubling", 100, 1, 100, 1},
    {"allreduce", "reduce_scatter_allgather", 150, 0.5, 150, 4},
};
constexpr const char* default_name = "default";  // which is the first of each collective
constexpr const char* tuned_name = "tuned";

std::string environment(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

std::string algorithm_of_default(const std::string& collective) {
    for (const Algorithm& row : algorithms) {
        if (row.collective == collective) {
            return row.name;
        }
    }
    return "";
}

std::string algorithm_of_tuning_file(const std::string& collective, std::size_t bytes) {
    std::ifstream file(environment("MPIR_CVAR_COLL_TUNING_FILE"));
    const Json rules = Json::parse(file).at("mpir");
    for (const Json& rule : rules) {
        const Json& range = rule.at("bytes");
        if (rule.at("collective") == collective && bytes >= range[0] &&
            (range[1].is_null() || bytes <= range[1])) {
            return rule.at("algorithm");
        }
    }
    return algorithm_of_default(collective);
}

double microseconds(const std::string& collective, const std::string& algorithm, std::size_t bytes,
                    bool is_verifying) {
    const bool has_changed = environment("BENCH_PHASE") == "after";
    for (const Algorithm& row : algorithms) {
        if (row.collective == collective && row.name == algorithm) {
            const double start_us = has_changed ? row.start_us_after : row.start_us;
            return (start_us + row.us_per_kib * static_cast<double>(bytes) / 1024) *
                   (is_verifying ? row.times_in_verifying : 1);
        }
    }
    // Of messages between two ranks. From 1 KiB on they take so long that larger ones are not asked for.
    return bytes < 1024 ? 10 + static_cast<double>(bytes) / 100 : 31e3;
}

// The same noise of 1% for every case: medians differ as the times do, and intervals are narrow. Whole
// nanoseconds, as in the journal: what was measured is then the same number before and after a resume.
std::vector<double> samples(double time_us, int number) {
    std::vector<double> all;
    for (int i = 0; i < number; ++i) {
        all.push_back(std::round(1e3 * time_us * (1 + 0.001 * (i * 7 % 11))) / 1e3);
    }
    return all;
}

Json case_of(const Json& request, const std::string& algorithm) {
    const std::string collective = request.at("collective");
    const std::size_t bytes = request.at("bytes").at(0);
    const std::string used = algorithm == default_name ? algorithm_of_default(collective)
                             : algorithm == tuned_name ? algorithm_of_tuning_file(collective, bytes)
                                                       : algorithm;
    const int number = std::min(request.at("max_repetitions").get<int>(), 20);
    Json line = {
        {"type", "case"},
        {"id", request.at("id")},
        {"collective", collective},
        {"algorithm", algorithm},
        {"bytes", bytes},
        {"datatype", request.value("datatype", "byte")},
        {"operation", request.value("operation", Json())},
        {"root", 0},
        {"in_place", false},
        {"status", "measured"},
        {"used", used},
        {"invalid", 0},
        {"seconds", 0.25},
        {"ended", "precise"},
        {"precision", 0.01},
        {"samples_us", samples(microseconds(collective, used, bytes, request.contains("ranks")), number)}};
    for (const char* key : {"link", "parameters", "arrival"}) {
        if (request.contains(key)) {
            line[key] = request.at(key);
        }
    }
    return line;
}

std::vector<std::string> names_in(const Json& request) {
    if (request.at("algorithms") != Json({"all"})) {
        return request.at("algorithms");
    }
    std::vector<std::string> names = {default_name};
    for (const Algorithm& row : algorithms) {
        if (row.collective == request.at("collective")) {
            names.emplace_back(row.name);
        }
    }
    return names;
}

void say(const Json& line) {
    std::cout << line.dump() << '\n' << std::flush;
}

Json header() {
    const std::string file = environment("MPIR_CVAR_COLL_TUNING_FILE");
    return {{"type", "header"},
            {"version", 1},
            {"library", "MPICH Version: 4.0.2 with changeover patches"},
            {"tuning_file", file.empty() ? Json() : Json(file)},
            {"ranks", 2},
            {"nodes", {"a", "b"}},
            {"node_of_rank", {"a", "b"}}};
}

}  // namespace

int main() {
    say(header());
    std::ofstream log(environment("BENCH_LOG"), std::ios::app);
    for (std::string text; std::getline(std::cin, text);) {
        const Json request = Json::parse(text);
        for (const std::string& name : names_in(request)) {
            say(case_of(request, name));
        }
        log << text << std::endl;
        say({{"type", "done"}, {"id", request.at("id")}});
    }
    say({{"type", "end"}});
}
