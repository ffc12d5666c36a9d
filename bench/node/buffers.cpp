// SPDX-License-Identifier: MIT
#include "buffers.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <string>

namespace bench {

namespace {

std::size_t available_memory() {
    std::ifstream meminfo("/proc/meminfo");
    for (std::string line; std::getline(meminfo, line);) {
        if (line.starts_with("MemAvailable:")) {
            return std::stoull(line.substr(line.find_first_of("0123456789"))) * 1024;
        }
    }
    return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 2;
}

std::size_t last_level_cache() {
    long size = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
    size = std::max({sysconf(_SC_LEVEL3_CACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_SIZE), 0L});
#endif
    return size > 0 ? static_cast<std::size_t>(size) : std::size_t{32} << 20;  // not told: larger than most
}

}  // namespace

void Buffer::Free::operator()(void* pointer) const {
    std::free(pointer);
}

Buffer::Buffer(std::size_t bytes) : size_(bytes) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t rounded = (std::max<std::size_t>(bytes, 1) + page - 1) / page * page;
    data_.reset(std::aligned_alloc(page, rounded));
    if (!data_) {
        throw std::bad_alloc();
    }
    std::memset(data_.get(), 0, rounded);
}

std::size_t memory_for_each_rank(int ranks_on_host, MPI_Comm comm) {
    unsigned long long mine = available_memory() / 4 * 3 / static_cast<unsigned>(ranks_on_host);
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UNSIGNED_LONG_LONG, MPI_MIN, comm);
    return mine;
}

CacheFlush::CacheFlush() : memory_(bytes()) {}

std::size_t CacheFlush::bytes() {
    return 2 * last_level_cache();
}

void CacheFlush::operator()() {
    // a write to every line
    auto* bytes = static_cast<volatile unsigned char*>(memory_.data());
    for (std::size_t i = 0; i < memory_.size(); i += 64) {
        bytes[i] = static_cast<unsigned char>(bytes[i] + 1);
    }
}

}  // namespace bench
