// SPDX-License-Identifier: MIT
// How the samples of each case are distributed.
#include <memory>

#include "commands.hpp"
#include "distributions.hpp"
#include "output.hpp"

namespace tuner::commands {

void define_distributions(CLI::App& command, Invocation&) {
    struct Options : DistributionOptions {
        std::string format = "text";
    };
    const auto o = std::make_shared<Options>();
    o->folder = default_run;
    add_run_option(command, o->folder);
    command.add_option("--case", o->wanted, "only cases whose name contains this text, such as ping_pong");
    command.add_option("--factor", o->outlier_factor, "outliers are above this multiple of the median")
        ->capture_default_str();
    add_format_option(command, o->format);
    command.footer("The JSON output also has the histograms.");
    command.callback([o] {
        const auto distributions = distributions_of(*o);
        print_data("{}", o->format == "json" ? to_json(distributions, o->outlier_factor).dump(1) + "\n"
                                             : to_text(distributions, o->outlier_factor));
    });
}

}  // namespace tuner::commands
