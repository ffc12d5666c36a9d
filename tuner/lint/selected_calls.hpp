// SPDX-License-Identifier: MIT
// Which calls reach a place of a selection file: what the answers above it and those before it leave. Never
// fewer than really do, so what is said to be out of reach is.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "selection_layer.hpp"
#include "selection_question.hpp"

namespace tuner {

class SelectedCalls {
  public:
    // All that the layer is asked about
    SelectedCalls(const SelectionLayer& layer, const std::string& collective);

    struct Split;
    Split split(const SelectionQuestion& question, const StockTarget& target) const;
    bool none() const;
    // Of these guards, those that some of the calls do not have
    unsigned missing(unsigned guards) const;

  private:
    enum Fact {
        place,
        threads,
        commutative,
        built_in,
        in_place,
        regular,
        consecutive,
        power_of_two,
        few_elements,
        all_facts
    };
    enum Number { ranks, ranks_on_a_node, average_bytes, total_bytes, elements, all_numbers };
    struct Range {
        std::int64_t lowest = 0;
        std::int64_t highest = std::numeric_limits<std::int64_t>::max();
    };
    struct Effect;
    Effect effect_of(const SelectionQuestion& question, const StockTarget& target) const;
    void draw_conclusions();

    std::array<unsigned, all_facts> possible_{};  // a bit for each answer that is still possible
    std::array<Range, all_numbers> ranges_{};
};

struct SelectedCalls::Split {
    SelectedCalls with;     // for which the answer holds
    SelectedCalls without;  // that go on to the next question
};

}  // namespace tuner
