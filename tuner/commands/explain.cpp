// SPDX-License-Identifier: MIT
// Which algorithm a call uses, by which rule, and why.
#include <memory>

#include "commands.hpp"
#include "explain.hpp"
#include "output.hpp"
#include "units.hpp"

namespace tuner::commands {

namespace {

// `ranks` are at most one node's fewer than fit; 0: all of them
Layout with_ranks(const Layout& full, int ranks) {
    Json json = Json::object();
    add_layout(json, full);
    if (ranks != 0) {
        json["ranks"] = ranks;
    }
    return layout_from(CheckedJson(json, "the options --nodes, --ppn and --ranks"));
}

}  // namespace

void define_explain(CLI::App& command, Invocation&) {
    struct Options {
        std::string file;
        ExplainedCall question;
        std::string bytes;
        int ranks = 0;  // 0: as many as fit
        bool json = false;
    };
    const auto o = std::make_shared<Options>();
    command.add_option("config", o->file, "config.json of a run")->required();
    command.add_option("collective", o->question.collective, "such as bcast")->required();
    command.add_option("--nodes", o->question.layout.nodes, "number of nodes")->required();
    command.add_option("--ppn", o->question.layout.ppn, "processes per node")->required();
    command.add_option("--ranks", o->ranks, "number of ranks, if the last node has fewer than --ppn");
    command.add_option("--bytes", o->bytes, "message size, such as 64Ki")->required();
    command.add_option("--network", o->question.network, "one of several networks (default: each)");
    command.add_flag("--json", o->json, "print JSON");
    command.callback([o] {
        o->question.bytes = parse_bytes(o->bytes);
        o->question.layout = with_ranks(o->question.layout, o->ranks);
        const Config config = read_config(o->file);
        Json list = Json::array();
        for (const Explanation& explanation : explain_all(config, o->question)) {
            list.push_back(to_json(explanation));
            print_data("{}", o->json ? "" : to_text(explanation) + "\n");
        }
        if (o->json) {
            print_data("{}\n", (list.size() == 1 ? list.front() : list).dump(2));
        }
    });
}

}  // namespace tuner::commands
