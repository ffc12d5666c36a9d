// SPDX-License-Identifier: MIT
#include "search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "expected_loss.hpp"
#include "prior.hpp"
#include "size_choice.hpp"

namespace tuner {

namespace {

// An algorithm that is slower than the best one by this factor on both sides, even if both medians are at
// the ends of their intervals that favour it, is not measured between them.
constexpr double dominated_factor = 1.3;

bool was_asked(const Cell& cell, std::size_t bytes, const std::string& algorithm) {
    const auto times = cell.times.find(bytes);
    const auto missing = cell.missing.find(bytes);
    return (times != cell.times.end() && times->second.contains(algorithm)) ||
           (missing != cell.missing.end() && missing->second.contains(algorithm));
}

// What varies a composition is asked for where that is the best one
std::set<std::string> known_algorithms(const Cell& cell) {
    std::set<std::string> known;
    const auto add_keys = [&](const auto& by_size) {
        for (const auto& [bytes, by_algorithm] : by_size) {
            for (const auto& [algorithm, value] : by_algorithm) {
                if (!models::is_variation(algorithm)) {
                    known.insert(algorithm);
                }
            }
        }
    };
    add_keys(cell.times);
    add_keys(cell.missing);
    return known;
}

// The geometric mean, a multiple of 8 if possible; `low` if there is nothing between
std::size_t middle(std::size_t low, std::size_t high, std::size_t element) {
    const double mean = std::sqrt(static_cast<double>(low) * static_cast<double>(high));
    for (const std::size_t unit : {std::max<std::size_t>(8, element), element}) {
        const std::size_t rounded =
            static_cast<std::size_t>(std::lround(mean / static_cast<double>(unit))) * unit;
        if (rounded > low && rounded < high) {
            return rounded;
        }
    }
    return low;
}

// Two neighbouring measured sizes
struct Pair {
    std::size_t low_bytes;
    std::size_t high_bytes;
    const Times& low;
    const Times& high;

    double gap() const { return static_cast<double>(high_bytes) / static_cast<double>(low_bytes); }
};

std::vector<Pair> pairs_of(const Cell& cell) {
    std::vector<Pair> pairs;
    for (auto high = cell.times.begin(), low = high; high != cell.times.end(); low = high++) {
        if (low != high) {
            pairs.push_back({low->first, high->first, low->second, high->second});
        }
    }
    return pairs;
}

// How the best algorithm of one side does against the best one of the other, on the other's side
struct Side {
    double loss = std::numeric_limits<double>::infinity();
    bool is_tie = false;  // the intervals overlap
};

Side compare(const Times& times, const Ran& best, const std::string& other) {
    const CellTime* time = time_of(times, other);
    if (!time) {
        return {};
    }
    return {time->time.median_seconds / best.time->time.median_seconds - 1,
            time->time.interval.low <= best.time->time.interval.high};
}

bool was_measured_again(const Times& times) {
    return std::any_of(times.begin(), times.end(), [](const auto& entry) { return entry.second.groups > 1; });
}

enum class Need { nothing, size_between, low_again, high_again };

Need need_of(const Plan& plan, const PlannedCollective& collective, const Pair& pair) {
    const Ran low = chosen_of(pair.low, plan.loss_bound);
    const Ran high = chosen_of(pair.high, plan.loss_bound);
    if (low.name == high.name || pair.gap() <= plan.changeover_factor ||
        middle(pair.low_bytes, pair.high_bytes, element_bytes(collective)) == pair.low_bytes) {
        return Need::nothing;
    }
    const Side at_low = compare(pair.low, low, high.name);
    const Side at_high = compare(pair.high, high, low.name);
    if (std::max(at_low.loss, at_high.loss) <= plan.loss_bound) {
        return Need::nothing;
    }
    if (!at_low.is_tie || !at_high.is_tie) {
        return Need::size_between;
    }
    // Nobody can tell that there is a changeover. Once more with more samples, then it is a tie.
    return !was_measured_again(pair.low)    ? Need::low_again
           : !was_measured_again(pair.high) ? Need::high_again
                                            : Need::nothing;
}

bool is_dominated(const Times& times, const std::string& algorithm) {
    const auto found = times.find(algorithm);
    return found == times.end() ||
           found->second.time.interval.low > dominated_factor * best_of(times).time->time.interval.high;
}

// At a size, by the two largest sizes below it: how much slower than the best one it is there, and where that
// leads to if it goes on. Where calls take long, most of the time would be spent on such algorithms.
bool is_hopeless(const Cell& cell, std::size_t bytes, const std::string& algorithm) {
    constexpr double hopeless_factor = 2;
    const auto at = cell.times.lower_bound(bytes);
    if (algorithm == default_algorithm || std::distance(cell.times.begin(), at) < 2) {
        return false;
    }
    const auto factor = [&](const auto& measured) {
        const CellTime* time = time_of(measured->second, algorithm);
        return time ? time->time.interval.low / best_of(measured->second).time->time.interval.high : 0;
    };
    const auto log = [](std::size_t value) { return std::log(static_cast<double>(value)); };
    const auto near = std::prev(at);
    const auto far = std::prev(near);
    const double trend = std::log(factor(near) / factor(far)) / (log(near->first) - log(far->first));
    const double expected = std::log(factor(near)) + std::min(0.0, trend) * (log(bytes) - log(near->first));
    return factor(near) > hopeless_factor && factor(far) > hopeless_factor &&
           expected > std::log(hopeless_factor);
}

std::vector<std::string> worth_measuring(const Pair& pair) {
    std::set<std::string> names = {default_algorithm};
    for (const Times* times : {&pair.low, &pair.high}) {
        for (const auto& [algorithm, time] : *times) {
            if (!is_dominated(pair.low, algorithm) || !is_dominated(pair.high, algorithm)) {
                names.insert(algorithm);
            }
        }
    }
    return {names.begin(), names.end()};
}

// These and the default, which need not run twice
Question again(std::size_t bytes, const Times& times, const std::set<std::string>& names) {
    const auto own = times.find(default_algorithm);
    Question question = {bytes, {}};
    if (own != times.end()) {
        question.algorithms.push_back(default_algorithm);
    }
    for (const std::string& name : names) {
        if (times.contains(name) && (own == times.end() || own->second.used != name)) {
            question.algorithms.push_back(name);
        }
    }
    return question;
}

// Of two sizes whose choices could not be told apart
Question again(const Pair& pair, bool at_low, double loss_bound) {
    const std::set<std::string> choices = {chosen_of(pair.low, loss_bound).name,
                                           chosen_of(pair.high, loss_bound).name};
    return at_low ? again(pair.low_bytes, pair.low, choices) : again(pair.high_bytes, pair.high, choices);
}

// The size whose choice is expected to lose most, if that is much
std::optional<Question> uncertain_size(const Plan& plan, const Cell& cell) {
    constexpr double much = 4;  // times what a choice may lose
    constexpr std::size_t most_groups = 3;
    std::optional<Question> next;
    double largest = much * plan.loss_bound;
    for (const auto& [bytes, times] : cell.times) {
        const auto own = times.find(default_algorithm);
        const double loss = expected_loss_at(times, plan.loss_bound);
        if (own != times.end() && own->second.attempts < most_groups && loss > largest) {
            const Question question =
                again(bytes, times, {best_of(times).name, chosen_of(times, plan.loss_bound).name});
            if (question.algorithms.size() > 1) {
                next = question;
                largest = loss;
            }
        }
    }
    return next;
}

std::optional<Question> question_for(const Plan& plan, const PlannedCollective& collective, const Cell& cell,
                                     const Pair& pair) {
    const Need need = need_of(plan, collective, pair);
    if (need == Need::nothing) {
        return std::nullopt;
    }
    if (need != Need::size_between) {
        return again(pair, need == Need::low_again, plan.loss_bound);
    }
    Question question = {middle(pair.low_bytes, pair.high_bytes, element_bytes(collective)), {}};
    for (const std::string& algorithm : worth_measuring(pair)) {
        if (!was_asked(cell, question.bytes, algorithm)) {
            question.algorithms.push_back(algorithm);
        }
    }
    // all of them failed there before
    return question.algorithms.empty() ? std::nullopt : std::optional(question);
}

// What is worth measuring at a size, by its neighbours, and was not asked for: its group fell apart, and the
// run was interrupted before all of its algorithms were measured one by one. A size that was measured later
// has no more algorithms than those around it, so nothing else is found here.
std::optional<Question> interrupted_question(const Plan& plan, const PlannedCollective& collective,
                                             const Cell& cell) {
    const std::vector<std::size_t> grid = grid_of(plan, collective);
    for (auto low = cell.times.begin(); std::distance(low, cell.times.end()) > 2; ++low) {
        const auto size = std::next(low);
        const auto high = std::next(size);
        if (std::binary_search(grid.begin(), grid.end(), size->first)) {
            continue;
        }
        Question question = {size->first, {}};
        for (const std::string& algorithm :
             worth_measuring({low->first, high->first, low->second, high->second})) {
            if (!was_asked(cell, size->first, algorithm)) {
                question.algorithms.push_back(algorithm);
            }
        }
        if (!question.algorithms.empty()) {
            return question;
        }
    }
    return std::nullopt;
}

// Of a device that composes collectives: what varies the best composition of a size, if that could make it
// the best of all there: another algorithm between nodes may halve its time
std::optional<Question> layer_question(const Cell& cell, const models::NodesOfRanks& where) {
    constexpr double worth_varying = 2;
    for (const auto& [bytes, times] : cell.times) {
        Ran best = {"", nullptr};
        std::vector<std::string> asked;
        std::vector<std::string> messages;
        for (const auto& [algorithm, time] : times) {
            asked.push_back(algorithm);
            if (!models::has_layers(algorithm) && algorithm != default_algorithm) {
                messages.push_back(algorithm);
            } else if (models::has_layers(algorithm) &&
                       (best.time == nullptr || time.time.median_seconds < best.time->time.median_seconds)) {
                best = {algorithm, &time};
            }
        }
        if (best.time == nullptr ||
            best.time->time.interval.low > worth_varying * best_of(times).time->time.interval.high) {
            continue;
        }
        if (const auto missing = cell.missing.find(bytes); missing != cell.missing.end()) {
            for (const auto& [algorithm, reason] : missing->second) {
                asked.push_back(algorithm);
            }
        }
        const std::vector<std::string> next = models::next_layers(best.name, asked, messages, where);
        if (!next.empty()) {
            Question question = {bytes, {default_algorithm, best.name}};
            question.algorithms.insert(question.algorithms.end(), next.begin(), next.end());
            return question;
        }
    }
    return std::nullopt;
}

// What was measured apart from the default, since a job died: gains are known well only from repetitions that
// are neighbours in time, so both are measured together once. Jobs that die again and again end it.
std::optional<Question> apart_question(const Cell& cell) {
    constexpr std::size_t most_attempts = 3;
    for (const auto& [bytes, times] : cell.times) {
        Question question = {bytes, {default_algorithm}};
        for (const auto& [algorithm, time] : times) {
            if (algorithm != default_algorithm && time.together == 0 && time.attempts <= most_attempts) {
                question.algorithms.push_back(algorithm);
            }
        }
        if (times.contains(default_algorithm) && question.algorithms.size() > 1) {
            return question;
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<std::size_t> grid_of(const Plan& plan, const PlannedCollective& collective) {
    const double step = plan.exhaustive ? plan.changeover_factor : plan.size_step;
    const std::size_t element = element_bytes(collective);
    std::vector<std::size_t> sizes = {collective.min_bytes};
    for (double exact = step * static_cast<double>(collective.min_bytes);
         exact < static_cast<double>(collective.max_bytes); exact *= step) {
        for (const std::size_t unit : {std::max<std::size_t>(8, element), element}) {
            const std::size_t rounded =
                static_cast<std::size_t>(std::lround(exact / static_cast<double>(unit))) * unit;
            if (rounded > sizes.back()) {
                sizes.push_back(rounded);
                break;
            }
        }
    }
    if (sizes.back() >= collective.max_bytes) {
        sizes.pop_back();  // rounded up to the end
    }
    sizes.push_back(collective.max_bytes);
    return sizes;
}

std::optional<Question> next_of_grid(const Plan& plan, const PlannedCollective& collective, const Cell& cell,
                                     const Cell* prior) {
    const std::set<std::string> known = known_algorithms(cell);
    for (const std::size_t bytes : grid_of(plan, collective)) {
        Question question = {bytes, {}};
        const auto times = cell.times.find(bytes);
        const bool trusts_prior =
            prior && (times == cell.times.end() || !is_surprise(*prior, times->second, bytes));
        std::copy_if(known.begin(), known.end(), std::back_inserter(question.algorithms),
                     [&](const std::string& algorithm) {
                         return !was_asked(cell, bytes, algorithm) &&
                                !(plan.races() && is_hopeless(cell, bytes, algorithm)) &&
                                !(trusts_prior && !could_win(*prior, algorithm, bytes));
                     });
        if (question.algorithms.size() == known.size()) {
            return Question{bytes, {}};
        }
        if (!question.algorithms.empty()) {
            return question;  // a group of the first sizes fell apart before all algorithms were known
        }
    }
    return std::nullopt;
}

std::optional<Question> next_request(const Plan& plan, const PlannedCollective& collective, const Cell& cell,
                                     const Cell* prior, const models::NodesOfRanks& where) {
    if (auto question = next_of_grid(plan, collective, cell, prior)) {
        return question;
    }
    if (auto question = layer_question(cell, where)) {
        return question;
    }
    if (auto question = apart_question(cell); question || plan.exhaustive) {
        return question;
    }
    if (auto question = interrupted_question(plan, collective, cell)) {
        return question;
    }
    if (expected_loss_of(cell, plan.loss_bound) <= plan.until_loss) {
        return std::nullopt;
    }
    if (auto question = plan.races() ? uncertain_size(plan, cell) : std::nullopt) {
        return question;
    }
    std::optional<Question> next;
    double largest = -1;  // expected loss first, so that little is lost when the time is up
    for (const Pair& pair : pairs_of(cell)) {
        const double loss =
            std::log(pair.gap()) * expected_loss_between(pair.low, pair.high, plan.loss_bound);
        if (loss > largest) {
            if (const auto question = question_for(plan, collective, cell, pair)) {
                next = question;
                largest = loss;
            }
        }
    }
    return next;
}

std::vector<OpenChangeover> open_changeovers(const Plan& plan, const PlannedCollective& collective,
                                             const Cell& cell) {
    std::vector<OpenChangeover> open;
    for (const Pair& pair : pairs_of(cell)) {
        if (!plan.exhaustive && question_for(plan, collective, cell, pair)) {
            open.push_back(
                {pair.low_bytes, pair.high_bytes, best_of(pair.low).name, best_of(pair.high).name});
        }
    }
    return open;
}

double questions_left(const Plan& plan, const PlannedCollective& collective, const Cell& cell) {
    const auto halvings = [&](double gap) {
        return std::max(1.0, std::ceil(std::log2(std::log(gap) / std::log(plan.changeover_factor))));
    };
    const std::vector<std::size_t> grid = grid_of(plan, collective);
    const auto left = static_cast<double>(std::count_if(grid.begin(), grid.end(), [&](std::size_t bytes) {
        return !cell.times.contains(bytes) && !cell.missing.contains(bytes);
    }));
    if (plan.exhaustive) {
        return left;
    }
    // of what is not measured yet, about every third gap has a changeover
    double questions = left + (grid.size() > 1 ? left / 3 * halvings(plan.size_step) : 0);
    for (const OpenChangeover& open : open_changeovers(plan, collective, cell)) {
        questions += halvings(static_cast<double>(open.high_bytes) / static_cast<double>(open.low_bytes));
    }
    return questions;
}

}  // namespace tuner
