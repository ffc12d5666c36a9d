// SPDX-License-Identifier: MIT
// A collective that is made with other message sizes than its own, with the same result: twice the size, of
// which half is padding, or two calls of half the size.
#pragma once

#include "mock_ups.hpp"

namespace bench::resized {

std::size_t scratch_of_double_size(const Pattern& pattern, const RankCall& call);
void call_with_double_size(const MockUpCall& call);

std::size_t scratch_of_halves(const Pattern& pattern, const RankCall& call);
void call_in_halves(const MockUpCall& call);

}  // namespace bench::resized
