// SPDX-License-Identifier: MIT
// What several patterns share: how many elements the buffers of a rank have, where the elements of a result
// come from, and steps of an exchange of messages.
#pragma once

#include "pattern.hpp"

namespace bench::parts {

std::size_t none(const RankCall&);
std::size_t one_block(const RankCall&);
std::size_t all_blocks(const RankCall&);
std::size_t all_blocks_at_root(const RankCall&);
std::size_t one_block_at_root(const RankCall&);
std::size_t one_block_of_parties(const RankCall&);  // of an exchange

Origin own_element(const RankCall&, std::size_t position);
Origin no_input(const RankCall&, std::size_t position);
Origin own_block_of_all(const RankCall&, std::size_t position);  // the own block of a gather's receive buffer
Origin gathered(const RankCall&, std::size_t position);
Origin transposed(const RankCall&, std::size_t position);  // block i of rank j comes from block j of rank i
Origin combined_over_all(const RankCall&, std::size_t position);
Origin own_block_combined(const RankCall&, std::size_t position);
Origin from_the_other(const RankCall&, std::size_t position);  // root and peer have each other's block

inline constexpr Contents no_message = {InPlace::no, none, none, no_input, own_element};
inline constexpr Contents blocks_of_all_ranks = {InPlace::everywhere, one_block, all_blocks, own_block_of_all,
                                                 gathered};
inline constexpr Contents blocks_for_all_ranks = {InPlace::everywhere, all_blocks, all_blocks, own_element,
                                                  transposed};
// In place, the receive buffer holds the whole vector before the call
inline constexpr Contents own_part_of_combined = {InPlace::everywhere, all_blocks, all_blocks, own_element,
                                                  own_block_combined};
inline constexpr Contents message_each_way = {InPlace::no, one_block_of_parties, one_block_of_parties,
                                              no_input, from_the_other};
// One vector on each rank, and as a result one vector of this origin
constexpr Contents vectors_combined(Origin (*result)(const RankCall&, std::size_t position)) {
    return {InPlace::everywhere, one_block, one_block, own_element, result};
}

// Root and peer of an exchange are ready when this returns; a barrier lets them go at different times
void meet(const Arguments& arguments);
// The processor is busy, as it would be in a program that computes
void busy(const Clock& clock, double seconds);

}  // namespace bench::parts
