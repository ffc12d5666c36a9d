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

Retransmits
read_retransmits();  // of this host's network namespace, since it started; zero where there is no /proc

// Collective. What was added since `before`, summed over the ranks that are first on their node. On rank 0.
Retransmits retransmits_since(const Retransmits& before, bool first_on_node, MPI_Comm comm);

}  // namespace bench
