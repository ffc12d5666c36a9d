// SPDX-License-Identifier: MIT
#include "audit_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "text_table.hpp"
#include "units.hpp"

namespace tuner {

namespace {

std::string sizes_text(const std::vector<std::size_t>& sizes) {
    std::vector<std::string> texts;
    std::transform(sizes.begin(), sizes.end(), std::back_inserter(texts), bytes_text);
    return fmt::format("{}", fmt::join(texts, " "));
}

std::string when_text(const Violations& violations) {
    const AuditCase& of = violations.worst->of;
    if (!of.is_loaded) {
        return "default";
    }
    const std::string rule = of.rule.empty() ? "" : ": " + of.rule;
    const std::string change = change_text(violations);
    return fmt::format("rules{}{}", rule, change.empty() ? "" : fmt::format(" ({})", change));
}

}  // namespace

std::string left_side_of(const AuditCase& audited) {
    const models::Guideline row = guideline_of(audited);
    return row.is_reversed ? fmt::format("{} {}", audited.cell.collective, models::to_string(row.kind))
                           : audited.cell.collective;
}

std::string change_text(const Violations& violations) {
    return violations.is_new ? "new" : violations.is_outpaced ? "right side is faster" : "";
}

std::vector<Violations> violations_of(const Audit& audit) {
    std::map<std::tuple<bool, CellKey, std::string>, Violations> found;
    for (const AuditResult& result : audit.results) {
        if (result.is_violated) {
            Violations& same = found[{result.of.is_loaded, result.of.cell, result.of.mock_up}];
            same.sizes.push_back(result.of.bytes);
            same.is_new = same.is_new || result.is_new;
            same.is_outpaced = same.is_outpaced || result.is_outpaced;
            if (same.worst == nullptr || result.ratio.ratio > same.worst->ratio.ratio) {
                same.worst = &result;
            }
        }
    }
    std::vector<Violations> list;
    for (const auto& [key, violations] : found) {
        list.push_back(violations);
    }
    std::stable_sort(list.begin(), list.end(), [](const Violations& a, const Violations& b) {
        return std::tuple(!a.is_new, -a.worst->ratio.ratio) < std::tuple(!b.is_new, -b.worst->ratio.ratio);
    });
    return list;
}

AuditCounts count(const Audit& audit, bool is_loaded) {
    AuditCounts counts;
    for (const AuditResult& result : audit.results) {
        if (result.of.is_loaded == is_loaded) {
            ++counts.compared;
            counts.violated += result.is_violated;
        }
    }
    return counts;
}

std::string counts_text(const Audit& audit) {
    const AuditCounts by_default = count(audit, false);
    std::string text = fmt::format("default: {} of {} comparisons violate a guideline\n", by_default.violated,
                                   by_default.compared);
    if (const AuditCounts loaded = count(audit, true); loaded.compared > 0) {
        const auto with = [&](bool AuditResult::*mark) {
            return std::count_if(audit.results.begin(), audit.results.end(),
                                 [&](const AuditResult& result) { return result.*mark; });
        };
        text +=
            fmt::format("with the rules: {} of {}; {} of the default are gone, {} are new", loaded.violated,
                        loaded.compared, with(&AuditResult::is_removed), with(&AuditResult::is_new));
        if (const auto outpaced = with(&AuditResult::is_outpaced); outpaced > 0) {
            text += fmt::format(", {} are calls without a rule that only the faster right side overtook",
                                outpaced);
        }
        text += "\n";
    }
    return text;
}

std::string to_text(const Audit& audit) {
    TextTable table(
        {"network", "layout", "call", "is slower than", "worst", "95%", "at bytes", "all sizes", "jobs"});
    for (const Violations& violations : violations_of(audit)) {
        const AuditResult& worst = *violations.worst;
        const models::Interval& interval = worst.ratio.interval;
        table.add({worst.of.cell.network, to_string(worst.of.cell.layout), left_side_of(worst.of),
                   std::string(guideline_of(worst.of).right_side), fmt::format("{:.2f}", worst.ratio.ratio),
                   fmt::format("{:.2f}-{:.2f}", interval.low, interval.high), bytes_text(worst.of.bytes),
                   sizes_text(violations.sizes), when_text(violations)});
    }
    std::string text = table.has_rows() ? table.text() : "";
    for (const std::string& note : audit.notes) {
        text += "not measured: " + note + "\n";
    }
    return text + counts_text(audit);
}

}  // namespace tuner
