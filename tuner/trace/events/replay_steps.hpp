// SPDX-License-Identifier: MIT
// What one rank does in a replay, in its order: calls, starts of nonblocking calls and waits for them, each
// with the time that the rank computes before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tuner::trace {

// A call of a rank
struct ReplaySpan {
    std::int64_t enter_ns;
    std::int64_t exit_ns;
    std::size_t call;  // which one of the program's calls it is
    bool is_nonblocking;
};

// A message of a nonblocking call, at its receiver
struct ReplayArrival {
    std::int64_t sent_ns;  // when its sender was done with it
    std::int64_t arrived_ns;
};

struct ReplayStep {
    std::int64_t compute_ns;  // since the end of the step before; since its beginning if that is a start
    std::size_t number;       // the call; of a wait: its start, counted among those of the rank
    bool is_wait;
};

// When a rank waits for a nonblocking call is not recorded. Messages arrive only while it is inside of MPI:
// if the next one had been sent for longer than the rank was without it, the rank computed until then; else
// it had been waiting since the step before. Without a message, it computes until the call is complete.
// Nothing if blocking calls overlap: several threads made them.
std::optional<std::vector<ReplayStep>> replay_steps(std::vector<ReplaySpan> spans,
                                                    std::vector<ReplayArrival> arrivals,
                                                    std::int64_t begin_ns);

// One line of the file: {"type":"rank","rank":0,"steps":[[compute_ns,call],[compute_ns,"wait",start] ...]}
std::string replay_line(int rank, const std::vector<ReplayStep>& steps);

}  // namespace tuner::trace
