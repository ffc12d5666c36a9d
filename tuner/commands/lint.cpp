// SPDX-License-Identifier: MIT
// What is wrong or missing in a configuration or a tuning file.
#include <fmt/core.h>

#include <memory>

#include "commands.hpp"
#include "lint.hpp"

namespace tuner::commands {

void define_lint(CLI::App& command, Invocation& invocation) {
    const auto file = std::make_shared<std::string>();
    command.add_option("file", *file, "config.json of a run, or a tuning file")->required();
    command.callback([file, &invocation] {
        const std::vector<Finding> findings = lint_file(*file);
        for (const Finding& finding : findings) {
            fmt::print("{}\n", to_text(finding));
        }
        fmt::print("{} finding{}\n", findings.size(), findings.size() == 1 ? "" : "s");
        invocation.exit_code = exit_code(findings);
    });
}

}  // namespace tuner::commands
