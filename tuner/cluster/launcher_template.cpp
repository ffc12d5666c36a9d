// SPDX-License-Identifier: MIT
#include "launcher_template.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "process.hpp"

namespace tuner {

namespace {

// Part of an argument
struct Word {
    const char* name;
    std::string (*text)(const Placing&);
};
constexpr Word words[] = {
    {"{ranks}", [](const Placing& p) { return p.ranks(); }},
    {"{nodes}", [](const Placing& p) { return std::to_string(p.layout.nodes); }},
    {"{ppn}", [](const Placing& p) { return std::to_string(p.layout.ppn); }},
    {"{hosts}", [](const Placing& p) { return fmt::format("{}", fmt::join(p.hosts, ",")); }},
    {"{host_slots}", [](const Placing& p) { return joined_hosts(p); }},
};
// Arguments of their own, for any number of arguments
constexpr const char* program_list = "{program}";
constexpr const char* network_list = "{network}";
constexpr const char* environment_list = "{environment}";
constexpr const char* variable_name = "{name}";  // only in environment_arguments

std::vector<std::string> names_of_words() {
    std::vector<std::string> names;
    for (const Word& word : words) {
        names.emplace_back(word.name);
    }
    return names;
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
        text.replace(at, what.size(), by);
    }
}

// {word} in an argument: letters and underscores in braces. Other braces are for the launcher.
std::vector<std::string> placeholders_in(const std::string& text) {
    std::vector<std::string> found;
    for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open + 1)) {
        const std::size_t close = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", open + 1);
        if (close != std::string::npos && close > open + 1 && text[close] == '}') {
            found.push_back(text.substr(open, close - open + 1));
        }
    }
    return found;
}

bool contains(const Arguments& arguments, const std::string& placeholder) {
    return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& argument) {
        return argument.find(placeholder) != std::string::npos;
    });
}

Arguments checked_list(const CheckedJson& list, const std::vector<std::string>& in_text,
                       const std::vector<std::string>& alone) {
    std::vector<std::string> known = in_text;
    known.insert(known.end(), alone.begin(), alone.end());
    Arguments arguments;
    for (const CheckedJson& row : list.list()) {
        const std::string text = row.text();
        for (const std::string& placeholder : placeholders_in(text)) {
            const auto is_in = [&](const auto& names) {
                return std::find(names.begin(), names.end(), placeholder) != names.end();
            };
            if (!is_in(known)) {
                row.fail("'" + placeholder + "' is not a placeholder; " + suggestion(placeholder, known));
            }
            if (is_in(alone) && text != placeholder) {
                row.fail("'" + placeholder +
                         "' stands for several arguments; write it as an argument of its own");
            }
        }
        arguments.push_back(text);
    }
    return arguments;
}

Arguments launching_arguments(const CheckedJson& list) {
    Arguments arguments =
        checked_list(list, names_of_words(), {program_list, network_list, environment_list});
    if (std::count(arguments.begin(), arguments.end(), program_list) != 1) {
        list.fail("\"{program}\" must appear exactly once, where the program and its arguments belong");
    }
    if (!contains(arguments, "{hosts}") && !contains(arguments, "{host_slots}")) {
        list.fail("no argument says where to start ranks; use {hosts} (a,b) or {host_slots} (a:2,b:2)");
    }
    if (!contains(arguments, "{ranks}") && !contains(arguments, "{ppn}") &&
        !contains(arguments, "{host_slots}")) {
        list.fail("no argument says how many ranks to start; use {ranks}, {ppn} or {host_slots}");
    }
    return arguments;
}

const Arguments& arguments_for(const LauncherTemplate& launcher, const Layout& layout) {
    return layout.mapping == Mapping::block ? launcher.arguments : launcher.round_robin_arguments;
}

}  // namespace

LauncherTemplate template_from(const CheckedJson& launcher) {
    LauncherTemplate found;
    found.arguments = launching_arguments(launcher.at("arguments"));
    if (launcher.has("round_robin_arguments")) {
        found.round_robin_arguments = launching_arguments(launcher.at("round_robin_arguments"));
    }
    if (launcher.has("environment_arguments")) {
        const CheckedJson list = launcher.at("environment_arguments");
        found.environment_arguments = checked_list(list, {variable_name}, {});
        if (!contains(found.environment_arguments, variable_name)) {
            list.fail(
                "\"{name}\" is missing, for the name of a variable; write for example [\"-x\", \"{name}\"]");
        }
    }
    if (contains(found.arguments, environment_list) == found.environment_arguments.empty()) {
        launcher.fail(
            "\"{environment}\" among the arguments and the key \"environment_arguments\" need each other: "
            "where "
            "to name variables, and how; a launcher that passes all of them on needs none of the two");
    }
    return found;
}

void check_template(const CheckedJson& json, const Cluster& cluster) {
    const LauncherTemplate& launcher = cluster.launcher_template;
    for (std::size_t i = 0; i < cluster.networks.size(); ++i) {
        const bool has_place = contains(launcher.arguments, network_list) &&
                               (launcher.round_robin_arguments.empty() ||
                                contains(launcher.round_robin_arguments, network_list));
        if (!cluster.networks[i].launcher_arguments.empty() && !has_place) {
            json.at("launcher")
                .fail("the network " + cluster.networks[i].name +
                      " has launcher_arguments; say where they belong, with \"{network}\"");
        }
    }
}

std::string template_problem(const LauncherTemplate& launcher, const Layout& layout) {
    const Arguments& arguments = arguments_for(launcher, layout);
    if (arguments.empty()) {
        return "the layout " + to_string(layout) +
               " needs the key \"round_robin_arguments\": how to deal ranks out";
    }
    // what has only the ranks on each node starts as many on the last one
    if (!layout.is_even() && !contains(arguments, "{ranks}") && !contains(arguments, "{host_slots}")) {
        return fmt::format(
            "the layout {} has fewer ranks on its last node; use {{host_slots}} (a:2,b:1) or {{ranks}} among "
            "the arguments",
            to_string(layout));
    }
    return "";
}

Arguments filled_template(const LauncherTemplate& launcher, const Placing& placing,
                          const Arguments& program) {
    Arguments variables;
    const auto export_variable = [&](const std::string& name) {
        for (std::string argument : launcher.environment_arguments) {
            replace_all(argument, variable_name, name);
            variables.push_back(argument);
        }
    };
    for (const auto& [name, value] : placing.network.environment) {
        export_variable(name);
    }
    export_variable(token_variable);

    Arguments filled;
    const auto add = [&](const Arguments& more) { filled.insert(filled.end(), more.begin(), more.end()); };
    for (std::string argument : arguments_for(launcher, placing.layout)) {
        if (argument == program_list) {
            add(program);
        } else if (argument == network_list) {
            add(placing.network.launcher_arguments);
        } else if (argument == environment_list) {
            add(variables);
        } else {
            for (const Word& word : words) {
                replace_all(argument, word.name, word.text(placing));
            }
            filled.push_back(argument);
        }
    }
    return filled;
}

}  // namespace tuner
