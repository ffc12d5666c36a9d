// SPDX-License-Identifier: MIT
#include "elements.hpp"

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "lifetime.hpp"

namespace bench {

namespace {

struct Map {  // x -> a x + b modulo 2^16: their composition may not change order
    std::uint16_t a;
    std::uint16_t b;
    bool operator==(const Map&) const = default;
};

// Small whole numbers: sums are exact in every type, in any order
template <class T>
T value(int rank, std::size_t index) {
    return static_cast<T>((static_cast<std::size_t>(rank) * 5 + index * 3) % 61);
}

template <class T>
T combine(const T& x, const T& y) {
    return static_cast<T>(x + y);
}

template <>
Map value(int rank, std::size_t index) {
    return {static_cast<std::uint16_t>(2 * (static_cast<std::size_t>(rank) * 7 + index) + 3),
            static_cast<std::uint16_t>(static_cast<std::size_t>(rank) * 31 + index * 5 + 1)};
}

template <>
Map combine(const Map& x, const Map& y) {
    return {static_cast<std::uint16_t>(unsigned{x.a} * y.a),
            static_cast<std::uint16_t>(unsigned{y.a} * x.b + y.b)};
}

template <class T>
T element(const Origin& origin) {
    T result = value<T>(origin.first, origin.index);
    for (int rank = origin.first + 1; rank <= origin.last; ++rank) {
        result = combine(result, value<T>(rank, origin.index));
    }
    return result;
}

bool is_defined(const Origin& origin) {
    return origin.first <= origin.last;
}

template <class T>
void fill(void* buffer, std::size_t count, const Elements::OriginOf& origin_of) {
    for (std::size_t i = 0; i < count; ++i) {
        const Origin origin = origin_of(i);
        if (is_defined(origin)) {
            static_cast<T*>(buffer)[i] = element<T>(origin);
        }
    }
}

// Of both signs and very different size, the same on every machine
template <class T>
T rounding_value(int rank, std::size_t index) {
    std::uint64_t z = (static_cast<std::uint64_t>(rank) << 40) + index + 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;  // mixes bits as SplitMix64 does (Steele, Lea, Flood 2014)
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    z ^= z >> 31;
    const double fraction = 1 + static_cast<double>(z >> 12) * 0x1p-52;
    const int exponent = static_cast<int>(z % 17) - 8;
    return static_cast<T>(std::ldexp((z & 0x800) != 0 ? -fraction : fraction, exponent));
}

template <class T>
void fill_rounding(void* buffer, std::size_t count, const Elements::OriginOf& origin_of) {
    for (std::size_t i = 0; i < count; ++i) {
        const Origin origin = origin_of(i);
        if (is_defined(origin)) {
            static_cast<T*>(buffer)[i] = rounding_value<T>(origin.first, origin.index);
        }
    }
}

template <class T>
std::size_t wrong(const void* buffer, std::size_t count, const Elements::OriginOf& origin_of) {
    std::size_t errors = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Origin origin = origin_of(i);
        errors += is_defined(origin) && !(static_cast<const T*>(buffer)[i] == element<T>(origin));
    }
    return errors;
}

template <class T>
MPI_Op user_operation(bool commutes) {
    MPI_Op operation = MPI_OP_NULL;
    MPI_Op_create(
        [](void* in, void* inout, int* length, MPI_Datatype*) {
            for (int i = 0; i < *length; ++i) {
                auto& target = static_cast<T*>(inout)[i];
                target = combine(static_cast<const T*>(in)[i], target);
            }
        },
        commutes, &operation);
    return operation;
}

MPI_Datatype map_type() {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_UINT16_T, &type);
    MPI_Type_commit(&type);
    free_with(MPI_COMM_SELF, type);
    return type;
}

template <class T>
void add_rows(std::vector<Elements>& table, const char* name, MPI_Datatype datatype) {
    table.push_back({name, "sum", datatype, MPI_SUM, sizeof(T), fill<T>, wrong<T>});
    table.push_back({name, "user", datatype, user_operation<T>(true), sizeof(T), fill<T>, wrong<T>});
}

const std::vector<Elements>& table() {
    static const std::vector<Elements> rows = [] {
        std::vector<Elements> list;
        add_rows<std::uint8_t>(list, "byte", MPI_UINT8_T);
        add_rows<std::int32_t>(list, "int", MPI_INT32_T);
        add_rows<float>(list, "float", MPI_FLOAT);
        add_rows<double>(list, "double", MPI_DOUBLE);
        list.push_back(
            {"map", "ordered", map_type(), user_operation<Map>(false), sizeof(Map), fill<Map>, wrong<Map>});
        return list;
    }();
    return rows;
}

// The sums of floating-point numbers, in place of all others of their size
template <class T>
std::vector<Elements> rounding_rows(const char* name, MPI_Datatype datatype) {
    const auto nothing_known = [](const void*, std::size_t, const Elements::OriginOf&) {
        return std::size_t{0};
    };
    return {{name, "sum", datatype, MPI_SUM, sizeof(T), fill_rounding<T>, nothing_known},
            {name, "user", datatype, user_operation<T>(true), sizeof(T), fill_rounding<T>, nothing_known}};
}

const std::vector<Elements>& rounding_table() {
    static const std::vector<Elements> rows = [] {
        std::vector<Elements> list = rounding_rows<float>("float", MPI_FLOAT);
        for (const Elements& row : rounding_rows<double>("double", MPI_DOUBLE)) {
            list.push_back(row);
        }
        return list;
    }();
    return rows;
}

}  // namespace

const Elements* rounding_elements(const Elements& elements) {
    for (const Elements& row : rounding_table()) {
        if (row.size == elements.size && std::string_view(row.operation_name) == elements.operation_name) {
            return &row;
        }
    }
    return nullptr;
}

const Elements& find_elements(const std::string& datatype, const std::string& operation) {
    for (const Elements& row : table()) {
        if (operation == row.operation_name && (datatype == row.datatype_name || operation == "ordered")) {
            return row;
        }
    }
    throw std::invalid_argument("there is no datatype '" + datatype + "' with operation '" + operation +
                                "'; choose byte, int, float or double, and sum, user or ordered");
}

}  // namespace bench
