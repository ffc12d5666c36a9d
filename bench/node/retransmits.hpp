// SPDX-License-Identifier: MIT
// The kernel's counters of TCP retransmissions, so that a time-out in the tail of a distribution can be named
// as one.
#pragma once

#include <mpi.h>

namespace bench {

struct Retransmits {
    long segments = 0;   // sent again for any reason
    long time_outs = 0;  // because nothing came back: 200 ms and more
};

// Collective. Since the hosts started, of all of them together (each network namespace once: it has its own
// counters); zero where there is no /proc. On rank 0.
Retransmits read_retransmits(MPI_Comm comm);

}  // namespace bench
