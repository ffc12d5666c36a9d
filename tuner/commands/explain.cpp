// SPDX-License-Identifier: MIT
// Which algorithm a call uses, by which rule, and why; where there is none, what would measure it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "advice.hpp"
#include "commands.hpp"
#include "error.hpp"
#include "output.hpp"
#include "rules_at.hpp"
#include "units.hpp"

namespace tuner::commands {

namespace {

struct ExplainOptions {
    std::vector<std::string> words;  // a file and a collective; with --run, only the collective
    std::string folder;              // empty: there is a file
    ExplainedCall question;
    std::string layout;
    int nodes = 0;
    int ppn = 0;
    int ranks = 0;  // 0: as many as fit
    std::string bytes;
    bool json = false;
};

// The collective is behind the file
void take_words(ExplainOptions& o, std::string& file) {
    if (o.words.size() == 2 && !o.folder.empty()) {
        throw usage_error(fmt::format("explain reads {}, or the run in {}, not both; omit one of them",
                                      o.words.front(), o.folder));
    }
    const bool has_file = o.words.size() == 2 || (o.words.size() == 1 && o.words[0].ends_with(".json"));
    if (has_file) {
        file = o.words.front();
    }
    if (o.words.size() == (has_file ? 1U : 0U)) {
        throw usage_error(fmt::format("name a collective: {}", fmt::join(names_of_collectives(), ", ")));
    }
    o.question.collective = o.words.back();
    if (!has_file && o.folder.empty()) {
        o.folder = default_run;
    }
}

// `ranks` are at most one node's fewer than fit; 0: all of them
Layout with_ranks(const Layout& full, int ranks) {
    Json json = Json::object();
    add_layout(json, full);
    if (ranks != 0) {
        json["ranks"] = ranks;
    }
    return layout_from(CheckedJson(json, "the options --nodes, --ppn and --ranks"));
}

Layout asked_layout(const ExplainOptions& o, const Config& config) {
    if (!o.layout.empty()) {
        return parse_layout(o.layout);
    }
    if (o.nodes != 0 && o.ppn != 0) {
        return with_ranks({o.nodes, o.ppn}, o.ranks);
    }
    std::vector<std::string> names;
    for (const std::string& network : networks_of(config)) {
        for (const Layout& layout : layouts_of(config, network)) {
            if (std::find(names.begin(), names.end(), to_string(layout)) == names.end()) {
                names.push_back(to_string(layout));
            }
        }
    }
    throw usage_error(
        fmt::format("name a layout: --layout NODESxRANKS, such as 4x2 for 4 nodes with 2 ranks on "
                    "each; rules name {}",
                    names.empty() ? "no single layout" : fmt::format("{}", fmt::join(names, ", "))));
}

void explain_call(ExplainOptions o) {
    std::string file;
    take_words(o, file);
    if (!o.folder.empty()) {
        require_decided(RunFiles(o.folder));
        file = RunFiles(o.folder).config();
    }
    const Config config = read_config(file);
    o.question.bytes = parse_bytes(o.bytes);
    o.question.layout = asked_layout(o, config);
    const std::optional<SavedRun> run = o.folder.empty() ? std::nullopt : std::optional<SavedRun>(o.folder);
    Json list = Json::array();
    for (const Explanation& explanation : explain_all(config, o.question)) {
        const std::optional<Advice> advice = advice_for(explanation, run ? &*run : nullptr);
        list.push_back(to_json(explanation));
        list.back()["no_rule"] = to_json(advice);
        if (!o.json) {
            print_data("{}{}\n", to_text(explanation), advice ? to_text(*advice) : "");
        }
    }
    if (o.json) {
        print_data("{}\n", (list.size() == 1 ? list.front() : list).dump(2));
    }
}

}  // namespace

void define_explain(CLI::App& command, Invocation&) {
    const auto o = std::make_shared<ExplainOptions>();
    command
        .add_option("words", o->words,
                    "[config.json] COLLECTIVE, such as bcast; with --run only the collective")
        ->type_name("")
        ->expected(0, 2);
    command.add_option("--run", o->folder,
                       fmt::format("run directory, in place of config.json (default: {})", default_run));
    CLI::Option* layout = command.add_option(
        "--layout", o->layout, "nodes x ranks per node, such as 4x2, 4x2-1 (7 ranks) or 4x2:round-robin");
    command.add_option("--nodes", o->nodes, "number of nodes, in place of --layout")->excludes(layout);
    command.add_option("--ppn", o->ppn, "processes per node, in place of --layout")->excludes(layout);
    command.add_option("--ranks", o->ranks, "number of ranks, if the last node has fewer than --ppn")
        ->excludes(layout);
    command.add_option("--bytes", o->bytes, "message size, such as 64Ki")->required();
    command.add_option("--network", o->question.network, "one of several networks (default: each)");
    command.add_flag("--json", o->json, "print JSON");
    command.footer(
        "Where no rule covers the call, it prints why, and with --run the change of the cluster file or the "
        "command\nthat would measure it.");
    command.callback([o] { explain_call(*o); });
}

}  // namespace tuner::commands
