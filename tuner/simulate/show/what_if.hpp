// SPDX-License-Identifier: MIT
// What the calls of a program take on machines that are simulated: as text and as JSON
#pragma once

#include <string>
#include <vector>

#include "checked_json.hpp"
#include "layout.hpp"

namespace tuner {

struct WhatIfCall {
    std::string collective;
    std::size_t bytes = 0;
    std::size_t number = 0;  // of such calls in the program
};

// One platform and layout; a number for each kind of call, in seconds for all such calls
struct WhatIfPlace {
    std::string platform;  // its file
    Layout layout;
    std::vector<double> by_default = {};
    std::vector<double> tuned = {};
    std::vector<std::string> best = {};  // algorithms

    std::string name() const;
};

struct WhatIf {
    std::vector<WhatIfCall> calls;
    std::size_t left_out = 0;  // on smaller communicators, nonblocking, or of collectives without schedules
    std::vector<WhatIfPlace> places = {};
};

double sum_of(const std::vector<double>& seconds);
std::string answer_of(const WhatIf& what_if);  // which is the fastest; empty: there is only one
std::string left_out_text(const WhatIf& what_if);

std::string to_text(const WhatIf& what_if);
Json to_json(const WhatIf& what_if);

}  // namespace tuner
