// SPDX-License-Identifier: MIT
#include "algorithm_name.hpp"

#include <algorithm>
#include <stdexcept>

namespace models {

AlgorithmName::AlgorithmName(const std::string& text) {
    std::size_t end = text.find(':');
    algorithm = text.substr(0, end);
    while (end != std::string::npos) {
        const std::size_t begin = end + 1;
        end = text.find(':', begin);
        const std::string part = text.substr(begin, end == std::string::npos ? end : end - begin);
        const std::size_t equals = part.find('=');
        if (equals == 0 || equals == std::string::npos || equals + 1 == part.size()) {
            throw std::invalid_argument("'" + part + "' in " + text +
                                        " is not name=value; give it a value, or remove it");
        }
        const std::string name = part.substr(0, equals);
        if (std::any_of(parameters.begin(), parameters.end(),
                        [&](const auto& known) { return known.first == name; })) {
            throw std::invalid_argument("'" + name + "' is listed twice in " + text + "; remove one of them");
        }
        parameters.emplace_back(name, part.substr(equals + 1));
    }
}

}  // namespace models
