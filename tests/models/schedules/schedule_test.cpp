// SPDX-License-Identifier: MIT
// Every schedule delivers. It is executed with symbols in place of data: each byte of a rank's memory holds
// the list of contributions that were combined into it, in order. At the end every rank must have exactly
// what MPI prescribes, with the operands of a non-commutative operation in the order of the ranks.
#include "schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <numeric>

namespace {

using models::Call;
using models::Effect;
using models::Message;
using models::RankPlacement;
using models::Round;

// One operand: byte `index` of the input of `rank`
struct Operand {
    int rank;
    std::size_t index;
    auto operator<=>(const Operand&) const = default;
};
using Value = std::vector<Operand>;
using Memory = std::vector<std::vector<Value>>;  // [rank][offset]

void execute(const models::Schedule& schedule, Memory& memory) {
    models::for_each_round(schedule, [&](const Round& round) {
        std::vector<std::vector<Value>> payloads;
        for (const Message& message : round.messages()) {
            std::vector<Value>& payload = payloads.emplace_back();
            for (const models::Piece& piece : round.pieces_of(message)) {
                for (std::size_t i = 0; i < piece.bytes; ++i) {
                    payload.push_back(memory[static_cast<std::size_t>(message.source)].at(piece.offset + i));
                }
            }
            ASSERT_EQ(payload.size(), message.bytes);
        }
        auto payload = payloads.begin();
        for (const Message& message : round.messages()) {
            auto value = payload->begin();
            for (const models::Piece& piece : round.pieces_of(message)) {
                for (std::size_t i = 0; i < piece.bytes; ++i, ++value) {
                    const auto at = static_cast<std::ptrdiff_t>(piece.offset + i) + message.shift;
                    Value& mine = memory[static_cast<std::size_t>(message.destination)].at(
                        static_cast<std::size_t>(at));
                    if (message.effect == Effect::store) {
                        mine = *value;
                    } else if (message.effect == Effect::combine_before) {
                        mine.insert(mine.begin(), value->begin(), value->end());
                    } else {
                        mine.insert(mine.end(), value->begin(), value->end());
                    }
                }
            }
            ++payload;
        }
    });
}

// Where a collective finds its input and leaves its result; as in the files of models/schedules
struct Semantics {
    // a rank's memory in units of the message size: so much, and so much for each rank
    std::size_t memory;
    std::size_t memory_for_rank;
    std::function<void(const Call&, int rank, std::vector<Value>& memory)> fill;
    std::function<void(const Call&, int rank, const std::vector<Value>& memory)> check;
};

std::size_t at(int index, const Call& call) {
    return static_cast<std::size_t>(index) * call.bytes;
}

void put(std::vector<Value>& memory, std::size_t offset, std::size_t bytes, int rank, std::size_t index = 0) {
    for (std::size_t i = 0; i < bytes; ++i) {
        memory.at(offset + i) = {Operand{rank, index + i}};
    }
}

void expect_bytes_of(const std::vector<Value>& memory, std::size_t offset, std::size_t bytes, int rank,
                     std::size_t index = 0) {
    for (std::size_t i = 0; i < bytes; ++i) {
        ASSERT_EQ(memory.at(offset + i), (Value{Operand{rank, index + i}})) << "byte " << i;
    }
}

// The operands of the ranks [0, end), byte by byte; in any order if the operation is commutative
void expect_combination(const Call& call, const std::vector<Value>& memory, std::size_t offset,
                        std::size_t bytes, int end, std::size_t index = 0) {
    for (std::size_t i = 0; i < bytes; ++i) {
        Value expected;
        for (int rank = 0; rank < end; ++rank) {
            expected.push_back({rank, index + i});
        }
        Value got = memory.at(offset + i);
        if (call.commutative) {
            std::sort(got.begin(), got.end());
        }
        ASSERT_EQ(got, expected) << "byte " << i;
    }
}

const std::map<std::string_view, Semantics>& semantics() {
    static const auto whole_vector = [](const Call& call, int rank, std::vector<Value>& memory) {
        put(memory, call.bytes, call.bytes, rank);
    };
    static const Semantics reduce_scatter = {
        1, 3,
        [](const Call& call, int rank, std::vector<Value>& memory) {
            put(memory, 0, at(call.ranks(), call), rank);
        },
        [](const Call& call, int rank, const std::vector<Value>& memory) {
            expect_combination(call, memory, at(call.ranks(), call), call.bytes, call.ranks(),
                               at(rank, call));
        }};
    static const std::map<std::string_view, Semantics> all = {
        {"bcast",
         {5, 0,
          [](const Call& call, int rank, std::vector<Value>& memory) {
              if (rank == call.root) {
                  put(memory, 0, call.bytes, rank);
              }
          },
          [](const Call& call, int, const std::vector<Value>& memory) {
              expect_bytes_of(memory, 0, call.bytes, call.root);
          }}},
        {"reduce",
         {2, 0, whole_vector,
          [](const Call& call, int rank, const std::vector<Value>& memory) {
              if (rank == call.root) {
                  expect_combination(call, memory, 0, call.bytes, call.ranks());
              }
          }}},
        {"allreduce",
         {7, 0, whole_vector,
          [](const Call& call, int, const std::vector<Value>& memory) {
              expect_combination(call, memory, 0, call.bytes, call.ranks());
          }}},
        {"scan",
         {4, 0, whole_vector,
          [](const Call& call, int rank, const std::vector<Value>& memory) {
              expect_combination(call, memory, 0, call.bytes, rank + 1);
          }}},
        {"exscan",
         {4, 0, whole_vector,
          [](const Call& call, int rank, const std::vector<Value>& memory) {
              if (rank > 0) {
                  expect_combination(call, memory, 0, call.bytes, rank);
              }
          }}},
        {"allgather",
         {1, 2,
          [](const Call& call, int rank, std::vector<Value>& memory) {
              put(memory, at(call.ranks(), call), call.bytes, rank);
          },
          [](const Call& call, int, const std::vector<Value>& memory) {
              for (int source = 0; source < call.ranks(); ++source) {
                  expect_bytes_of(memory, at(source, call), call.bytes, source);
              }
          }}},
        {"alltoall",
         {0, 3,
          [](const Call& call, int rank, std::vector<Value>& memory) {
              put(memory, at(call.ranks(), call), at(call.ranks(), call), rank);
          },
          [](const Call& call, int rank, const std::vector<Value>& memory) {
              for (int source = 0; source < call.ranks(); ++source) {
                  expect_bytes_of(memory, at(source, call), call.bytes, source, at(rank, call));
              }
          }}},
        {"reduce_scatter", reduce_scatter},
        {"reduce_scatter_block", reduce_scatter},
        {"gather",
         {0, 1,
          [](const Call& call, int rank, std::vector<Value>& memory) {
              put(memory, at((rank - call.root + call.ranks()) % call.ranks(), call), call.bytes, rank);
          },
          [](const Call& call, int rank, const std::vector<Value>& memory) {
              for (int i = 0; rank == call.root && i < call.ranks(); ++i) {
                  expect_bytes_of(memory, at(i, call), call.bytes, (i + call.root) % call.ranks());
              }
          }}},
        {"scatter",
         {1, 1,
          [](const Call& call, int rank, std::vector<Value>& memory) {
              if (rank == call.root) {
                  put(memory, 0, at(call.ranks(), call), rank);
              }
          },
          [](const Call& call, int rank, const std::vector<Value>& memory) {
              const int relative = (rank - call.root + call.ranks()) % call.ranks();
              expect_bytes_of(memory, at(call.ranks(), call), call.bytes, call.root, at(relative, call));
          }}},
    };
    return all;
}

void expect_delivery(const models::Algorithm& algorithm, const Call& call) {
    SCOPED_TRACE(testing::Message() << algorithm.collective << " " << algorithm.name << ", " << call.ranks()
                                    << " ranks on " << call.layout->nodes << " nodes, root " << call.root
                                    << ", " << call.bytes << " bytes"
                                    << (call.commutative ? "" : ", not commutative"));
    const Semantics& s = semantics().at(algorithm.collective);
    const auto ranks = static_cast<std::size_t>(call.ranks());
    Memory memory(ranks, std::vector<Value>((s.memory + s.memory_for_rank * ranks) * call.bytes));
    for (int rank = 0; rank < call.ranks(); ++rank) {
        s.fill(call, rank, memory[static_cast<std::size_t>(rank)]);
    }
    execute(algorithm.schedule(call), memory);
    for (int rank = 0; rank < call.ranks() && !testing::Test::HasFatalFailure(); ++rank) {
        SCOPED_TRACE(testing::Message() << "rank " << rank);
        s.check(call, rank, memory[static_cast<std::size_t>(rank)]);
    }
}

std::vector<int> rank_counts() {
    std::vector<int> counts(33);
    std::iota(counts.begin(), counts.end(), 1);
    counts.insert(counts.end(), {48, 63, 64, 100, 128});
    return counts;
}

std::vector<RankPlacement> layouts(int ranks) {
    std::vector<RankPlacement> all = {RankPlacement(ranks, 1)};
    if (ranks > 2) {
        std::vector<int> uneven;
        for (int rank = 0; rank < ranks; ++rank) {
            uneven.push_back(rank < ranks / 2 + 1 ? 0 : rank % 3 == 0 ? 1 : 2);
        }
        const bool has_gap = std::find(uneven.begin(), uneven.end(), 1) == uneven.end();
        if (!has_gap && std::find(uneven.begin(), uneven.end(), 2) != uneven.end()) {
            all.emplace_back(uneven);
        }
    }
    if (ranks % 2 == 0) {
        all.emplace_back(ranks / 2, 2);
        all.emplace_back(2, ranks / 2, models::Mapping::round_robin);
    }
    return all;
}

bool has_root(std::string_view collective) {
    constexpr std::array rooted = {"bcast", "reduce", "gather", "scatter"};
    return std::find(rooted.begin(), rooted.end(), collective) != rooted.end();
}

std::vector<models::Algorithm> algorithms_that(bool (*condition)(const models::Algorithm&)) {
    std::vector<models::Algorithm> found;
    for (const models::Implementation library :
         {models::Implementation::mpich, models::Implementation::openmpi}) {
        const auto all = models::algorithms(library);
        std::copy_if(all.begin(), all.end(), std::back_inserter(found), condition);
    }
    return found;
}

std::string name_of(const testing::TestParamInfo<models::Algorithm>& algorithm) {
    std::string name = std::string(algorithm.param.collective) + "_" + std::string(algorithm.param.name);
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name + "_" + std::to_string(algorithm.index);  // libraries share names
}

class ScheduleOf : public testing::TestWithParam<models::Algorithm> {};
INSTANTIATE_TEST_SUITE_P(All, ScheduleOf, testing::ValuesIn(algorithms_that([](const models::Algorithm& a) {
                             return a.collective != "barrier" && a.segment_bytes == 0;
                         })),
                         name_of);

TEST_P(ScheduleOf, EveryRankEndsWithItsData) {
    const models::Algorithm& algorithm = GetParam();
    const bool by_vector = semantics().at(algorithm.collective).memory_for_rank == 0;
    long calls = 0;
    for (const int ranks : rank_counts()) {
        for (const RankPlacement& layout : layouts(ranks)) {
            for (const int root : {0, 1, ranks / 2, ranks - 1}) {
                for (const bool commutative : {true, false}) {
                    // one byte for a rank; for a vector also less than the ranks and an odd rest
                    const std::vector<std::size_t> sizes =
                        by_vector ? std::vector<std::size_t>{1, static_cast<std::size_t>(ranks) + 3}
                                  : std::vector<std::size_t>{1};

                    for (const std::size_t bytes : sizes) {
                        Call call{&layout, bytes, root};
                        call.commutative = commutative;
                        if (root < ranks && models::is_allowed(algorithm, call)) {
                            ASSERT_NO_FATAL_FAILURE(expect_delivery(algorithm, call));
                            ++calls;
                        }
                    }
                }
                if (!has_root(algorithm.collective)) {
                    break;
                }
            }
        }
    }
    EXPECT_GT(calls, 3);
}

constexpr std::size_t shortest_segment = 8192;

class ScheduleWithSegments : public testing::TestWithParam<models::Algorithm> {};
INSTANTIATE_TEST_SUITE_P(All, ScheduleWithSegments,
                         testing::ValuesIn(algorithms_that([](const models::Algorithm& a) {
                             return a.segment_bytes == shortest_segment;
                         })),
                         name_of);

// Whole and broken segments; few ranks, since it takes its time
TEST_P(ScheduleWithSegments, Delivers) {
    for (const int ranks : {2, 3, 5}) {
        for (const std::size_t bytes : {2 * shortest_segment, 5 * shortest_segment + 5}) {
            const RankPlacement layout(ranks, 1);
            const Call call{&layout, bytes, ranks - 1};
            if (models::is_allowed(GetParam(), call)) {
                ASSERT_NO_FATAL_FAILURE(expect_delivery(GetParam(), call));
            }
        }
    }
}

class ScheduleWithParts : public testing::TestWithParam<models::Algorithm> {};
INSTANTIATE_TEST_SUITE_P(All, ScheduleWithParts,
                         testing::ValuesIn(algorithms_that([](const models::Algorithm& a) {
                             return a.parts != nullptr;
                         })),
                         name_of);

// The choices of parts change with the size
TEST_P(ScheduleWithParts, Delivers) {
    const models::Algorithm& algorithm = GetParam();
    for (const int ranks : {4, 8, 16, 18, 32}) {
        for (const RankPlacement& layout : layouts(ranks)) {
            for (const std::size_t deciding : {1u, 4096u, 20000u, 1u << 20}) {
                for (const int root : {0, 1, ranks - 1}) {
                    Call call{&layout, 97, root};
                    call.deciding_bytes = deciding;
                    if (models::is_allowed(algorithm, call)) {
                        ASSERT_NO_FATAL_FAILURE(expect_delivery(algorithm, call));
                    }
                }
            }
        }
    }
}

class BarrierSchedule : public testing::TestWithParam<models::Algorithm> {};
INSTANTIATE_TEST_SUITE_P(All, BarrierSchedule,
                         testing::ValuesIn(algorithms_that([](const models::Algorithm& a) {
                             return a.collective == "barrier";
                         })),
                         name_of);

TEST_P(BarrierSchedule, EveryRankHearsFromAll) {
    const models::Algorithm& algorithm = GetParam();
    for (const int ranks : rank_counts()) {
        for (const RankPlacement& layout : layouts(ranks)) {
            const Call call{&layout, 0};
            if (!models::is_allowed(algorithm, call)) {
                continue;
            }
            const auto count = static_cast<std::size_t>(ranks);
            std::vector<std::vector<bool>> heard(count, std::vector<bool>(count));
            for (std::size_t rank = 0; rank < count; ++rank) {
                heard[rank][rank] = true;
            }
            models::for_each_round(algorithm.schedule(call), [&](const Round& round) {
                const auto before = heard;
                for (const Message& message : round.messages()) {
                    for (std::size_t i = 0; i < count; ++i) {
                        if (before[static_cast<std::size_t>(message.source)][i]) {
                            heard[static_cast<std::size_t>(message.destination)][i] = true;
                        }
                    }
                }
            });
            for (const std::vector<bool>& of_rank : heard) {
                EXPECT_EQ(std::count(of_rank.begin(), of_rank.end(), true), ranks);
            }
        }
    }
}

// Nothing is kept: the rounds of a ring over many ranks come one at a time.
TEST(Schedule, MakesOneRoundAtATime) {
    const RankPlacement layout(1024, 1);
    std::size_t messages = 0;
    std::size_t largest_round = 0;
    models::for_each_round(models::find_algorithm("allgather", "ring")->schedule({&layout, 8}),
                           [&](const Round& round) {
                               messages += round.messages().size();
                               largest_round = std::max(largest_round, round.messages().size());
                           });
    EXPECT_EQ(messages, 1024u + 1023u * 1024u);
    EXPECT_EQ(largest_round, 1024u);
}

}  // namespace
