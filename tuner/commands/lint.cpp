// SPDX-License-Identifier: MIT
// What is wrong or missing in a configuration, a tuning file or a selection file.
#include <memory>

#include "commands.hpp"
#include "lint.hpp"
#include "output.hpp"

namespace tuner::commands {

void define_lint(CLI::App& command, Invocation& invocation) {
    const auto file = std::make_shared<std::string>();
    const auto target = std::make_shared<std::string>();
    command
        .add_option("file", *file,
                    "config.json of a run, a tuning file, or a selection file of MPICH, of any layer")
        ->required();
    command.add_option("--target", *target,
                       "release of MPICH that reads the selection file, 4.0 to 5.0 (default: 4.0)");
    command.callback([file, target, &invocation] {
        const std::vector<Finding> findings = lint_file(*file, *target);
        for (const Finding& finding : findings) {
            print_data("{}\n", to_text(finding));
        }
        print_data("{} finding{}\n", findings.size(), findings.size() == 1 ? "" : "s");
        invocation.exit_code = exit_code(findings);
    });
}

}  // namespace tuner::commands
