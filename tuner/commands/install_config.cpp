// SPDX-License-Identifier: MIT
// The verified rules of a run become the file that all jobs read without a variable; or the file before it
// does again.
#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "commands.hpp"
#include "config_to_emit.hpp"
#include "emit.hpp"
#include "error.hpp"
#include "installed_file.hpp"
#include "machine.hpp"
#include "mpi_library.hpp"
#include "output.hpp"
#include "saved_run.hpp"

namespace tuner::commands {

namespace {

std::string text_to_install(const std::string& folder) {
    const RunFiles files(folder);
    require_decided(files);
    const std::string file = files.config();
    const Config config = read_config_to_emit(file, false).config;
    if (!config.verified) {
        throw usage_error(fmt::format("the rules in {} are not verified; try: changeover verify --run {}",
                                      file, shell_quoted(folder)));
    }
    if (!reads_tuning_files(config.library)) {
        throw usage_error(
            fmt::format("the run measured {}, which reads no tuning file; try: changeover emit --run "
                        "{} --format {}",
                        library_of(config).name, shell_quoted(folder), rules_format_of(config)));
    }
    return emit_mpich(config, {});
}

void print_status(const InstalledFile& file, const std::string& prefix) {
    const Json machine = environment_of_this_machine();
    print_data("{}", file.status(machine));
    if (!prefix.empty()) {
        print_data("Jobs of the MPICH in {} read it, unless MPIR_CVAR_COLL_TUNING_FILE is set\n", prefix);
    } else {
        print_data(
            "Jobs read it unless there is a file in the prefix of their MPICH, or "
            "MPIR_CVAR_COLL_TUNING_FILE is set\n");
    }
    if (const char* own = std::getenv("MPIR_CVAR_COLL_TUNING_FILE"); own != nullptr && *own != '\0') {
        print_data("Note: it is set here: {}\n", own);
    }
}

}  // namespace

void define_install_config(CLI::App& command, Invocation&) {
    struct Options {
        std::string folder = default_run;
        std::string prefix;
        bool rolls_back = false;
        bool prints_status = false;
    };
    const auto o = std::make_shared<Options>();
    add_run_option(command, o->folder);
    command.add_option(
        "--prefix", o->prefix,
        "of the patched MPICH whose jobs are to read the file (default: all jobs of this machine, "
        "by /etc/changeover)");
    CLI::Option* rollback =
        command.add_flag("--rollback", o->rolls_back, "install the file before the current one again");
    command
        .add_flag("--status", o->prints_status,
                  "print what is installed, since when, from which run and machine")
        ->excludes(rollback);
    command.callback([o] {
        const InstalledFile file(o->prefix.empty() ? "/" : o->prefix);
        if (o->rolls_back) {
            file.roll_back();
            print_note("{} is the one before again\n", file.path().string());
        } else if (!o->prints_status) {
            const bool is_new = file.install(text_to_install(o->folder));
            print_note("{} {}\n", file.path().string(),
                       is_new ? "now has the rules of " + o->folder : "has these rules already");
        }
        print_status(file, o->prefix);
    });
}

}  // namespace tuner::commands
