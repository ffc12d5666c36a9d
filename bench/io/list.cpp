// SPDX-License-Identifier: MIT
#include "list.hpp"

#include <fmt/format.h>

#include "output_text.hpp"

namespace bench {

std::string list_text(const Pattern& pattern, Library& library) {
    const std::vector<std::string> algorithms = library.algorithms(pattern);
    std::string text =
        fmt::format("{}\n  message size: {}\n  algorithms: {}{}\n", pattern.name, size_definition(pattern),
                    pattern.is_exchange() ? "" : "default, ", fmt::join(algorithms, ", "));
    for (const ParameterSpec& spec : pattern.parameters) {
        text += fmt::format("  parameter {}: {} (default {:g}, at least {:g})\n", spec.name, spec.meaning,
                            spec.value, spec.smallest);
    }
    return text;
}

}  // namespace bench
