// SPDX-License-Identifier: MIT
#include "verdict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "compare_parts.hpp"
#include "units.hpp"

namespace tuner {

namespace {

constexpr std::size_t most_named = 4;  // exceptions; conditions
constexpr const char* of_messages = "messages";

// What a choice of algorithms is called in a sentence
constexpr std::array choice_texts = {"the library's default", "the best algorithm of each",
                                     "the rules of each"};
constexpr std::size_t choice_of_default = 0;
constexpr std::size_t choice_of_rules = 2;

class Counter {
  public:
    void add(const models::Ratio& ratio, Winner winner) {
        ++tally_.sizes;
        tally_.faster_a += winner == Winner::a;
        tally_.faster_b += winner == Winner::b;
        sum_of_logs_ += std::log(ratio.ratio);
    }
    Tally tally() const {
        Tally tally = tally_;
        tally.ratio = tally.sizes == 0 ? 1 : std::exp(sum_of_logs_ / static_cast<double>(tally.sizes));
        return tally;
    }

  private:
    Tally tally_;
    double sum_of_logs_ = 0;
};

Tally tally_of_choice(const Comparison& comparison, std::size_t choice) {
    Counter counter;
    for (const ComparedCell& cell : comparison.cells) {
        for (const ComparedSize& size : cell.sizes) {
            if (size.choices[choice].ratio) {
                counter.add(*size.choices[choice].ratio, size.choices[choice].winner);
            }
        }
    }
    return counter.tally();
}

Tally tally_of_messages(const Comparison& comparison) {
    Counter counter;
    for (const ComparedExchange& exchange : comparison.exchanges) {
        for (const ComparedExchangeSize& size : exchange.sizes) {
            counter.add(size.ratio, size.winner);
        }
    }
    return counter.tally();
}

// Beyond the margin over all sizes, and significantly so at more sizes than the other one
Winner winner_of(const Tally& tally, double margin) {
    if (tally.faster_a > tally.faster_b && tally.ratio > 1 + margin) {
        return Winner::a;
    }
    return tally.faster_b > tally.faster_a && tally.ratio < 1 / (1 + margin) ? Winner::b : Winner::neither;
}

// Where the one is faster that is not faster over all; if none is, where each of them is
std::vector<std::string> exceptions_of(const Comparison& comparison, std::size_t choice, Winner faster) {
    std::vector<std::string> exceptions;
    for (const ComparedCell& cell : comparison.cells) {
        for (const WonRange& won : cell.won[choice]) {
            if (won.winner != faster) {
                exceptions.push_back(fmt::format("{} is faster for {} {}, by a factor of {:.2f}",
                                                 to_string(won.winner), name_of(cell.key), sizes_of(won),
                                                 std::max(won.ratio, 1 / won.ratio)));
            }
        }
    }
    return exceptions;
}

void explain_by_messages(const Comparison& comparison, std::vector<std::string>& why) {
    for (const Link link : {Link::between_nodes, Link::within_node}) {
        std::vector<const ComparedMessage*> messages;
        for (const ComparedMessage& message : comparison.messages) {
            if (message.link == link) {
                messages.push_back(&message);
            }
        }
        if (messages.empty()) {
            continue;
        }
        const auto [shortest, longest] = std::minmax_element(
            messages.begin(), messages.end(),
            [](const ComparedMessage* x, const ComparedMessage* y) { return x->bytes < y->bytes; });
        const auto text = [](const ComparedMessage& message) {
            const models::Ratio& ratio = message.ratio;
            return fmt::format("of {} bytes takes {:.3g} ({:.3g}-{:.3g}) times as long in B",
                               bytes_text(message.bytes), ratio.ratio, ratio.interval.low,
                               ratio.interval.high);
        };
        why.push_back(fmt::format(
            "a message {}{}{}", link == Link::between_nodes ? "between nodes " : "in a node ",
            text(**shortest), (*shortest)->bytes == (*longest)->bytes ? "" : ", one " + text(**longest)));
    }
}

void explain_by_time_outs(const Comparison& comparison, std::vector<std::string>& why) {
    long a = 0;
    long b = 0;
    for (const ComparedLayout& row : comparison.layouts) {
        a += row.a.time_outs;
        b += row.b.time_outs;
    }
    if (a != b) {
        why.push_back(fmt::format("time-outs of TCP in all jobs, by the kernel: {} in A, {} in B", a, b));
    }
}

void explain_by_conditions(const Comparison& comparison, std::vector<std::string>& why) {
    std::vector<std::string> names;
    for (const Condition& condition : comparison.differing) {
        names.push_back(condition.name);
    }
    if (names.empty()) {
        why.emplace_back("no known condition differs");
        return;
    }
    const std::size_t more = names.size() - std::min(names.size(), most_named);
    names.resize(std::min(names.size(), most_named));
    why.push_back(fmt::format("conditions that differ (below): {}{}", fmt::join(names, ", "),
                              more == 0 ? "" : fmt::format(" and {} more", more)));
}

std::string factor_text(const Tally& tally) {
    return fmt::format("{:.2f}", std::max(tally.ratio, 1 / tally.ratio));
}

std::string sizes_text(const ComparisonVerdict& verdict) {
    return fmt::format("{} size{} of {}", verdict.tally.sizes, verdict.tally.sizes == 1 ? "" : "s",
                       verdict.of == of_messages ? "messages" : "collectives with " + verdict.of);
}

}  // namespace

std::string side_label(const ComparedSide& side, const ComparedSide& other) {
    const std::string name = side.run == other.run ? side.network : side.network + " of " + side.run;
    return side.is_simulated ? name + ", SIMULATED" : name;
}

std::string sizes_of(const WonRange& won) {
    return won.from_bytes == won.to_bytes
               ? fmt::format("at {} bytes", bytes_text(won.from_bytes))
               : fmt::format("from {} to {} bytes", bytes_text(won.from_bytes), bytes_text(won.to_bytes));
}

ComparisonVerdict verdict_of(const Comparison& comparison) {
    ComparisonVerdict verdict;
    std::array<Tally, choice_names.size()> tallies;
    for (std::size_t i = 0; i < tallies.size(); ++i) {
        tallies[i] = tally_of_choice(comparison, i);
    }
    // what jobs have: the rules, if both have some
    const std::size_t choice = tallies[choice_of_rules].sizes > 0 ? choice_of_rules : choice_of_default;
    if (tallies[choice].sizes > 0) {
        verdict.of = choice_texts[choice];
        verdict.tally = tallies[choice];
        for (std::size_t i = 0; i < tallies.size(); ++i) {
            if (i != choice && tallies[i].sizes > 0) {
                verdict.others.emplace_back(choice_texts[i], tallies[i]);
            }
        }
    } else {
        verdict.of = of_messages;
        verdict.tally = tally_of_messages(comparison);
    }
    verdict.faster = winner_of(verdict.tally, comparison.margin);
    if (verdict.of != of_messages) {
        verdict.exceptions = exceptions_of(comparison, choice, verdict.faster);
    }
    explain_by_messages(comparison, verdict.why);
    explain_by_time_outs(comparison, verdict.why);
    explain_by_conditions(comparison, verdict.why);
    return verdict;
}

std::string headline_of(const ComparisonVerdict& verdict, const std::string& a, const std::string& b) {
    const Tally& tally = verdict.tally;
    if (tally.sizes == 0) {
        return fmt::format("{} and {} have no measured size in common.", a, b);
    }
    if (verdict.faster != Winner::neither) {
        const bool is_a = verdict.faster == Winner::a;
        return fmt::format(
            "{} is faster than {}, by a factor of {} (geometric mean of {}): significantly at {}, {} at {}.",
            is_a ? a : b, is_a ? b : a, factor_text(tally), sizes_text(verdict),
            is_a ? tally.faster_a : tally.faster_b, is_a ? b : a, is_a ? tally.faster_b : tally.faster_a);
    }
    if (tally.faster_a + tally.faster_b == 0) {
        return fmt::format("No significant difference between {} and {} at any of {}.", a, b,
                           sizes_text(verdict));
    }
    return fmt::format(
        "Neither is faster over all, it depends on the call: of {}, {} is significantly faster at {}, {} at "
        "{}.",
        sizes_text(verdict), a, tally.faster_a, b, tally.faster_b);
}

std::string headline_of(const Comparison& comparison, const ComparisonVerdict& verdict) {
    return headline_of(verdict, fmt::format("A ({})", side_label(comparison.a, comparison.b)),
                       fmt::format("B ({})", side_label(comparison.b, comparison.a)));
}

std::string to_text(const Comparison& comparison, const ComparisonVerdict& verdict) {
    std::string text = headline_of(comparison, verdict) + "\n";
    for (const auto& [of, tally] : verdict.others) {
        text += fmt::format(
            "  with {}: B/A {:.3g} (geometric mean); A is significantly faster at {}, B at {} of {} sizes\n",
            of, tally.ratio, tally.faster_a, tally.faster_b, tally.sizes);
    }
    for (std::size_t i = 0; i < std::min(most_named, verdict.exceptions.size()); ++i) {
        text += fmt::format("  but {}\n", verdict.exceptions[i]);
    }
    if (verdict.exceptions.size() > most_named) {
        text += fmt::format("  and {} more such ranges (below: faster)\n",
                            verdict.exceptions.size() - most_named);
    }
    if (verdict.tally.faster_a + verdict.tally.faster_b > 0) {
        for (const std::string& reason : verdict.why) {
            text += fmt::format("  why: {}\n", reason);
        }
    }
    return text;
}

Json to_json(const Comparison& comparison, const ComparisonVerdict& verdict) {
    return {{"text", headline_of(comparison, verdict)},
            {"faster", verdict.faster == Winner::neither ? Json() : Json(to_string(verdict.faster))},
            {"of", verdict.of},
            {"sizes", verdict.tally.sizes},
            {"faster_a", verdict.tally.faster_a},
            {"faster_b", verdict.tally.faster_b},
            {"b_by_a", number_or_null(verdict.tally.ratio)},
            {"exceptions", verdict.exceptions},
            {"why", verdict.why}};
}

}  // namespace tuner
