// SPDX-License-Identifier: MIT
#include "selected_calls.hpp"

#include <algorithm>
#include <bit>

namespace tuner {

namespace {

constexpr unsigned yes = 1;
constexpr unsigned no = 2;

// Communicators, by how their ranks share nodes
enum Place : unsigned {
    on_one_node = 1,  // all of them
    on_nodes = 2,     // several nodes, at least one with several ranks
    of_a_node = 4,    // MPICH's own parts of a communicator: the ranks of a node,
    of_roots = 8,     // and one rank of each
    apart = 16,       // one rank on each node
    between = 32,     // intercommunicators
};
constexpr unsigned sharing = on_one_node | on_nodes;
constexpr unsigned inside = sharing | of_a_node | of_roots | apart;

struct PlaceWord {
    const char* question;
    const char* answer;
    unsigned places;
};

constexpr PlaceWord place_words[] = {
    {"comm_type", "intra", inside},
    {"comm_type", "inter", between},
    {"comm_hierarchy", "parent", sharing},
    {"comm_hierarchy", "node", of_a_node},
    {"comm_hierarchy", "node_roots", of_roots},
    {"comm_hierarchy", "flat", apart | between},
    {"comm_size", "node_comm_size", on_one_node},
};

bool has_power_of_two(std::int64_t lowest, std::int64_t highest) {
    return lowest <= highest &&
           std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(lowest, 1))) <=
               static_cast<std::uint64_t>(highest);
}

bool has_other_number(std::int64_t lowest, std::int64_t highest) {
    for (std::int64_t n = std::max<std::int64_t>(lowest, 1); n <= highest && n < lowest + 3; ++n) {
        if (!std::has_single_bit(static_cast<std::uint64_t>(n))) {
            return true;
        }
    }
    return false;
}

}  // namespace

// What an answer says: one of some values of a fact, or a number up to another
struct SelectedCalls::Effect {
    Fact fact = all_facts;
    unsigned values = 0;
    Number number = all_numbers;
    std::int64_t highest = 0;  // where it holds
    std::int64_t lowest = 0;   // where it does not
};

SelectedCalls::SelectedCalls(const SelectionLayer& layer, const std::string& collective) {
    possible_.fill(yes | no);
    const bool is_scan = collective.ends_with("scan");  // there is none between two groups
    possible_[place] = is_scan ? inside : inside | between;
    if (&layer == &posix_layer()) {
        possible_[place] = on_one_node | of_a_node;
    }
    ranges_[ranks].lowest = 1;
    ranges_[ranks_on_a_node].lowest = 1;
    draw_conclusions();
}

SelectedCalls::Effect SelectedCalls::effect_of(const SelectionQuestion& question,
                                               const StockTarget& target) const {
    static const std::pair<const char*, Fact> facts[] = {
        {"is_multi_threaded", threads}, {"is_commutative", commutative},
        {"is_op_built_in", built_in},   {"is_sendbuf_inplace", in_place},
        {"is_block_regular", regular},  {"is_node_consecutive", consecutive},
    };
    static const std::pair<const char*, Number> numbers[] = {
        {"comm_size", ranks},
        {"comm_avg_ppn", ranks_on_a_node},
        {"avg_msg_size", average_bytes},
        {"total_msg_size", total_bytes},
        {"count", elements},
    };
    for (const auto& [name, fact] : facts) {
        if (question.name == name) {
            return {fact, question.answer == "yes" ? yes : no};
        }
    }
    for (const PlaceWord& row : place_words) {
        if (question.name == row.question && question.answer == row.answer) {
            const bool is_one_kind = !target.tells_flat && question.name == std::string("comm_hierarchy");
            return {place, is_one_kind && row.places != sharing ? ~sharing : row.places};
        }
    }
    if (question.answer == "pow2") {
        return {question.name == "count" ? few_elements : power_of_two, yes};
    }
    for (const auto& [name, number] : numbers) {
        if (question.name == name) {
            const std::int64_t limit = std::stoll(question.answer);
            // comm_size<N may mean <=N (csel.c, up to 5.0), and an average of ranks on a node is rounded up
            // here
            const bool is_exact = question.relation == "<=" || (number != ranks && number != ranks_on_a_node);
            const std::int64_t below = question.relation == "<=" ? limit + 1 : limit;
            return {all_facts, 0, number, is_exact ? below - 1 : limit, below};
        }
    }
    return {};
}

SelectedCalls::Split SelectedCalls::split(const SelectionQuestion& question,
                                          const StockTarget& target) const {
    Split result{*this, *this};
    if (question.holds_for_all()) {
        result.without.possible_.fill(0);
        return result;
    }
    const Effect effect = effect_of(question, target);
    if (effect.fact != all_facts) {
        result.with.possible_[effect.fact] &= effect.values;
        result.without.possible_[effect.fact] &= ~effect.values;
    }
    if (effect.number != all_numbers) {
        Range& with = result.with.ranges_[effect.number];
        Range& without = result.without.ranges_[effect.number];
        with.highest = std::min(with.highest, effect.highest);
        without.lowest = std::max(without.lowest, effect.lowest);
    }
    result.with.draw_conclusions();
    result.without.draw_conclusions();
    return result;
}

// What one answer says about other questions
void SelectedCalls::draw_conclusions() {
    const Range& on_a_node = ranges_[ranks_on_a_node];
    if (possible_[consecutive] == yes) {
        possible_[place] &= sharing;
    }
    if (on_a_node.highest == 1) {
        possible_[place] &= ~(sharing | of_a_node);
    } else if (on_a_node.lowest >= 2) {
        possible_[place] &= sharing | of_a_node | between;
    }
    if ((possible_[place] & sharing) == 0) {
        possible_[consecutive] &= no;
    }
    if ((possible_[place] & ~(of_roots | apart)) == 0) {
        ranges_[ranks_on_a_node].highest = std::min<std::int64_t>(on_a_node.highest, 1);
    }
    if (possible_[built_in] == yes) {
        possible_[commutative] &= yes;
    }
    const Range& size = ranges_[ranks];
    possible_[power_of_two] &= (has_power_of_two(size.lowest, size.highest) ? yes : 0U) |
                               (has_other_number(size.lowest, size.highest) ? no : 0U);
}

bool SelectedCalls::none() const {
    return std::any_of(possible_.begin(), possible_.end(), [](unsigned values) { return values == 0; }) ||
           std::any_of(ranges_.begin(), ranges_.end(),
                       [](const Range& range) { return range.lowest > range.highest; });
}

unsigned SelectedCalls::missing(unsigned guards) const {
    struct Allowed {
        Guard guard;
        Fact fact;
        unsigned values;
    };
    static constexpr Allowed rows[] = {
        {needs_shared_nodes, place, sharing},  {needs_one_node, place, on_one_node | of_a_node},
        {needs_commutative, commutative, yes}, {needs_built_in, built_in, yes},
        {needs_elements, few_elements, no},    {needs_power_of_two, power_of_two, yes},
        {needs_in_place, in_place, yes},       {needs_not_in_place, in_place, no},
        {needs_equal_blocks, regular, yes},    {needs_one_thread, threads, no},
    };
    unsigned without = 0;
    for (const Allowed& row : rows) {
        const bool is_needed = (guards & row.guard) != 0 && (possible_[row.fact] & ~row.values) != 0;
        without |= is_needed && !none() ? row.guard : 0U;
    }
    const bool is_empty = ranges_[average_bytes].highest == 0 || ranges_[total_bytes].highest == 0;
    return is_empty ? without & ~needs_shared_nodes : without;  // nothing can be wrong with no bytes
}

}  // namespace tuner
