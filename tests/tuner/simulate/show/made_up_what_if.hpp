// SPDX-License-Identifier: MIT
// Two platforms and two kinds of calls, with numbers that are easily added
#pragma once

#include "what_if.hpp"

namespace tuner {

inline WhatIf made_up_what_if() {
    return {
        {{"allreduce", 8, 100}, {"bcast", 1024, 10}},
        3,
        {{"/platforms/slow.xml", {4, 1}, {0.1, 0.5}, {0.1, 0.3}, {"recursive_doubling", "binomial"}},
         {"/platforms/slow.xml", {4, 2}, {0.1, 0.2}, {0.1, 0.1}, {"recursive_doubling", "smp"}},
         {"/platforms/fast.xml", {4, 1}, {0.02, 0.03}, {0.02, 0.02}, {"recursive_doubling", "binomial"}},
         {"/platforms/fast.xml", {4, 2}, {0.01, 0.01}, {0.01, 0.01}, {"recursive_doubling", "binomial"}}}};
}

}  // namespace tuner
