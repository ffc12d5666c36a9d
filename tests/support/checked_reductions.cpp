// SPDX-License-Identifier: MIT
// The collectives that combine data.
#include <numeric>

#include "checked_parts.hpp"

namespace checked {

namespace {

using Blocking = int (*)(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);
using Nonblocking = int (*)(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*);

// allreduce, scan and exscan: this rank gets the combination over ranks 0 ... last
template <class Element>
long prefix(MPI_Comm comm, int count, const Variant& v, Blocking block, Nonblocking start, int last) {
    using A = Algebra<Element>;
    auto mine = contribution<Element>(rank_of(comm), count);
    std::vector<Element> result(v.in_place ? mine : std::vector<Element>(mine.size()));
    const void* send = v.in_place ? MPI_IN_PLACE : mine.data();
    call(
        v, [&](MPI_Request* r) { start(send, result.data(), count, A::datatype(), A::op(), comm, r); },
        [&] { block(send, result.data(), count, A::datatype(), A::op(), comm); });
    return last < 0 ? 0 : wrong(result.data(), count, [&](long i) { return combined<Element>(0, last, i); });
}

template <class Element>
long reduce(MPI_Comm comm, int count, const Variant& v) {
    using A = Algebra<Element>;
    const int rank = rank_of(comm);
    auto mine = contribution<Element>(rank, count);
    std::vector<Element> result(mine.size());
    const bool in_place = v.in_place && rank == v.root;
    if (in_place) {
        result = mine;
    }
    const void* send = in_place ? MPI_IN_PLACE : mine.data();
    call(
        v,
        [&](MPI_Request* r) {
            MPI_Ireduce(send, result.data(), count, A::datatype(), A::op(), v.root, comm, r);
        },
        [&] { MPI_Reduce(send, result.data(), count, A::datatype(), A::op(), v.root, comm); });
    if (rank != v.root) {
        return 0;
    }
    return wrong(result.data(), count, [&](long i) { return combined<Element>(0, size_of(comm) - 1, i); });
}

template <class Element>
long reduce_scatter_block(MPI_Comm comm, int count, const Variant& v) {
    using A = Algebra<Element>;
    const int rank = rank_of(comm);
    const int ranks = size_of(comm);
    auto mine = contribution<Element>(rank, static_cast<long>(product(count, ranks)));
    std::vector<Element> result(v.in_place ? mine : std::vector<Element>(static_cast<std::size_t>(count)));
    const void* send = v.in_place ? MPI_IN_PLACE : mine.data();
    call(
        v,
        [&](MPI_Request* r) {
            MPI_Ireduce_scatter_block(send, result.data(), count, A::datatype(), A::op(), comm, r);
        },
        [&] { MPI_Reduce_scatter_block(send, result.data(), count, A::datatype(), A::op(), comm); });
    const long first = static_cast<long>(product(count, rank));
    return wrong(result.data(), count, [&](long i) { return combined<Element>(0, ranks - 1, first + i); });
}

// Even counts on odd sizes, uneven ones on even sizes: both kinds are selected differently
template <class Element>
long reduce_scatter(MPI_Comm comm, int count, const Variant& v) {
    using A = Algebra<Element>;
    const int rank = rank_of(comm);
    const int ranks = size_of(comm);
    std::vector<int> counts(static_cast<std::size_t>(ranks), count);
    if (count % 2 == 0 && count > 0 && ranks > 1) {
        ++counts.front();
        --counts.back();
    }
    auto mine = contribution<Element>(rank, static_cast<long>(product(count, ranks)));
    const int my_count = counts[static_cast<std::size_t>(rank)];
    std::vector<Element> result(v.in_place ? mine : std::vector<Element>(static_cast<std::size_t>(my_count)));
    const void* send = v.in_place ? MPI_IN_PLACE : mine.data();
    call(
        v,
        [&](MPI_Request* r) {
            MPI_Ireduce_scatter(send, result.data(), counts.data(), A::datatype(), A::op(), comm, r);
        },
        [&] { MPI_Reduce_scatter(send, result.data(), counts.data(), A::datatype(), A::op(), comm); });
    const long first = std::accumulate(counts.begin(), counts.begin() + rank, 0L);
    return wrong(result.data(), my_count, [&](long i) { return combined<Element>(0, ranks - 1, first + i); });
}

// The element type of the variant's reduction
template <class Function>
long by_reduction(const Variant& v, Function function) {
    switch (v.reduction) {
        case Reduction::commutative:
            return function(std::uint32_t{});
        case Reduction::ordered:
            return function(Map{});
        default:
            return function(Byte{});
    }
}

}  // namespace

long run_reduce(MPI_Comm comm, int count, const Variant& v) {
    return by_reduction(v, [&](auto element) { return reduce<decltype(element)>(comm, count, v); });
}

long run_reduce_scatter(MPI_Comm comm, int count, const Variant& v) {
    return by_reduction(v, [&](auto element) { return reduce_scatter<decltype(element)>(comm, count, v); });
}

long run_reduce_scatter_block(MPI_Comm comm, int count, const Variant& v) {
    return by_reduction(
        v, [&](auto element) { return reduce_scatter_block<decltype(element)>(comm, count, v); });
}

long run_allreduce(MPI_Comm comm, int count, const Variant& v) {
    return by_reduction(v, [&](auto element) {
        return prefix<decltype(element)>(comm, count, v, MPI_Allreduce, MPI_Iallreduce, size_of(comm) - 1);
    });
}

long run_scan(MPI_Comm comm, int count, const Variant& v) {
    return by_reduction(v, [&](auto element) {
        return prefix<decltype(element)>(comm, count, v, MPI_Scan, MPI_Iscan, rank_of(comm));
    });
}

long run_exscan(MPI_Comm comm, int count, const Variant& v) {
    return by_reduction(v, [&](auto element) {
        return prefix<decltype(element)>(comm, count, v, MPI_Exscan, MPI_Iexscan, rank_of(comm) - 1);
    });
}

}  // namespace checked
