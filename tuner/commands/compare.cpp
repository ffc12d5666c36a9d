// SPDX-License-Identifier: MIT
// Two runs, or two networks of a run, side by side.
#include <memory>

#include "commands.hpp"
#include "compare.hpp"
#include "output.hpp"

namespace tuner::commands {

void define_compare(CLI::App& command, Invocation&) {
    struct Options : CompareOptions {
        std::string format = "text";
    };
    const auto o = std::make_shared<Options>();
    command.add_option("a", o->a, "a run directory; with --run, a network of that run");
    command.add_option("b", o->b, "the other one");
    command.add_option("--run", o->run, "run directory whose networks are compared");
    command
        .add_option("--network", o->networks,
                    "networks of the two runs: one name for both, or two (default: those with the same name)")
        ->delimiter(',');
    command.add_option("--margin", o->margin, "ignore differences below this fraction")
        ->capture_default_str();
    add_format_option(command, o->format);
    command.callback([o] {
        const Comparisons comparisons = compare(*o);
        print_data("{}", o->format == "json" ? to_json(comparisons).dump(1) + "\n" : to_text(comparisons));
    });
}

}  // namespace tuner::commands
