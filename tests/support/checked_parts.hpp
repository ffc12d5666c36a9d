// SPDX-License-Identifier: MIT
// What the checked collectives have in common: elements with a known value for each rank and place, a known
// combination over ranks, and the call in its blocking or nonblocking form.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "checked_collectives.hpp"
#include "lifetime.hpp"

namespace checked {

using Byte = std::uint8_t;

struct Map {  // x -> a x + b, modulo 2^16
    std::uint16_t a;
    std::uint16_t b;
    bool operator==(const Map&) const = default;
};

template <class Element>
struct Algebra;

template <>
struct Algebra<Byte> {
    static MPI_Datatype datatype() { return MPI_UINT8_T; }
    static MPI_Op op() { return MPI_SUM; }
    static Byte value(int rank, long i) { return static_cast<Byte>(rank * 37 + i * 11 + 5); }
    static Byte combine(Byte x, Byte y) { return static_cast<Byte>(x + y); }
};

template <class Element>
MPI_Op user_op(bool commutes) {
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(
        [](void* in, void* inout, int* length, MPI_Datatype*) {
            for (int i = 0; i < *length; ++i) {
                auto& target = static_cast<Element*>(inout)[i];
                target = Algebra<Element>::combine(static_cast<const Element*>(in)[i], target);
            }
        },
        commutes, &op);
    return op;
}

template <>
struct Algebra<std::uint32_t> {
    static MPI_Datatype datatype() { return MPI_UINT32_T; }
    static std::uint32_t value(int rank, long i) {
        return static_cast<std::uint32_t>(rank * 1000003 + i * 17);
    }
    static std::uint32_t combine(std::uint32_t x, std::uint32_t y) { return x + y; }
    static MPI_Op op() {
        static const MPI_Op op = user_op<std::uint32_t>(true);
        return op;
    }
};

template <>
struct Algebra<Map> {
    static MPI_Datatype datatype() {
        static const MPI_Datatype type = [] {
            MPI_Datatype pair = MPI_DATATYPE_NULL;
            MPI_Type_contiguous(2, MPI_UINT16_T, &pair);
            MPI_Type_commit(&pair);
            bench::free_with(MPI_COMM_SELF, pair);
            return pair;
        }();
        return type;
    }
    static Map value(int rank, long i) {
        return {static_cast<std::uint16_t>(2 * (rank * 7 + i) + 3),
                static_cast<std::uint16_t>(rank * 31 + i * 5 + 1)};
    }
    // first x, then y
    static Map combine(const Map& x, const Map& y) {
        return {static_cast<std::uint16_t>(unsigned{x.a} * y.a),
                static_cast<std::uint16_t>(unsigned{y.a} * x.b + y.b)};
    }
    static MPI_Op op() {
        static const MPI_Op op = user_op<Map>(false);
        return op;
    }
};

inline int rank_of(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

inline int size_of(MPI_Comm comm) {
    int size = 0;
    MPI_Comm_size(comm, &size);
    return size;
}

template <class Start, class Block>
void call(const Variant& variant, Start start, Block block) {
    if (variant.nonblocking) {
        MPI_Request request = MPI_REQUEST_NULL;
        start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        block();
    }
}

template <class Element, class Expected>
long wrong(const Element* got, long count, Expected expected) {
    long errors = 0;
    for (long i = 0; i < count; ++i) {
        errors += !(got[i] == expected(i));
    }
    return errors;
}

template <class Element>
std::vector<Element> contribution(int rank, long count) {
    std::vector<Element> values(static_cast<std::size_t>(count));
    for (long i = 0; i < count; ++i) {
        values[static_cast<std::size_t>(i)] = Algebra<Element>::value(rank, i);
    }
    return values;
}

// The combination of element i over ranks first ... last
template <class Element>
Element combined(int first, int last, long i) {
    Element result = Algebra<Element>::value(first, i);
    for (int rank = first + 1; rank <= last; ++rank) {
        result = Algebra<Element>::combine(result, Algebra<Element>::value(rank, i));
    }
    return result;
}

inline std::size_t product(int count, int ranks) {
    return static_cast<std::size_t>(count) * static_cast<std::size_t>(ranks);
}

long run_reduce(MPI_Comm comm, int count, const Variant& v);
long run_allreduce(MPI_Comm comm, int count, const Variant& v);
long run_reduce_scatter(MPI_Comm comm, int count, const Variant& v);
long run_reduce_scatter_block(MPI_Comm comm, int count, const Variant& v);
long run_scan(MPI_Comm comm, int count, const Variant& v);
long run_exscan(MPI_Comm comm, int count, const Variant& v);

}  // namespace checked
