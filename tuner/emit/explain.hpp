// SPDX-License-Identifier: MIT
// Which algorithm a call gets under a configuration, by which rule, and what the rule is based on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config.hpp"

namespace tuner {

struct ExplainedCall {
    std::string network;  // empty: the only one, or each one
    std::string collective;
    Layout layout;
    std::size_t bytes = 0;
};

struct Explanation {
    ExplainedCall question;
    std::string algorithm;       // default: the library chooses
    std::string by_library;      // what MPICH chooses if nothing is set; empty: not known
    const Rule* rule = nullptr;  // of the configuration
    // That the rule's algorithm allocates on a rank for the call; nothing: it is not known
    std::optional<std::size_t> memory;
    std::vector<std::string> layers;  // of a device that composes collectives: which one decides what
    bool is_named_layout = false;     // rules are for it alone
    bool has_rules = false;           // for the layout, alone or in a range
    std::optional<Layout> nearest;    // the most similar layout that has rules, if this one has none
};

// The configuration must outlive the answer. Throws an Error for an unknown network or collective.
Explanation explain(const Config& config, const ExplainedCall& question);

// The same for each network, if the question names none and there are several
std::vector<Explanation> explain_all(const Config& config, const ExplainedCall& question);

std::string to_text(const Explanation& explanation);
Json to_json(const Explanation& explanation);

}  // namespace tuner
