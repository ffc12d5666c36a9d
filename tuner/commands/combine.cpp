// SPDX-License-Identifier: MIT
// Several runs of one plan as one: medians with the spread between runs.
#include <memory>

#include "combine.hpp"
#include "commands.hpp"
#include "output.hpp"

namespace tuner::commands {

void define_combine(CLI::App& command, Invocation& invocation) {
    struct Options {
        std::vector<std::string> runs;
        std::string folder;
        std::string format = "text";
    };
    const auto o = std::make_shared<Options>();
    command.add_option("runs", o->runs, "run directories, with the same plan")->required();
    command.add_option("-o,--output", o->folder,
                       "also write a run directory, whose samples are the medians of the runs");
    add_format_option(command, o->format);
    command.callback([o, &invocation] {
        const Combination combination = combine_runs(o->runs);
        if (!o->folder.empty()) {
            write_run(combination, o->folder, invocation.command_line);
        }
        print_data("{}", o->format == "json" ? to_json(combination).dump(1) + "\n" : to_text(combination));
    });
}

}  // namespace tuner::commands
