// SPDX-License-Identifier: MIT
// What is wrong or missing in a configuration or a tuning file.
#include <memory>

#include "commands.hpp"
#include "lint.hpp"
#include "output.hpp"

namespace tuner::commands {

void define_lint(CLI::App& command, Invocation& invocation) {
    const auto file = std::make_shared<std::string>();
    command.add_option("file", *file, "config.json of a run, or a tuning file")->required();
    command.callback([file, &invocation] {
        const std::vector<Finding> findings = lint_file(*file);
        for (const Finding& finding : findings) {
            print_data("{}\n", to_text(finding));
        }
        print_data("{} finding{}\n", findings.size(), findings.size() == 1 ? "" : "s");
        invocation.exit_code = exit_code(findings);
    });
}

}  // namespace tuner::commands
