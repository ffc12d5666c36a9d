// SPDX-License-Identifier: MIT
// When to stop repeating a measurement. A rule sees the samples one by one and says whether they are precise
// enough; the limits on repetitions and time apply to every rule.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace models {

class PrecisionRule {
  public:
    virtual ~PrecisionRule() = default;
    virtual void add(double sample) = 0;
    virtual bool is_precise() const = 0;
    virtual double precision() const = 0;  // what is compared with the target: relative, infinite at first
};

// The 95% interval of the median is narrower than +- `target` of the median. The order of the samples counts:
// neighbours that agree say less (`median_interval_in_order`).
std::unique_ptr<PrecisionRule> median_rule(double target);

// SKaMPI's: the standard error of the 25% trimmed mean is below `target` of that mean (Reussner et al.
// 1998, 3.2).
std::unique_ptr<PrecisionRule> trimmed_mean_rule(double target);

// decided: in a race (race.hpp), nothing more is to be told apart
enum class Ended { not_yet, precise, repetitions, time, decided };

// Of calls that take longer than the limit of time: with fewer, nothing can be compared
inline constexpr std::size_t fewest_repetitions = 3;

struct Limits {
    std::size_t min_repetitions = 30;  // with fewer, the interval is too often narrow by chance
    std::size_t max_repetitions = 1000;
    double max_seconds = 10;
};

// Repetitions of one case: feeds the rule and decides. Looks at the rule only when the number of samples has
// grown by a quarter: every look is another chance to stop by accident.
class Stopping {
  public:
    Stopping(std::unique_ptr<PrecisionRule> rule, const Limits& limits);
    void add(double sample, double seconds_so_far);
    Ended ended() const { return ended_; }
    double precision() const { return rule_->precision(); }

  private:
    std::unique_ptr<PrecisionRule> rule_;
    Limits limits_;
    std::size_t count_ = 0;
    std::size_t next_look_;
    Ended ended_ = Ended::not_yet;
};

const char* to_string(Ended ended);

}  // namespace models
