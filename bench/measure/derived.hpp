// SPDX-License-Identifier: MIT
// What people expect of an exchange of messages besides its time: half the round trip, megabytes (10^6 bytes)
// and messages a second, and what the pattern itself finds.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "availability.hpp"
#include "measure.hpp"

namespace bench {

struct Derived {
    std::string name;  // with its unit
    double value;
};

// Of a case that was measured, by the medians of its repetitions
std::vector<Derived> derived(const GroupSpec& group, const CaseResult& result);
// The same names for a case that was not
std::vector<std::string> derived_names(const Pattern& pattern);

// Collects the availability by message size, for the eager limit that shows in it
class EagerLimits {
  public:
    struct Limit {
        std::string pattern;
        std::string algorithm;
        models::AvailabilityFall fall;
    };
    void add(const GroupSpec& group, const CaseResult& result);
    std::vector<Limit> found() const;

  private:
    using Points = std::map<std::size_t, double>;                            // by message size
    std::map<std::pair<const Pattern*, std::string>, Points> availability_;  // of each algorithm
};

}  // namespace bench
