// SPDX-License-Identifier: MIT
#include "verify.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "decide.hpp"
#include "units.hpp"

namespace tuner {

namespace {

constexpr int rounds_at_most = 3;  // of narrowing and measuring again

std::size_t rounded(double bytes) {
    return std::max(size_granule, static_cast<std::size_t>(bytes) / size_granule * size_granule);
}

Proof proof_of(const CellKey& cell, std::size_t bytes, const std::string& algorithm,
               const std::vector<CaseRecord>& records) {
    const auto samples_of = [&](const std::string& name) -> std::span<const double> {
        const auto found = std::find_if(records.begin(), records.end(),
                                        [&](const CaseRecord& r) { return r.algorithm == name; });
        return found == records.end() ? std::span<const double>{} : std::span(found->samples_seconds);
    };
    std::span<const double> before = samples_of(default_algorithm);
    std::span<const double> after = samples_of(algorithm);
    const std::size_t pairs = std::min(before.size(), after.size());
    before = before.first(pairs);
    after = after.first(pairs);
    Proof proof{cell, bytes, algorithm, {0, {0, 0}}, 1, 1};
    if (pairs < 6) {
        return proof;  // too few for any statement
    }
    proof.ratio = models::median_ratio_of_pairs(before, after);
    std::vector<double> differences(pairs);
    std::transform(before.begin(), before.end(), after.begin(), differences.begin(),
                   [](double x, double y) { return std::log(x / y); });
    const models::SignedRank test = models::signed_rank_test(differences);
    proof.p_slower = test.p_less;
    proof.p_faster = test.p_greater;
    return proof;
}

void set_verified_gain(Rule& rule, std::span<const Proof> proofs) {
    double sum = 0;
    double low = 0;
    double high = 0;
    for (const Proof& proof : proofs) {
        sum += std::log(proof.ratio.ratio);
        low += std::log(proof.ratio.interval.low);
        high += std::log(proof.ratio.interval.high);
    }
    const auto n = static_cast<double>(proofs.size());
    rule.verified_gain = std::expm1(sum / n);
    rule.verified_interval = {std::expm1(low / n), std::expm1(high / n)};
}

}  // namespace

std::string name_of(const Rule& rule) {
    return fmt::format("{} {} {}: {} from {} to {}", rule.network, to_string(rule.layout), rule.collective,
                       rule.algorithm, bytes_text(rule.from_bytes), bytes_text(rule.to_bytes));
}

std::vector<Proof> prove(const Rule& rule, const std::vector<std::size_t>& sizes,
                         const MeasurePairs& measure) {
    const CellKey cell = cell_of(rule);
    std::vector<Proof> proofs;
    for (const std::size_t bytes : sizes) {
        proofs.push_back(
            proof_of(cell, bytes, rule.algorithm, measure(cell, bytes, {default_algorithm, rule.algorithm})));
    }
    std::erase_if(proofs, [](const Proof& proof) { return proof.ratio.ratio <= 0; });
    return proofs;
}

std::vector<std::size_t> sizes_to_verify(const Rule& rule, const Cell& cell, std::size_t count) {
    const double from = std::log(static_cast<double>(std::max(rule.from_bytes, size_granule)));
    const double to = std::log(static_cast<double>(rule.to_bytes));
    std::vector<std::size_t> sizes;
    // more places than asked for, since some coincide with measured sizes
    for (const double share : {0.07, 0.93, 0.5, 0.27, 0.73, 0.17, 0.83, 0.38, 0.62}) {
        const std::size_t bytes = rounded(std::exp(from + share * (to - from)));
        const bool is_inside = bytes >= rule.from_bytes && bytes <= rule.to_bytes;
        if (is_inside && !cell.times.contains(bytes) &&
            std::find(sizes.begin(), sizes.end(), bytes) == sizes.end() && sizes.size() < count) {
            sizes.push_back(bytes);
        }
    }
    std::sort(sizes.begin(), sizes.end());
    return sizes;
}

std::vector<Rule> judge(const Rule& rule, std::span<const Proof> proofs, std::vector<std::string>& notes) {
    std::vector<double> slower;
    std::vector<double> faster;
    for (const Proof& proof : proofs) {
        slower.push_back(proof.p_slower);
        faster.push_back(proof.p_faster);
    }
    slower = models::holm_adjusted(slower);
    faster = models::holm_adjusted(faster);
    // Parts between sizes that lose; of each, from its first to its last win.
    struct Part {
        std::size_t first;
        std::size_t last;  // proofs that win
        int wins;
    };
    std::vector<Part> parts = {{0, 0, 0}};
    bool loses = false;
    for (std::size_t i = 0; i < proofs.size(); ++i) {
        if (slower[i] < error_rate) {
            loses = true;
            parts.push_back({0, 0, 0});
        } else if (faster[i] < error_rate) {
            Part& part = parts.back();
            part.first = part.wins == 0 ? i : part.first;
            part.last = i;
            ++part.wins;
        }
    }
    const Part& best = *std::max_element(parts.begin(), parts.end(),
                                         [](const Part& x, const Part& y) { return x.wins < y.wins; });
    if (best.wins == 0) {
        notes.push_back(name_of(rule) + (loses ? " was dropped: slower than the default when verified"
                                               : " was dropped: no gain beyond noise when verified"));
        return {};
    }
    // An end that was not proven goes half way back to the size that did not win.
    const auto middle = [&](std::size_t i) {
        return static_cast<std::size_t>(
            std::sqrt(static_cast<double>(proofs[i].bytes) * static_cast<double>(proofs[i + 1].bytes)));
    };
    Rule kept = rule;
    if (best.first > 0) {
        kept.from_bytes = middle(best.first - 1) + 1;
    }
    if (best.last + 1 < proofs.size()) {
        kept.to_bytes = middle(best.last);
    }
    if (kept.from_bytes != rule.from_bytes || kept.to_bytes != rule.to_bytes) {
        notes.push_back(name_of(rule) + " was narrowed to " + bytes_text(kept.from_bytes) + " to " +
                        bytes_text(kept.to_bytes) + ": no gain beyond noise outside when verified");
    }
    return {kept};
}

Verification verify(const Config& config, const Cells& cells, const Plan& plan, const MeasurePairs& measure) {
    Verification result;
    for (const Rule& decided : config.rules) {
        const CellKey cell = cell_of(decided);
        std::vector<Rule> open = {decided};
        for (int round = 0; round < rounds_at_most && !open.empty(); ++round) {
            const Rule rule = open.front();
            const std::vector<Proof> proofs = prove(
                rule, sizes_to_verify(rule, cells.at(cell), static_cast<std::size_t>(plan.verify_sizes)),
                measure);
            if (proofs.empty()) {
                result.notes.push_back(name_of(rule) +
                                       " was dropped: no size between the measured ones could be verified");
                open.clear();
                break;
            }
            open = judge(rule, proofs, result.notes);
            const bool is_unchanged = !open.empty() && open.front().from_bytes == rule.from_bytes &&
                                      open.front().to_bytes == rule.to_bytes;
            result.proofs.insert(result.proofs.end(), proofs.begin(), proofs.end());
            if (is_unchanged) {
                set_verified_gain(open.front(), proofs);
                result.rules.push_back(open.front());
                open.clear();
            }
        }
        if (!open.empty()) {
            result.notes.push_back(name_of(open.front()) +
                                   " was dropped: still slower than the default at some size after " +
                                   std::to_string(rounds_at_most) + " verifications");
        }
    }
    return result;
}

}  // namespace tuner
