// SPDX-License-Identifier: MIT
// The rules of a run in a format that an MPI library, a shell or a module system reads.
#include <fmt/core.h>

#include <algorithm>
#include <memory>

#include "command_lines.hpp"
#include "commands.hpp"
#include "config_to_emit.hpp"
#include "emit.hpp"
#include "error.hpp"
#include "files.hpp"
#include "output.hpp"
#include "saved_run.hpp"
#include "stock_target.hpp"
#include "try_file.hpp"

namespace tuner::commands {

namespace {

std::string list_of_formats() {
    std::string list = "one of:";
    for (const EmitFormat& format : emit_formats()) {
        list += fmt::format("\n  {}: {}", format.name, format.purpose);
    }
    return list;
}

bool has_rules_for(const Config& config, const EmitOptions& options) {
    return std::any_of(config.rules.begin(), config.rules.end(), [&](const Rule& rule) {
        return (options.network.empty() || rule.network == options.network) &&
               rule.where.holds(*options.layout);
    });
}

// Only the library that was measured is at hand
void require_same_release(const std::string& target, const Config& config) {
    const char* measured = stock_target_of(config.library).name;
    if (!target.empty() && find_stock_target(target).name != measured) {
        throw usage_error(
            fmt::format("--try starts the library that was measured, MPICH {}; leave it out for --target {}",
                        measured, target));
    }
}

struct EmitCommand {
    std::string folder = default_run;
    std::string format = "env";
    std::string file;
    std::string layout;
    EmitOptions emit;
    bool accept_edited = false;
    bool is_tried = false;
};

// Rules that another component of the library would hide
void tell_of_second_file(const Config& config, const EmitCommand& options) {
    const std::string format = second_format_of(config);
    const bool crosses_nodes = std::any_of(config.rules.begin(), config.rules.end(), [](const Rule& rule) {
        return !rule.where.single() || rule.where.single()->nodes > 1;
    });
    if (format.empty() || options.format != rules_format_of(config) || !crosses_nodes) {
        return;
    }
    std::vector<std::string> words = {"emit", "--run", options.folder, "--format", format};
    if (!options.emit.network.empty()) {
        words.insert(words.end(), {"--network", options.emit.network});
    }
    if (!options.layout.empty()) {
        words.insert(words.end(), {"--layout", options.layout});
    }
    if (options.emit.assume_commutative) {
        words.emplace_back("--assume-commutative");
    }
    if (options.accept_edited) {
        words.emplace_back("--accept-edited");
    }
    if (!options.file.empty()) {
        words.insert(words.end(), {"-o", second_file_of(options.file)});
    }
    print_note(
        "Warning: since Open MPI 5.0, coll/han takes calls across nodes before these rules; "
        "it needs a second file:\n  {}\n",
        changeover_command(words));
}

void emit(EmitCommand options) {
    if (!options.layout.empty()) {
        options.emit.layout = parse_layout(options.layout);
    }
    const RunFiles files(options.folder);
    require_decided(files);
    const ConfigToEmit checked = read_config_to_emit(files.config(), options.accept_edited);
    for (const std::string& warning : checked.warnings) {
        print_note("Warning: {}\n", warning);
    }
    if (options.emit.layout && !checked.config.rules.empty() &&
        !has_rules_for(checked.config, options.emit)) {
        print_note("Warning: there are no rules for the layout {}: the library's own choices stand there\n",
                   to_string(*options.emit.layout));
    }
    std::vector<std::string> left_out;
    options.emit.left_out = &left_out;
    const std::string text = find_format(options.format).emit(checked.config, options.emit);
    for (const std::string& note : left_out) {
        print_note("Warning: {}\n", note);
    }
    if (options.is_tried) {
        require_same_release(options.emit.target, checked.config);
        try_file(SavedRun(options.folder), options.format, text);
    }
    write_output(options.file, text);
    tell_of_second_file(checked.config, options);
}

}  // namespace

void define_emit(CLI::App& command, Invocation&) {
    const auto o = std::make_shared<EmitCommand>();
    add_run_option(command, o->folder);
    command.add_option("--format", o->format, list_of_formats())->capture_default_str();
    command.add_option("-o,--output", o->file, "file to write (default: standard output)");
    command.add_option("--network", o->emit.network, "network of the rules, if there are several");
    command.add_option("--layout", o->layout, "nodes x ranks per node, such as 4x2, if there are several");
    CLI::Option* rules_file = command.add_option(
        "--stock-file,--rules-file", o->emit.rules_file,
        "module: the file that mpich-stock wrote; openmpi-params: the file that openmpi wrote");
    command.add_option("--tuning-file", o->emit.tuning_file, "module: the file that mpich wrote")
        ->excludes(rules_file);
    command.add_option(
        "--target", o->emit.target,
        "mpich-stock: the release of MPICH that reads the file, 4.0 to 5.0 (default: the one that was "
        "measured)");
    command.add_flag("--assume-commutative", o->emit.assume_commutative,
                     "openmpi: assume that all reduction operations of all programs commute");
    command.add_flag("--accept-edited", o->accept_edited,
                     "emit rules that were edited by hand, which the checksum shows; they are not verified");
    command.add_flag(
        "--try", o->is_tried,
        "mpich-stock, openmpi, openmpi-json: let a job of two ranks read the file first, with the "
        "library that was measured, and write the file only if the job works");
    command.callback([o] { emit(*o); });
}

}  // namespace tuner::commands
