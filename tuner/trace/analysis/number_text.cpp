// SPDX-License-Identifier: MIT
#include "number_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "units.hpp"

namespace tuner::trace {

std::string time_text(double seconds) {
    return std::abs(seconds) < 1e-9 ? "0"
           : seconds < 0            ? "-" + seconds_text(-seconds)
                                    : seconds_text(seconds);
}

std::string percent_text(double share) {
    return fmt::format("{:.0f}%", 100 * share);
}

std::string counted(std::size_t count, const char* what) {
    std::string digits = std::to_string(count);
    for (std::size_t i = digits.size(); i > 3; i -= 3) {
        digits.insert(i - 3, ",");
    }
    return fmt::format("{} {}{}", digits, what, count == 1 ? "" : "s");
}

}  // namespace tuner::trace
