// SPDX-License-Identifier: MIT
// Work for the processor: always the same amount for a number, so that whatever takes the processor away from
// it makes it last longer. Waiting for a clock would not notice.
#pragma once

#include "clock.hpp"

namespace bench {

class Work {
  public:
    explicit Work(const Clock& clock);  // finds out how much a second is
    // What takes so long when nothing disturbs it
    void operator()(double seconds) const;
    long rounds(double seconds) const;  // of that work

  private:
    double rounds_per_second_ = 0;
};

}  // namespace bench
