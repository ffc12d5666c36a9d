// SPDX-License-Identifier: MIT
// Any bytes as a text that the tuner reads (readers.cpp). An Error with a text may come out of it, and
// nothing else: no other exception, no crash, no leak, no second of processor time. For libFuzzer. usage:
// readers_fuzz --reader=NAME OPTIONS_OF_LIBFUZZER
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>

#include "error.hpp"
#include "json_damage.hpp"
#include "readers.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

const fuzz::Reader* chosen = nullptr;

void choose_reader(std::string_view name) {
    for (const fuzz::Reader& reader : fuzz::readers()) {
        chosen = reader.name == name ? &reader : chosen;
    }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
    constexpr std::string_view option = "--reader=";
    for (int i = 1; i < *count; ++i) {
        const std::string_view argument = (*arguments)[i];
        if (argument.starts_with(option)) {
            choose_reader(argument.substr(option.size()));
        }
    }
    if (chosen == nullptr) {
        std::fprintf(stderr, "name a reader of readers.cpp: --reader=NAME\n");
        std::exit(2);
    }
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
    fuzz::Random random(seed);
    if (random() % 3 != 0) {
        const std::string text(reinterpret_cast<const char*>(data), size);
        const auto damaged =
            chosen->is_lines ? fuzz::damaged_line(text, random) : fuzz::damaged_json(text, random);
        if (damaged && damaged->size() <= max_size) {
            std::memcpy(data, damaged->data(), damaged->size());
            return damaged->size();
        }
    }
    return LLVMFuzzerMutate(data, size, max_size);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // of processor time: a busy machine is not a slow reader
    const std::clock_t start = std::clock();
    try {
        chosen->read(std::string(reinterpret_cast<const char*>(data), size));
    } catch (const tuner::Error& error) {
        if (std::string_view(error.what()).empty()) {
            std::abort();
        }
    }
    if (std::clock() - start > CLOCKS_PER_SEC) {
        std::fprintf(stderr, "this input takes more than a second\n");
        std::abort();
    }
    return 0;
}
