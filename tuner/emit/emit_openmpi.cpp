// SPDX-License-Identifier: MIT
// The dynamic rules of Open MPI's coll/tuned, and the parameter file that makes it read them. A rule is found
// by the number of ranks of a communicator and by a size, which each collective counts in its own way
// (ompi/mca/coll/tuned/coll_tuned_decision_dynamic.c of 4.1.4). docs/formats.md, 'Rules of Open MPI', has the
// traps.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "algorithm_name.hpp"
#include "collectives.hpp"
#include "emit.hpp"
#include "error.hpp"
#include "quoting.hpp"
#include "units.hpp"
#include "usable_rules.hpp"

namespace tuner {

namespace {

using models::Collective;
using models::CountedSize;

constexpr std::size_t most_layouts_of_ranges = 1024;  // many have the same number of ranks

// Those that a file can choose for, in the order of Open MPI's numbers
std::vector<const Collective*> collectives_in_file() {
    std::vector<const Collective*> rows;
    for (const Collective& collective : models::collectives()) {
        if (collective.openmpi.number >= 0) {
            rows.push_back(&collective);
        }
    }
    std::sort(rows.begin(), rows.end(),
              [](const Collective* a, const Collective* b) { return a->openmpi.number < b->openmpi.number; });
    return rows;
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
    if (!openmpi_can_choose_for(rule.collective)) {
        return no_such_collective;
    }
    const models::OpenMpiRow& row = models::find_collective(rule.collective)->openmpi;
    const Choice choice(rule.algorithm);
    if (number_of(config, rule) == 0) {
        return "the library that was measured has no number for this algorithm";
    }
    if (row.size == CountedSize::nothing && rule.collective != "barrier") {
        return "Open MPI does not look at the size of this collective: the rule would hold for all sizes";
    }
    if (row.size == CountedSize::by_sender_only) {
        return "Open MPI takes the size from arguments that may differ between ranks: the job could hang";
    }
    if (choice.parameters.contains("radix")) {
        return "a file cannot say the radix; set coll_tuned_bcast_algorithm_knomial_radix";
    }
    if (!rule.operation.empty() && rule.operation != built_in_operation) {
        return "a file cannot tell this kind of operation";
    }
    const bool is_risky = std::find(row.commutative_only.begin(), row.commutative_only.end(),
                                    choice.algorithm) != row.commutative_only.end();
    if (is_risky && !assume_commutative) {
        return "Open MPI would use it for operations that do not commute, too, with wrong results; if no "
               "program has such operations, emit with --assume-commutative";
    }
    return "";
}

// Rules of each number of ranks. Open MPI cannot distinguish two layouts with the same number of ranks: if
// they want different algorithms, it chooses itself.
std::map<int, LayoutRules> by_ranks(const Config& config, const std::string& network,
                                    const std::vector<Layout>& layouts, const Obstacle& problem,
                                    const std::string& collective, std::vector<std::string>& notes) {
    std::map<int, LayoutRules> found;
    std::map<int, std::string> conflicts;
    for (const Layout& layout : layouts) {
        LayoutRules rules = usable_rules(config, network, layout, collective, problem, notes);
        const auto [first, is_new] = found.emplace(layout.ranks(), rules);
        if (!is_new && !want_the_same(first->second, rules)) {
            conflicts.emplace(layout.ranks(),
                              fmt::format("{} and {}", to_string(first->second.layout), to_string(layout)));
        }
    }
    std::vector<std::string> left_out;
    for (const auto& [ranks, names] : conflicts) {
        left_out.push_back(fmt::format("{} ({})", ranks, names));
        found.erase(ranks);
    }
    if (!left_out.empty()) {
        notes.push_back(
            fmt::format("left out: {} on these numbers of ranks, where layouts want different algorithms and "
                        "Open MPI does "
                        "not look at the layout: {}; select one with --layout",
                        collective, fmt::join(left_out, ", ")));
    }
    std::erase_if(found, [](const auto& row) { return row.second.rules.empty(); });
    return found;
}

// The only ones that a file can be about, or the one that was asked for. Throws an Error if every rule names
// its layout, and two of these have the same number of ranks.
std::vector<Layout> layouts_in_file(const Config& config, const std::string& network,
                                    const EmitOptions& options, std::vector<std::string>& notes) {
    if (options.layout) {
        const bool has_any = has_rules(config, network, *options.layout);
        return has_any ? std::vector{*options.layout} : std::vector<Layout>{};
    }
    std::vector<Layout> layouts = layouts_to_write(config, network, most_layouts_of_ranges, notes);
    if (layouts.size() > layouts_of(config, network).size()) {
        return layouts;
    }
    for (const Layout& a : layouts) {
        for (const Layout& b : layouts) {
            if (!is_same_place(a, b) && a.ranks() == b.ranks()) {
                throw usage_error(fmt::format(
                    "{} and {} have the same number of ranks, and Open MPI does not look at anything else; "
                    "select one with --layout",
                    to_string(a), to_string(b)));
            }
        }
    }
    return layouts;
}

// Lines 'size algorithm fanout segment' from the size on; algorithm 0 is Open MPI's own choice
struct SizeLines {
    std::vector<std::string> lines;

    void add(std::size_t size, int algorithm, const Choice& choice, const std::string& comment) {
        lines.push_back(fmt::format("{} {} {} {}  # {}", size, algorithm, choice.value("fanout"),
                                    choice.value("segment"), printable(comment)));
    }
    void add_default(std::size_t size) {
        lines.push_back(fmt::format("{} 0 0 0  # the library's own choice", size));
    }
};

SizeLines size_lines(const Config& config, const Collective& collective, const LayoutRules& of_layout) {
    SizeLines text;
    std::size_t next = 0;  // first size without a line
    const std::size_t factor = collective.openmpi.size == CountedSize::total
                                   ? static_cast<std::size_t>(of_layout.layout.ranks())
                                   : 1;
    for (const Rule& rule : of_layout.rules) {
        const bool has_size = collective.openmpi.size != CountedSize::nothing;
        const std::size_t from = has_size ? rule.from_bytes * factor : 0;
        if (from > next || (next == 0 && from > 0)) {
            text.add_default(next);
        }
        text.add(from, number_of(config, rule), Choice(rule.algorithm), rule.algorithm);
        next = !has_size || rule.to_bytes == no_end ? no_end : rule.to_bytes * factor + 1;
    }
    if (next != no_end) {
        text.add_default(next);
    }
    return text;
}

// A communicator takes the last number of ranks that is not above its own, and the first one if all are: so
// each number is between two that leave the choice to the library.
std::string collective_text(const Config& config, const Collective& collective,
                            const std::map<int, LayoutRules>& rules) {
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
    std::string text = fmt::format("{}  # {}\n{}  # numbers of ranks\n", collective.openmpi.number,
                                   collective.name, lines.size());
    for (const auto& [ranks, sizes] : lines) {
        text += fmt::format("{}  # ranks\n{}  # sizes\n{}\n", ranks, sizes.lines.size(),
                            fmt::join(sizes.lines, "\n"));
    }
    return text;
}

// ---- coll/han, since 5.0: which component takes a call, by the same numbers

constexpr int global_communicator = 2;  // that of the user, not those that han makes of its parts

// Sizes as the benchmark means them: blocks for each rank are not multiplied
std::vector<std::string> han_lines(const Collective& collective, const LayoutRules& of_layout) {
    const bool has_size = collective.openmpi.size != CountedSize::nothing;
    std::map<std::size_t, const char*> from = {{0, "han"}};
    for (const Rule& rule : of_layout.rules) {
        from[has_size ? rule.from_bytes : 0] = "tuned";
        if (has_size && rule.to_bytes != no_end) {
            from[rule.to_bytes + 1] = "han";  // unless the next rule begins here
        }
    }
    std::vector<std::string> lines;
    for (const auto& [bytes, component] : from) {
        lines.push_back(fmt::format("{} {}", bytes, component));
    }
    return lines;
}

// A communicator takes the last number of ranks that is not above its own; the first must be 1
std::string han_text(const Collective& collective, const std::map<int, LayoutRules>& rules) {
    std::map<int, std::vector<std::string>> lines = {{1, {"0 han"}}};
    for (const auto& [ranks, of_ranks] : rules) {
        lines[ranks] = han_lines(collective, of_ranks);
        if (!rules.contains(ranks + 1)) {
            lines[ranks + 1] = {"0 han"};
        }
    }
    std::string text = fmt::format("{}\n1  # level\n{}  # communicators of users\n{}  # numbers of ranks\n",
                                   collective.name, global_communicator, lines.size());
    for (const auto& [ranks, sizes] : lines) {
        text += fmt::format("{}  # ranks\n{}  # sizes\n{}\n", ranks, sizes.size(), fmt::join(sizes, "\n"));
    }
    return text;
}

// ---- JSON, since 6.0: ranges of ranks and sizes, of which the first that holds is used; nothing has to be
// filled up

// {"msg_size_min": 304, "msg_size_max": 512, "alg": 4}
Json size_rules(const Config& config, const Collective& collective, const LayoutRules& of_layout) {
    const bool has_size = collective.openmpi.size != CountedSize::nothing;
    const std::size_t factor = collective.openmpi.size == CountedSize::total
                                   ? static_cast<std::size_t>(of_layout.layout.ranks())
                                   : 1;
    Json rules = Json::array();
    for (const Rule& rule : of_layout.rules) {
        const Choice choice(rule.algorithm);
        Json line = Json::object();
        if (has_size) {
            line["msg_size_min"] = rule.from_bytes * factor;
            line["msg_size_max"] = rule.to_bytes == no_end ? Json("inf") : Json(rule.to_bytes * factor);
        }
        line["alg"] = number_of(config, rule);
        for (const auto& [key, parameter] : {std::pair("faninout", "fanout"), {"seg_size", "segment"}}) {
            if (choice.value(parameter) > 0) {
                line[key] = choice.value(parameter);
            }
        }
        rules.push_back(std::move(line));
    }
    return rules;
}

// What a file is about: the rules of each collective that can be in it, in the order of Open MPI's numbers
using RulesInFile = std::vector<std::pair<const Collective*, std::map<int, LayoutRules>>>;

RulesInFile rules_in_file(const Config& config, const std::string& network, const EmitOptions& options,
                          std::vector<std::string>& notes) {
    const std::vector<Layout> layouts = layouts_in_file(config, network, options, notes);
    const Obstacle problem = [&](const Rule& rule, const Layout&) {
        return obstacle(config, rule, options.assume_commutative);
    };
    RulesInFile all;
    std::set<std::string> known;
    for (const Collective* collective : collectives_in_file()) {
        const std::string name(collective->name);
        known.insert(name);
        auto rules = by_ranks(config, network, layouts, problem, name, notes);
        if (!rules.empty()) {
            all.emplace_back(collective, std::move(rules));
        }
    }
    note_unknown_collectives(config, network, options.layout, known, notes);
    return all;
}

// A text that starts with a title, its origin and what is left out, all as comments
std::string commented_file(
    const std::string& title, const Config& config, const EmitOptions& options,
    const std::function<std::string(const Collective&, const std::map<int, LayoutRules>&)>& text_of) {
    const std::string network = chosen_network(config, options.network);
    std::vector<std::string> comments = {title};
    for (std::string& line : origin_lines(config, network)) {
        comments.push_back(std::move(line));
    }
    const RulesInFile rules = rules_in_file(config, network, options, comments);
    std::string body;
    for (const auto& [collective, of_collective] : rules) {
        body += text_of(*collective, of_collective);
    }
    return comment_lines(comments) + fmt::format("{}  # collectives\n", rules.size()) + body;
}

}  // namespace

bool openmpi_can_choose_for(const std::string& collective) {
    const Collective* row = models::find_collective(collective);
    return row != nullptr && row->openmpi.number >= 0;
}

std::string emit_openmpi(const Config& config, const EmitOptions& options) {
    return commented_file(
        "dynamic rules for Open MPI 4.1 and 5.0: coll_tuned_use_dynamic_rules=1, "
        "coll_tuned_dynamic_rules_filename=FILE",
        config, options, [&](const Collective& collective, const std::map<int, LayoutRules>& rules) {
            return collective_text(config, collective, rules);
        });
}

// The rules are those of the other file, or Open MPI would follow some of them only
std::string emit_openmpi_han(const Config& config, const EmitOptions& options) {
    return commented_file(
        "for coll/han of Open MPI 5.0 and 6.0, beside the rules of coll/tuned: "
        "coll_han_use_dynamic_file_rules=1, coll_han_dynamic_rules_filename=FILE",
        config, options, han_text);
}

std::string emit_openmpi_json(const Config& config, const EmitOptions& options) {
    const std::string network = chosen_network(config, options.network);
    std::vector<std::string> notes;
    Json file = {{"rule_file_version", 3}, {"module", "tuned"}, {"collectives", Json::object()}};
    for (const auto& [collective, by_number] : rules_in_file(config, network, options, notes)) {
        for (const auto& [ranks, rules] : by_number) {
            file["collectives"][std::string(collective->name)].push_back(
                {{"comm_size_min", ranks},
                 {"comm_size_max", ranks},
                 {"rules", size_rules(config, *collective, rules)}});
        }
    }
    if (options.left_out != nullptr) {
        *options.left_out = notes;
    }
    // There are no comments; keys that it does not know are not looked at
    std::transform(notes.begin(), notes.end(), notes.begin(), printable);
    const std::vector<std::string> origin = origin_lines(config, network);
    file["info"] = {{"origin", origin[0]},
                    {"measured", origin[1]},
                    {"machine", config.fingerprint},
                    {"checksum", checksum_of(config.rules)},
                    {"notes", notes}};
    return file.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string emit_openmpi_params(const Config& config, const EmitOptions& options) {
    const std::string network = chosen_network(config, options.network);
    const std::string file = std::filesystem::absolute(
        options.rules_file.empty() ? config.run + "/openmpi.conf" : options.rules_file);
    const std::string han = second_format_of(config).empty() ? ""
                                                             : "coll_han_use_dynamic_file_rules = 1\n"
                                                               "coll_han_dynamic_rules_filename = " +
                                                                   openmpi_value(second_file_of(file)) + "\n";
    return comment_lines(origin_lines(config, network)) +
           "# for $HOME/.openmpi/mca-params.conf, or by OMPI_MCA_mca_base_param_files=THIS_FILE\n"
           "coll_tuned_use_dynamic_rules = 1\n"
           "coll_tuned_dynamic_rules_filename = " +
           openmpi_value(file) + "\n" + han;
}

}  // namespace tuner
