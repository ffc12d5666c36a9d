// SPDX-License-Identifier: MIT
#include "keep_reproducible.hpp"

#include <fmt/format.h>

#include <map>

#include "schedule.hpp"

namespace tuner {

namespace {

using models::Reproducible;

constexpr const char* unknown = "which bits its results have is not known";
constexpr const char* of_parts = "its results depend on the rules for the collectives that it is made of";

struct OfCollective {
    std::string collective;
    std::string algorithm;
    auto operator<=>(const OfCollective&) const = default;
};

// Those of a cell that change too much at any size, and why
std::map<std::string, std::string> refused_in(const std::string& collective, const Cell& cell,
                                              Reproducible wanted) {
    std::map<std::string, std::string> refused;
    for (const auto& [bytes, times] : cell.times) {
        const auto own = times.find(default_algorithm);
        const models::ResultBits of_default = own == times.end() ? models::ResultBits() : own->second.bits;
        for (const auto& [algorithm, time] : times) {
            if (wanted == Reproducible::same_as_default && models::is_composition(collective, algorithm)) {
                refused[algorithm] = of_parts;
            } else if (bytes > 0 && algorithm != default_algorithm &&
                       !models::keeps(wanted, time.bits, of_default)) {
                const bool is_known = !time.bits.bits.empty() && !of_default.bits.empty();
                refused[algorithm] = !is_known ? unknown
                                     : time.bits.ranks_agree
                                         ? "its results have other bits than the default's"
                                         : "its ranks have different bits";
            }
        }
    }
    return refused;
}

void make_missing(Cell& cell, const std::string& algorithm, const std::string& reason) {
    for (auto& [bytes, times] : cell.times) {
        if (times.erase(algorithm) != 0) {
            cell.missing[bytes][algorithm] = reason;
        }
    }
}

}  // namespace

void keep_reproducible(Cells& cells, Reproducible wanted, std::vector<std::string>& notes) {
    if (wanted == Reproducible::any) {
        return;
    }
    std::map<OfCollective, std::string> refused;
    for (auto& [key, cell] : cells) {
        if (!key.operation.empty()) {
            for (const auto& [algorithm, reason] : refused_in(key.collective, cell, wanted)) {
                make_missing(cell, algorithm, reason);
                refused.emplace(OfCollective{key.collective, algorithm}, reason);
            }
        }
    }
    for (const auto& [of, reason] : refused) {
        notes.push_back(fmt::format("{} {} is left out (reproducible: {}): {}", of.collective, of.algorithm,
                                    models::to_string(wanted), reason));
    }
    // Whose ranks may differ on one layout cannot be trusted on others
    for (auto& [key, cell] : cells) {
        for (const auto& [of, reason] : refused) {
            if (wanted == Reproducible::ranks_agree && of.collective == key.collective &&
                !key.operation.empty()) {
                make_missing(cell, of.algorithm, reason);
            }
        }
    }
}

void drop_unknown_bits(std::vector<Rule>& rules, Reproducible wanted) {
    if (wanted == Reproducible::same_as_default) {
        std::erase_if(rules,
                      [](const Rule& rule) { return !rule.operation.empty() && rule.basis != "measured"; });
    }
}

}  // namespace tuner
