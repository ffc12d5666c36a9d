// SPDX-License-Identifier: MIT
// The dynamic rules of Open MPI's coll/tuned, and the parameter file that makes it read them. A rule is found
// by the number of ranks of a communicator and by a size, which each collective counts in its own way
// (ompi/mca/coll/tuned/coll_tuned_decision_dynamic.c of 4.1.4). README.md, 'Rules of Open MPI', has the
// traps.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "algorithm_name.hpp"
#include "emit.hpp"
#include "error.hpp"
#include "units.hpp"

namespace tuner {

namespace {

using Rules = std::vector<const Rule*>;

// What Open MPI compares with the sizes of the file
enum class Counted {
    message,        // the benchmark's size
    total,          // that times the ranks
    nothing,        // no size at all
    by_sender_only  // by arguments that need not be the same on all ranks
};

struct Collective {
    const char* name;
    int number;  // enum COLLTYPE of coll_base_functions.h
    Counted counted;
    // Algorithms that give wrong results for operations that do not commute, without any check
    std::vector<std::string> commutative_only = {};
};

const std::vector<Collective>& collectives() {
    static const std::vector<Collective> table = {
        {"allgather", 0, Counted::total},
        {"allgatherv", 1, Counted::message},
        {"allreduce", 2, Counted::message, {"ring", "segmented_ring"}},
        {"alltoall", 3, Counted::total},
        {"alltoallv", 4, Counted::nothing},
        {"barrier", 6, Counted::nothing},
        {"bcast", 7, Counted::message},
        {"exscan", 8, Counted::nothing},
        {"gather", 9, Counted::by_sender_only},
        {"reduce", 11, Counted::message, {"chain", "pipeline", "binary", "binomial"}},
        {"reduce_scatter", 12, Counted::total, {"recursive_halving", "ring"}},
        {"reduce_scatter_block", 13, Counted::total},
        {"scan", 14, Counted::nothing},
        {"scatter", 15, Counted::by_sender_only},
    };
    return table;
}

const Collective* find_collective(const std::string& name) {
    const auto row = std::find_if(collectives().begin(), collectives().end(),
                                  [&](const Collective& c) { return c.name == name; });
    return row == collectives().end() ? nullptr : &*row;
}

// chain:segment=8Ki:fanout=4
struct Choice {
    std::string algorithm;
    std::map<std::string, std::size_t> parameters;

    explicit Choice(const std::string& text) {
        const models::AlgorithmName name(text);
        algorithm = name.algorithm;
        for (const auto& [parameter, value] : name.parameters) {
            parameters[parameter] = parse_bytes(value);
        }
    }
    std::size_t value(const std::string& parameter) const {
        const auto found = parameters.find(parameter);
        return found == parameters.end() ? 0 : found->second;
    }
};

// The number that the measured library gave to an algorithm; 0: none
int number_of(const Config& config, const Rule& rule) {
    const std::string algorithm = Choice(rule.algorithm).algorithm;
    const Json& values = config.algorithm_values;
    return values.contains(rule.collective) ? values.at(rule.collective).value(algorithm, 0) : 0;
}

// Why a rule cannot be in the file; empty: it can
std::string obstacle(const Config& config, const Rule& rule, bool assume_commutative) {
    const Collective* collective = find_collective(rule.collective);
    if (collective == nullptr) {
        return "a file cannot choose for this collective";
    }
    const Choice choice(rule.algorithm);
    if (number_of(config, rule) == 0) {
        return "the library that was measured has no number for this algorithm";
    }
    if (collective->counted == Counted::nothing && rule.collective != "barrier") {
        return "Open MPI does not look at the size of this collective: the rule would hold for all sizes";
    }
    if (collective->counted == Counted::by_sender_only) {
        return "Open MPI takes the size from arguments that may differ between ranks: the job could hang";
    }
    if (choice.parameters.contains("radix")) {
        return "a file cannot say the radix; set coll_tuned_bcast_algorithm_knomial_radix";
    }
    if (!rule.operation.empty() && rule.operation != built_in_operation) {
        return "a file cannot tell this kind of operation";
    }
    const bool is_risky = std::find(collective->commutative_only.begin(), collective->commutative_only.end(),
                                    choice.algorithm) != collective->commutative_only.end();
    if (is_risky && !assume_commutative) {
        return "Open MPI would use it for operations that do not commute, too, with wrong results; if no "
               "program has such operations, emit with --assume-commutative";
    }
    return "";
}

// Rules of each number of ranks. Two layouts of as many ranks cannot be told apart.
std::map<int, Rules> by_ranks(const Config& config, const std::string& network, const EmitOptions& options,
                              const std::string& collective, std::vector<std::string>& notes) {
    std::map<int, Rules> found;
    for (const Layout& layout : layouts_of(config, network)) {
        if (options.layout && !is_same_place(layout, *options.layout)) {
            continue;
        }
        for (const Rule& rule : config.rules) {
            if (rule.network != network || rule.collective != collective ||
                !is_same_place(rule.layout, layout)) {
                continue;
            }
            const std::string problem = obstacle(config, rule, options.assume_commutative);
            if (problem.empty()) {
                found[layout.ranks()].push_back(&rule);
            } else {
                notes.push_back(fmt::format("left out: {} on {}, {}, {}: {}", rule.collective,
                                            to_string(layout), size_range(rule), rule.algorithm, problem));
            }
        }
    }
    for (auto& [ranks, rules] : found) {
        std::sort(rules.begin(), rules.end(),
                  [](const Rule* a, const Rule* b) { return a->from_bytes < b->from_bytes; });
    }
    return found;
}

void check_layouts(const Config& config, const std::string& network, const EmitOptions& options) {
    const std::vector<Layout> layouts = layouts_of(config, network);
    for (const Layout& a : layouts) {
        for (const Layout& b : layouts) {
            if (!options.layout && !is_same_place(a, b) && a.ranks() == b.ranks()) {
                throw wrong_use(fmt::format(
                    "{} and {} have as many ranks, which is all that Open MPI looks at; name one of them "
                    "with --layout",
                    to_string(a), to_string(b)));
            }
        }
    }
}

// Lines 'size algorithm fanout segment' from the size on; algorithm 0 is Open MPI's own choice
struct SizeLines {
    std::vector<std::string> lines;

    void add(std::size_t size, int algorithm, const Choice& choice, const std::string& comment) {
        lines.push_back(fmt::format("{} {} {} {}  # {}", size, algorithm, choice.value("fanout"),
                                    choice.value("segment"), comment));
    }
    void add_default(std::size_t size) {
        lines.push_back(fmt::format("{} 0 0 0  # the library's own choice", size));
    }
};

SizeLines size_lines(const Config& config, const Collective& collective, const Rules& rules) {
    SizeLines text;
    std::size_t next = 0;  // first size without a line
    for (const Rule* rule : rules) {
        const std::size_t factor =
            collective.counted == Counted::total ? static_cast<std::size_t>(rule->layout.ranks()) : 1;
        const bool has_size = collective.counted != Counted::nothing;
        const std::size_t from = has_size ? rule->from_bytes * factor : 0;
        if (from > next || (next == 0 && from > 0)) {
            text.add_default(next);
        }
        text.add(from, number_of(config, *rule), Choice(rule->algorithm), rule->algorithm);
        next = !has_size || rule->to_bytes == no_end ? no_end : rule->to_bytes * factor + 1;
    }
    if (next != no_end) {
        text.add_default(next);
    }
    return text;
}

std::string as_comment(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) {
        text += "# " + line + "\n";
    }
    return text;
}

}  // namespace

std::string emit_openmpi(const Config& config, const EmitOptions& options) {
    const std::string network = chosen_network(config, options.network);
    check_layouts(config, network, options);
    std::vector<std::string> comments = origin_lines(config, network);
    comments.insert(comments.begin(),
                    "dynamic rules for Open MPI 4.1: coll_tuned_use_dynamic_rules=1, "
                    "coll_tuned_dynamic_rules_filename=FILE");
    std::string body;
    int count = 0;
    for (const Collective& collective : collectives()) {
        const auto rules = by_ranks(config, network, options, collective.name, comments);
        if (rules.empty()) {
            continue;
        }
        ++count;
        // A communicator takes the last number of ranks that is not above its own, and the first one if all
        // are: so each number is between two that leave the choice to the library.
        std::map<int, SizeLines> lines;
        for (const auto& [ranks, of_ranks] : rules) {
            lines[ranks] = size_lines(config, collective, of_ranks);
        }
        for (const auto& [ranks, of_ranks] : rules) {
            for (const int neighbour : {0, ranks + 1}) {
                if (!lines.contains(neighbour)) {
                    lines[neighbour].add_default(0);
                }
            }
        }
        body += fmt::format("{}  # {}\n{}  # numbers of ranks\n", collective.number, collective.name,
                            lines.size());
        for (const auto& [ranks, sizes] : lines) {
            body += fmt::format("{}  # ranks\n{}  # sizes\n{}\n", ranks, sizes.lines.size(),
                                fmt::join(sizes.lines, "\n"));
        }
    }
    return as_comment(comments) + fmt::format("{}  # collectives\n", count) + body;
}

std::string emit_openmpi_params(const Config& config, const EmitOptions& options) {
    const std::string network = chosen_network(config, options.network);
    const std::string file = std::filesystem::absolute(
        options.rules_file.empty() ? config.run + "/openmpi.conf" : options.rules_file);
    return as_comment(origin_lines(config, network)) +
           "# for $HOME/.openmpi/mca-params.conf, or by OMPI_MCA_mca_base_param_files=THIS_FILE\n"
           "coll_tuned_use_dynamic_rules = 1\n"
           "coll_tuned_dynamic_rules_filename = " +
           file + "\n";
}

}  // namespace tuner
