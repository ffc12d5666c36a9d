// SPDX-License-Identifier: MIT
// For emit_library_test.sh: writes the example configuration, emits it, and says what a library should then
// do.
//   emit_tool config | two-networks
//   emit_tool later                a configuration for 4x2 with algorithms of MPICH 4.1 and later
//   emit_tool emit FORMAT CONFIG NODES PPN [RULES_FILE [TARGET]]
//   emit_tool expect FORMAT CONFIG NODES PPN COLLECTIVE [NETWORK]   lines: bytes, algorithm, messages of all
//   ranks
//                                   FORMAT unpatched: mpich-stock with an unpatched library; preload: mpich
//                                   with one
//   emit_tool openmpi-config HEADER    a configuration for Open MPI; HEADER: a file with the benchmark's
//   header
#include <fmt/core.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include "emit.hpp"
#include "error.hpp"
#include "example_config.hpp"
#include "explain.hpp"
#include "schedule.hpp"

namespace {

using namespace tuner;

constexpr std::size_t largest_bytes = 1 << 20;

// Both sides of every edge
std::set<std::size_t> sizes_of(const Config& config, const Layout& layout, const std::string& collective) {
    std::set<std::size_t> sizes = {64, 12288, 12289, largest_bytes};
    for (const Rule& rule : config.rules) {
        if (rule.collective == collective && rule.where.holds(layout)) {
            sizes.insert({rule.from_bytes - 1, rule.from_bytes, rule.to_bytes, rule.to_bytes + 1});
        }
    }
    std::erase_if(sizes, [](std::size_t bytes) { return bytes == 0 || bytes > largest_bytes; });
    return sizes;
}

// Of all ranks; those of a rank to itself where the library sends them, too
long messages_of(const std::string& collective, const std::string& algorithm, const Layout& layout,
                 std::size_t bytes, models::Implementation library = models::Implementation::mpich) {
    const models::RankPlacement ranks(layout.nodes, layout.ppn);
    const bool sends_to_itself = algorithm == "scattered";
    long messages = 0;
    const auto count = [&](const models::Round& round) {
        for (const models::Message& message : round.messages()) {
            messages += message.source != message.destination || sends_to_itself;
        }
    };
    models::for_each_round(models::find_algorithm(collective, algorithm, library)->schedule({&ranks, bytes}),
                           count);
    return messages;
}

// What an unpatched library does by default. It tests comm_size<8 as <= 8 (patch 0001).
std::string unpatched_default(const Explanation& answer) {
    const bool is_brucks = answer.question.collective == "alltoall" && answer.by_library == "brucks";
    return is_brucks && answer.question.layout.ranks() == 8 ? "scattered" : answer.by_library;
}

void expect(const std::string& format, const Config& config, const Layout& layout,
            const std::string& collective, const std::string& network) {
    for (const std::size_t bytes : sizes_of(config, layout, collective)) {
        const Explanation answer = explain(config, {network, collective, layout, bytes});
        // what a selection file does not say, because MPI_Init makes such calls itself
        const bool is_selection_file = format == "mpich-stock" || format == "unpatched";
        const bool is_too_small = is_selection_file && answer.algorithm == "smp" && bytes <= 16;
        // the bytes are the elements here
        const bool has_few_elements = bytes < static_cast<std::size_t>(layout.ranks());
        std::string algorithm = answer.algorithm;
        if (answer.rule == nullptr || is_too_small) {
            const bool is_unpatched = format == "unpatched" || format.starts_with("preload");
            algorithm = is_unpatched ? unpatched_default(answer) : answer.by_library;
        }
        if (format == "preload-flat" && algorithm == "smp") {
            algorithm = explain(config, {network, collective, {layout.ranks(), 1}, bytes}).by_library;
        }
        if (algorithm == "reduce_scatter_allgather" && has_few_elements) {
            algorithm = "recursive_doubling";
        }
        std::string name = collective + "_intra_" + algorithm;
        name[0] = static_cast<char>(std::toupper(name[0]));
        fmt::print("{} MPIR_{} {}\n", bytes, name, messages_of(collective, algorithm, layout, bytes));
    }
}

void expect_openmpi(const Config& config, const Layout& layout, const std::string& collective) {
    for (const std::size_t bytes : sizes_of(config, layout, collective)) {
        const Rule* rule = find_rule(config, "eth", layout, collective, bytes);
        // those without a schedule of their own: rings, or all to a root and back
        const long others = layout.ranks() - 1;
        const long by_hand =
            rule != nullptr && rule->algorithm == "ring" ? layout.ranks() * others : 2 * others;
        const bool has_model =
            rule != nullptr &&
            models::find_algorithm(collective, rule->algorithm, models::Implementation::openmpi) != nullptr;
        fmt::print("{} {} {}\n", bytes, rule == nullptr ? "default" : rule->algorithm,
                   has_model ? messages_of(collective, rule->algorithm, layout, bytes,
                                           models::Implementation::openmpi)
                             : by_hand);
    }
}

// For one node of four ranks; algorithms that send other messages than Open MPI's own choice
Config openmpi_config(const Json& header) {
    const Layout four{1, 4};
    Config config = example_config();
    config.library = header.at("library").get<std::string>();
    config.algorithm_values = header.at("algorithm_values");
    config.rules = {
        example_rule(four, "bcast", 5000, 20000, "pipeline:segment=8Ki"),
        example_rule(four, "bcast", 20001, 99999, "chain:segment=8Ki:fanout=2"),
        example_rule(four, "reduce", 9000, 50000, "pipeline:segment=8Ki"),
        example_rule(four, "allreduce", 3000, 100000, "ring"),
        example_rule(four, "allgather", 700, 5000, "ring"),
        example_rule(four, "allgatherv", 700, 5000, "ring"),
        example_rule(four, "alltoall", 300, 2000, "modified_bruck"),
        example_rule(four, "reduce_scatter", 500, 8000, "ring"),
        example_rule(four, "reduce_scatter_block", 500, 1000, "basic_linear"),
        example_rule(four, "barrier", 0, no_end, "double_ring"),
        example_rule(four, "scatter", 500, 8000, "binomial"),  // is left out
    };
    return config;
}

// One after the other in sizes
Config config_of_later_algorithms() {
    const std::map<std::string, std::vector<std::string>> algorithms = {
        {"barrier", {"recexch:k=4"}},
        {"bcast", {"tree", "tree:k=4", "pipelined_tree:chunk_size=1Ki"}},
        {"allgather", {"k_brucks:k=4", "recexch_doubling:k=4", "recexch_halving"}},
        {"alltoall", {"k_brucks", "k_brucks:k=4"}},
        {"allreduce",
         {"tree:k=4", "tree:chunk_size=1Ki", "recexch:k=4", "ring", "k_reduce_scatter_allgather:k=4"}},
    };
    constexpr std::size_t width = 10000;
    Config config = example_config();
    config.rules.clear();
    for (const auto& [collective, names] : algorithms) {
        std::size_t from = collective == "barrier" ? 0 : 1;
        for (const std::string& name : names) {
            const std::size_t to = collective == "barrier" ? no_end : from + width - 1;
            config.rules.push_back(example_rule({4, 2}, collective, from, to, name));
            from += width;
        }
    }
    return config;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    try {
        if (arguments.size() == 1 && arguments[0] == "config") {
            fmt::print("{}\n", to_json(example_config()).dump(2));
        } else if (arguments.size() == 1 && arguments[0] == "two-networks") {
            fmt::print("{}\n", to_json(example_config_of_two_networks()).dump(2));
        } else if (arguments.size() == 1 && arguments[0] == "later") {
            fmt::print("{}\n", to_json(config_of_later_algorithms()).dump(2));
        } else if (arguments.size() == 2 && arguments[0] == "openmpi-config") {
            std::ifstream header(arguments[1]);
            fmt::print("{}\n", to_json(openmpi_config(Json::parse(header))).dump(2));
        } else if (arguments.size() >= 5) {
            const Config config = read_config(arguments[2]);
            const Layout layout{std::atoi(arguments[3].c_str()), std::atoi(arguments[4].c_str())};
            if (arguments[0] == "emit") {
                EmitOptions options{"", layout, arguments.size() > 5 ? arguments[5] : "", true};
                options.target = arguments.size() > 6 ? arguments[6] : "";
                fmt::print("{}", find_format(arguments[1]).emit(config, options));
            } else if (arguments[1] == "openmpi") {
                expect_openmpi(config, layout, arguments.at(5));
            } else {
                expect(arguments[1], config, layout, arguments.at(5),
                       arguments.size() > 6 ? arguments[6] : "");
            }
        } else {
            return 2;
        }
    } catch (const std::exception& error) {
        fmt::print(stderr, "Error: {}\n", error.what());
        return 1;
    }
    return 0;
}
