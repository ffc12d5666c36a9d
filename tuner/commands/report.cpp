// SPDX-License-Identifier: MIT
// A run as a page, a summary or a figure.
#include <memory>

#include "commands.hpp"
#include "report.hpp"
#include "simulated_section.hpp"
#include "trace_page.hpp"

namespace tuner::commands {

void define_report(CLI::App& command, Invocation&) {
    struct Options : report::ReportOptions {
        std::vector<std::string> traces;
        std::string network;
        std::string engine = "model";
    };
    const auto o = std::make_shared<Options>();
    o->folder = default_run;
    add_run_option(command, o->folder);
    command.add_option("--against", o->against, "another run to compare with (default: its own networks)");
    command.add_option("--format", o->format, "html, md (a summary), svg or png (one figure)")
        ->capture_default_str();
    command.add_option("--figure", o->figure, "svg, png: name of the figure; without it, figures are listed");
    command.add_option("-o,--output", o->file,
                       "file to write (default: html: report.html of the run, else standard output)");
    command.add_option("--trace", o->traces,
                       "html: add a section on the calls of this trace (see trace); may be repeated");
    command.add_option("--network", o->network,
                       "network that the traces were recorded on, if the run has several");
    command
        .add_option("--engine", o->engine,
                    "html: simgrid adds a section in which the measured calls are also simulated")
        ->check(CLI::IsMember({"model", "simgrid"}))
        ->capture_default_str();
    command.callback([o] {
        if (o->engine == "simgrid") {
            o->others.push_back(simulated_section(o->folder));
        }
        if (!o->traces.empty()) {
            o->others.push_back(trace::report_section(o->traces, o->folder, o->network));
        }
        report::write_report(*o);
    });
}

}  // namespace tuner::commands
