// SPDX-License-Identifier: MIT
// To be preloaded: the raw clock of each rank is shifted by a second for its rank, and runs 100 ppm faster on
// odd ranks and slower on even ones, as if each had a node of its own with a bad clock. Drift is 0 at
// TEST_CLOCK_BEGIN_NS on the real clock, or when the clock is first read. The system's other clocks are left
// alone, unless these are set: the time of day is TEST_CLOCK_AHEAD_S seconds ahead; the monotonic clock,
// which programs measure their own speed with, runs TEST_CLOCK_SPEED times as fast, as if the node were
// slower.
#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <ctime>

extern "C" int clock_gettime(clockid_t id, timespec* now) noexcept {
    using Function = int (*)(clockid_t, timespec*);
    static const auto real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "clock_gettime"));
    static const char* const text = std::getenv("PMI_RANK");
    static const std::int64_t rank = text == nullptr ? 0 : std::atoi(text);
    static const char* const begin_text = std::getenv("TEST_CLOCK_BEGIN_NS");
    static std::int64_t begin = begin_text == nullptr ? -1 : std::atoll(begin_text);
    static const char* const ahead = std::getenv("TEST_CLOCK_AHEAD_S");
    static const char* const speed = std::getenv("TEST_CLOCK_SPEED");

    const int result = real(id, now);
    if (id == CLOCK_REALTIME && ahead != nullptr) {
        now->tv_sec += std::atoll(ahead);
    }
    if (id == CLOCK_MONOTONIC && speed != nullptr) {
        const std::int64_t fast =
            (std::int64_t{now->tv_sec} * 1'000'000'000 + now->tv_nsec) * std::atoll(speed);
        *now = {fast / 1'000'000'000, fast % 1'000'000'000};
    }
    if (id != CLOCK_MONOTONIC_RAW || result != 0 || rank == 0) {
        return result;
    }
    const std::int64_t time = std::int64_t{now->tv_sec} * 1'000'000'000 + now->tv_nsec;
    if (begin < 0) {
        begin = time;
    }
    const std::int64_t drift = (time - begin) / 10'000 * (rank % 2 == 0 ? -1 : 1);
    const std::int64_t shifted = time + rank * 1'000'000'000 + drift;
    now->tv_sec = shifted / 1'000'000'000;
    now->tv_nsec = shifted % 1'000'000'000;
    return 0;
}
