// SPDX-License-Identifier: MIT
// MPI_Barrier. Its messages are empty; smp's last one has a byte.
#include "parts.hpp"
#include "schedules.hpp"

namespace models::schedules {

Schedule barrier_dissemination(const Call& call) {
    const int ranks = call.ranks();
    return {{ceil_log2(ranks),
             [=](int i, Round& round) {
                 for (int rank = 0; rank < ranks; ++rank) {
                     round.send(rank, (rank + (1 << i)) % ranks, Piece{0, 0});
                 }
             },
             same_on_each_rank}};
}

Schedule barrier_smp(const Call& call) {
    const Nodes nodes(*call.layout);
    const auto dissemination = [](const Call&) { return Choice{"dissemination", barrier_dissemination}; };
    Call release = call;
    release.bytes = 1;
    release.root = 0;
    Schedule schedule = chosen_within_nodes(nodes, call, dissemination);
    append(schedule, chosen_among(nodes.roots, call, 0, dissemination));
    append(schedule, chosen_within_nodes(nodes, release, flat_bcast));
    return schedule;
}

}  // namespace models::schedules
