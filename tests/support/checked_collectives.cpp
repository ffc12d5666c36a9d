// SPDX-License-Identifier: MIT
// The collectives that move data, and the list of all.
#include "checked_collectives.hpp"

#include <algorithm>

#include "checked_parts.hpp"

using namespace checked;

namespace {

// Uneven counts of the v versions: rank r has count + r % 3, and one element lies between neighbours
struct Uneven {
    Uneven(int count, int ranks) : counts(static_cast<std::size_t>(ranks)), displacements(counts.size()) {
        for (std::size_t r = 0; r < counts.size(); ++r) {
            counts[r] = count + static_cast<int>(r % 3);
            displacements[r] = total;
            total += counts[r] + 1;
        }
    }
    std::vector<int> counts;
    std::vector<int> displacements;
    int total = 0;
};

// Each rank's part of a vector is what that rank contributed
long wrong_parts(const std::vector<Byte>& got, const Uneven& parts) {
    long errors = 0;
    for (std::size_t r = 0; r < parts.counts.size(); ++r) {
        errors += wrong(got.data() + parts.displacements[r], parts.counts[r],
                        [&](long i) { return Algebra<Byte>::value(static_cast<int>(r), i); });
    }
    return errors;
}

long wrong_blocks(const std::vector<Byte>& got, int count) {
    return wrong(got.data(), static_cast<long>(got.size()),
                 [&](long i) { return Algebra<Byte>::value(static_cast<int>(i / count), i % count); });
}

// What rank `from` sends to rank `to` in an all-to-all
Byte letter(int from, int to, long i) {
    return static_cast<Byte>(from * 13 + to * 29 + i * 3 + 1);
}

long run_barrier(MPI_Comm comm, int, const Variant& v) {
    call(
        v, [&](MPI_Request* r) { MPI_Ibarrier(comm, r); }, [&] { MPI_Barrier(comm); });
    return 0;
}

long run_bcast(MPI_Comm comm, int count, const Variant& v) {
    std::vector<Byte> data(static_cast<std::size_t>(count));
    if (rank_of(comm) == v.root) {
        data = contribution<Byte>(v.root, count);
    }
    call(
        v, [&](MPI_Request* r) { MPI_Ibcast(data.data(), count, MPI_BYTE, v.root, comm, r); },
        [&] { MPI_Bcast(data.data(), count, MPI_BYTE, v.root, comm); });
    return wrong(data.data(), count, [&](long i) { return Algebra<Byte>::value(v.root, i); });
}

long run_gather(MPI_Comm comm, int count, const Variant& v) {
    const int rank = rank_of(comm);
    const auto mine = contribution<Byte>(rank, count);
    std::vector<Byte> all(rank == v.root ? product(count, size_of(comm)) : 0);
    const bool in_place = v.in_place && rank == v.root;
    if (in_place) {
        std::copy(mine.begin(), mine.end(), all.begin() + static_cast<long>(product(count, rank)));
    }
    const void* send = in_place ? MPI_IN_PLACE : mine.data();
    call(
        v,
        [&](MPI_Request* r) {
            MPI_Igather(send, count, MPI_BYTE, all.data(), count, MPI_BYTE, v.root, comm, r);
        },
        [&] { MPI_Gather(send, count, MPI_BYTE, all.data(), count, MPI_BYTE, v.root, comm); });
    return wrong_blocks(all, count);
}

long run_gatherv(MPI_Comm comm, int count, const Variant& v) {
    const int rank = rank_of(comm);
    const Uneven parts(count, size_of(comm));
    const int my_count = parts.counts[static_cast<std::size_t>(rank)];
    const auto mine = contribution<Byte>(rank, my_count);
    std::vector<Byte> all(rank == v.root ? static_cast<std::size_t>(parts.total) : 0);
    call(
        v,
        [&](MPI_Request* r) {
            MPI_Igatherv(mine.data(), my_count, MPI_BYTE, all.data(), parts.counts.data(),
                         parts.displacements.data(), MPI_BYTE, v.root, comm, r);
        },
        [&] {
            MPI_Gatherv(mine.data(), my_count, MPI_BYTE, all.data(), parts.counts.data(),
                        parts.displacements.data(), MPI_BYTE, v.root, comm);
        });
    return rank == v.root ? wrong_parts(all, parts) : 0;
}

long run_scatter(MPI_Comm comm, int count, const Variant& v) {
    const int rank = rank_of(comm);
    std::vector<Byte> all;
    if (rank == v.root) {
        for (int r = 0; r < size_of(comm); ++r) {
            const auto part = contribution<Byte>(r, count);
            all.insert(all.end(), part.begin(), part.end());
        }
    }
    std::vector<Byte> mine(static_cast<std::size_t>(count));
    const bool in_place = v.in_place && rank == v.root;
    void* receive = in_place ? MPI_IN_PLACE : mine.data();
    call(
        v,
        [&](MPI_Request* r) {
            MPI_Iscatter(all.data(), count, MPI_BYTE, receive, count, MPI_BYTE, v.root, comm, r);
        },
        [&] { MPI_Scatter(all.data(), count, MPI_BYTE, receive, count, MPI_BYTE, v.root, comm); });
    return in_place ? 0 : wrong(mine.data(), count, [&](long i) { return Algebra<Byte>::value(rank, i); });
}

long run_scatterv(MPI_Comm comm, int count, const Variant& v) {
    const int rank = rank_of(comm);
    const Uneven parts(count, size_of(comm));
    std::vector<Byte> all(rank == v.root ? static_cast<std::size_t>(parts.total) : 0);
    if (rank == v.root) {
        for (std::size_t r = 0; r < parts.counts.size(); ++r) {
            const auto part = contribution<Byte>(static_cast<int>(r), parts.counts[r]);
            std::copy(part.begin(), part.end(), all.begin() + parts.displacements[r]);
        }
    }
    const int my_count = parts.counts[static_cast<std::size_t>(rank)];
    std::vector<Byte> mine(static_cast<std::size_t>(my_count));
    call(
        v,
        [&](MPI_Request* r) {
            MPI_Iscatterv(all.data(), parts.counts.data(), parts.displacements.data(), MPI_BYTE, mine.data(),
                          my_count, MPI_BYTE, v.root, comm, r);
        },
        [&] {
            MPI_Scatterv(all.data(), parts.counts.data(), parts.displacements.data(), MPI_BYTE, mine.data(),
                         my_count, MPI_BYTE, v.root, comm);
        });
    return wrong(mine.data(), my_count, [&](long i) { return Algebra<Byte>::value(rank, i); });
}

long run_allgather(MPI_Comm comm, int count, const Variant& v) {
    const int rank = rank_of(comm);
    const auto mine = contribution<Byte>(rank, count);
    std::vector<Byte> all(product(count, size_of(comm)));
    if (v.in_place) {
        std::copy(mine.begin(), mine.end(), all.begin() + static_cast<long>(product(count, rank)));
    }
    const void* send = v.in_place ? MPI_IN_PLACE : mine.data();
    call(
        v,
        [&](MPI_Request* r) { MPI_Iallgather(send, count, MPI_BYTE, all.data(), count, MPI_BYTE, comm, r); },
        [&] { MPI_Allgather(send, count, MPI_BYTE, all.data(), count, MPI_BYTE, comm); });
    return wrong_blocks(all, count);
}

long run_allgatherv(MPI_Comm comm, int count, const Variant& v) {
    const int rank = rank_of(comm);
    const Uneven parts(count, size_of(comm));
    const int my_count = parts.counts[static_cast<std::size_t>(rank)];
    const auto mine = contribution<Byte>(rank, my_count);
    std::vector<Byte> all(static_cast<std::size_t>(parts.total));
    if (v.in_place) {
        std::copy(mine.begin(), mine.end(),
                  all.begin() + parts.displacements[static_cast<std::size_t>(rank)]);
    }
    const void* send = v.in_place ? MPI_IN_PLACE : mine.data();
    call(
        v,
        [&](MPI_Request* r) {
            MPI_Iallgatherv(send, my_count, MPI_BYTE, all.data(), parts.counts.data(),
                            parts.displacements.data(), MPI_BYTE, comm, r);
        },
        [&] {
            MPI_Allgatherv(send, my_count, MPI_BYTE, all.data(), parts.counts.data(),
                           parts.displacements.data(), MPI_BYTE, comm);
        });
    return wrong_parts(all, parts);
}

// Buffers of the three all-to-alls; in place, what is to be sent starts in the receive buffer.
struct Letters {
    Letters(MPI_Comm comm, int count_, bool in_place)
        : count(count_),
          rank(rank_of(comm)),
          ranks(size_of(comm)),
          send(product(count, ranks)),
          receive(send.size()) {
        send.reserve(1);  // empty buffers must not be aliased either
        receive.reserve(1);
        for (std::size_t i = 0; i < send.size(); ++i) {
            send[i] = letter(rank, static_cast<int>(i) / count, static_cast<long>(i) % count);
        }
        if (in_place) {
            receive = send;
        }
        send_pointer = in_place ? MPI_IN_PLACE : static_cast<const void*>(send.data());
        counts.assign(static_cast<std::size_t>(ranks), count);
        for (int r = 0; r < ranks; ++r) {
            displacements.push_back(r * count);
        }
        types.assign(static_cast<std::size_t>(ranks), MPI_BYTE);
    }
    long errors() const {
        return wrong(receive.data(), static_cast<long>(receive.size()),
                     [&](long i) { return letter(static_cast<int>(i / count), rank, i % count); });
    }
    int count;
    int rank;
    int ranks;
    std::vector<Byte> send;
    std::vector<Byte> receive;
    const void* send_pointer = nullptr;
    std::vector<int> counts;
    std::vector<int> displacements;
    std::vector<MPI_Datatype> types;
};

long run_alltoall(MPI_Comm comm, int count, const Variant& v) {
    Letters l(comm, count, v.in_place);
    call(
        v,
        [&](MPI_Request* r) {
            MPI_Ialltoall(l.send_pointer, count, MPI_BYTE, l.receive.data(), count, MPI_BYTE, comm, r);
        },
        [&] { MPI_Alltoall(l.send_pointer, count, MPI_BYTE, l.receive.data(), count, MPI_BYTE, comm); });
    return l.errors();
}

long run_alltoallv(MPI_Comm comm, int count, const Variant& v) {
    Letters l(comm, count, v.in_place);
    const int* counts = l.counts.data();
    const int* displs = l.displacements.data();
    call(
        v,
        [&](MPI_Request* r) {
            MPI_Ialltoallv(l.send_pointer, counts, displs, MPI_BYTE, l.receive.data(), counts, displs,
                           MPI_BYTE, comm, r);
        },
        [&] {
            MPI_Alltoallv(l.send_pointer, counts, displs, MPI_BYTE, l.receive.data(), counts, displs,
                          MPI_BYTE, comm);
        });
    return l.errors();
}

long run_alltoallw(MPI_Comm comm, int count, const Variant& v) {
    Letters l(comm, count, v.in_place);
    const int* counts = l.counts.data();
    const int* displs = l.displacements.data();
    const MPI_Datatype* types = l.types.data();
    call(
        v,
        [&](MPI_Request* r) {
            MPI_Ialltoallw(l.send_pointer, counts, displs, types, l.receive.data(), counts, displs, types,
                           comm, r);
        },
        [&] {
            MPI_Alltoallw(l.send_pointer, counts, displs, types, l.receive.data(), counts, displs, types,
                          comm);
        });
    return l.errors();
}

}  // namespace

const std::vector<CheckedCollective>& checked_collectives() {
    static const std::vector<CheckedCollective> list = {
        {"barrier", false, false, run_barrier},
        {"bcast", false, false, run_bcast},
        {"gather", false, true, run_gather},
        {"gatherv", false, false, run_gatherv},
        {"scatter", false, true, run_scatter},
        {"scatterv", false, false, run_scatterv},
        {"allgather", false, true, run_allgather},
        {"allgatherv", false, true, run_allgatherv},
        {"alltoall", false, true, run_alltoall},
        {"alltoallv", false, true, run_alltoallv},
        {"alltoallw", false, true, run_alltoallw},
        {"reduce", true, true, run_reduce},
        {"allreduce", true, true, run_allreduce},
        {"reduce_scatter", true, true, run_reduce_scatter},
        {"reduce_scatter_block", true, true, run_reduce_scatter_block},
        {"scan", true, true, run_scan},
        {"exscan", true, true, run_exscan},
    };
    return list;
}

long run_inter_gather(MPI_Comm inter, bool lower_group, int count, bool nonblocking) {
    int remote = 0;
    MPI_Comm_remote_size(inter, &remote);
    const int rank = rank_of(inter);
    const int root = lower_group ? (rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
    const auto mine = contribution<Byte>(rank, count);
    std::vector<Byte> all(root == MPI_ROOT ? product(count, remote) : 0);
    Variant v;
    v.nonblocking = nonblocking;
    call(
        v,
        [&](MPI_Request* r) {
            MPI_Igather(mine.data(), count, MPI_BYTE, all.data(), count, MPI_BYTE, root, inter, r);
        },
        [&] { MPI_Gather(mine.data(), count, MPI_BYTE, all.data(), count, MPI_BYTE, root, inter); });
    return wrong_blocks(all, count);
}

long run_inter_scatter(MPI_Comm inter, bool lower_group, int count, bool nonblocking) {
    int remote = 0;
    MPI_Comm_remote_size(inter, &remote);
    const int rank = rank_of(inter);
    const int root = lower_group ? (rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
    std::vector<Byte> all;
    if (root == MPI_ROOT) {
        for (int r = 0; r < remote; ++r) {
            const auto part = contribution<Byte>(r, count);
            all.insert(all.end(), part.begin(), part.end());
        }
    }
    std::vector<Byte> mine(static_cast<std::size_t>(count));
    Variant v;
    v.nonblocking = nonblocking;
    call(
        v,
        [&](MPI_Request* r) {
            MPI_Iscatter(all.data(), count, MPI_BYTE, mine.data(), count, MPI_BYTE, root, inter, r);
        },
        [&] { MPI_Scatter(all.data(), count, MPI_BYTE, mine.data(), count, MPI_BYTE, root, inter); });
    return lower_group ? 0 : wrong(mine.data(), count, [&](long i) { return Algebra<Byte>::value(rank, i); });
}
