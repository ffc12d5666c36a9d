// SPDX-License-Identifier: MIT
// Any bytes as one file of a trace, beside sound files of the other ranks and alone: read, matched, analysed,
// compared, and written in every format. An Error may come out of it, and nothing else. For libFuzzer; all of
// tuner/trace is compiled with the sanitizers.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <span>
#include <sstream>

#include "chrome.hpp"
#include "error.hpp"
#include "made_up_trace.hpp"
#include "replay_program.hpp"
#include "small_disk.hpp"
#include "trace_comparison.hpp"
#include "trace_figures.hpp"
#include "trace_text.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using namespace tuner::trace;

constexpr std::size_t ranks = 4;

struct Files {
    TemporaryFolder folder;
    std::vector<std::string> sound;

    Files() {
        made_up::World world;
        world.layout = models::RankPlacement(2, 2);
        made_up::Recorder recorder(world);
        recorder.call("allgather", "ring", 4096);
        recorder.call("allgather", "recursive_doubling", 4096);
        recorder.call("allreduce", "recursive_doubling", 64);
        recorder.call("bcast", "binomial", 1 << 17, 2);
        // the last one inside of another, and it does not block
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            std::vector<FileEvent>& events = recorder.events_of(rank);
            for (FileEvent& event : events) {
                if (event.kind == static_cast<std::uint8_t>(EventKind::enter) && event.call == 3) {
                    event.end_ns =
                        std::bit_cast<std::int64_t>(FileEvent::Enter{2, recorder.name("bcast/"), 1});
                    event.flags = flag_nonblocking;
                }
            }
            sound.push_back(recorder.bytes_of(rank));
            write("all", rank, sound.back());
        }
    }
    std::string prefix(const char* which) const { return (folder.path / which).string(); }
    void write(const char* which, std::size_t rank, std::string_view bytes) const {
        std::ofstream(prefix(which) + "." + std::to_string(rank) + ".events", std::ios::binary) << bytes;
    }
    void remove(const char* which, std::size_t rank) const {
        std::filesystem::remove(prefix(which) + "." + std::to_string(rank) + ".events");
    }
};

const Files& files() {
    static const Files all;
    return all;
}

// Which rank the bytes say they are of, if it is one of the trace
std::size_t rank_of(std::string_view bytes) {
    std::int32_t rank = 0;
    if (bytes.size() >= sizeof(FileHeader)) {
        std::memcpy(&rank, bytes.data() + offsetof(FileHeader, world_rank), sizeof rank);
    }
    return rank >= 0 && rank < static_cast<std::int32_t>(ranks) ? static_cast<std::size_t>(rank) : 0;
}

void use(const std::string& prefix) {
    try {
        const LoadedTrace loaded(prefix);
        std::ostringstream chrome;
        write_chrome(loaded.matched, chrome);
        if (to_text(loaded).empty() || chrome.str().empty() ||
            to_json(loaded).dump(-1, ' ', false, tuner::Json::error_handler_t::replace).empty()) {
            std::abort();
        }
        for (const Kind& kind : loaded.analysis.kinds) {
            tuner::report::svg_file(draw_timemap(kind));
            tuner::report::svg_file(draw_messages(loaded, kind));
            tuner::report::svg_file(draw_waits(kind));
        }
        to_text(compare_traces(loaded, loaded));
        to_json(compare_algorithms(loaded.analysis, "ring", "recursive_doubling")).dump();
        replay_program(loaded.matched);
    } catch (const tuner::Error& error) {
        if (std::string_view(error.what()).empty()) {
            std::abort();
        }
    }
}

// Damage as it happens, and as nobody would think of
class Damage {
  public:
    Damage(std::string& bytes, unsigned seed) : bytes_(bytes), random_(seed) {}

    void once() {
        static constexpr void (Damage::*kinds[])() = {&Damage::bit,  &Damage::value,  &Damage::value,
                                                      &Damage::cut,  &Damage::splice, &Damage::field,
                                                      &Damage::noise};
        (this->*kinds[below(std::size(kinds))])();
    }
    std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

  private:
    // Half of them before the events, where everything counts
    std::size_t place() {
        return below(below(2) == 0 ? std::min(bytes_.size(), events_at()) : bytes_.size());
    }
    // As in a sound file: the writer puts them at the end
    std::size_t events_at() const {
        const std::size_t size = files().sound[0].size();
        std::uint64_t events = 0;
        std::memcpy(&events, files().sound[0].data() + offsetof(FileHeader, events), sizeof events);
        return size - events * sizeof(FileEvent);
    }
    std::size_t event_count() const {
        return bytes_.size() < events_at() ? 0 : (bytes_.size() - events_at()) / sizeof(FileEvent);
    }
    char* event(std::size_t number) { return bytes_.data() + events_at() + number * sizeof(FileEvent); }

    void bit() {
        if (!bytes_.empty()) {
            char& byte = bytes_[place()];
            byte = static_cast<char>(byte ^ (1 << below(8)));
        }
    }
    void value() {
        constexpr std::uint64_t odd_values[] = {0,          1,          2,          0x7fffffff, 0x80000000,
                                                0xffffffff, UINT64_MAX, 1ULL << 63, 1ULL << 62, 1ULL << 59};
        const std::size_t width = std::size_t{1} << below(4);
        const std::size_t at = place() / width * width;
        const std::uint64_t value = below(2) == 0 ? odd_values[below(std::size(odd_values))] : random_();
        if (at + width <= bytes_.size()) {
            std::memcpy(bytes_.data() + at, &value, width);
        }
    }
    void cut() { bytes_.resize(below(bytes_.size())); }
    // A record instead of another, or once more at the end
    void splice() {
        if (event_count() == 0) {
            return;
        }
        const std::string record(event(below(event_count())), sizeof(FileEvent));
        if (below(2) == 0) {
            std::memcpy(event(below(event_count())), record.data(), record.size());
        } else {
            bytes_.resize(events_at() + event_count() * sizeof(FileEvent));
            bytes_ += record;
            const std::uint64_t events = event_count();
            std::memcpy(bytes_.data() + offsetof(FileHeader, events), &events, sizeof events);
        }
    }
    // A field of a record instead of the same one of another
    void field() {
        if (event_count() == 0) {
            return;
        }
        const std::size_t width = std::size_t{1} << below(4);
        const std::size_t at = below(sizeof(FileEvent) / width) * width;
        const char* from = event(below(event_count())) + at;
        std::memmove(event(below(event_count())) + at, from, width);
    }
    void noise() {
        std::vector<std::uint8_t> changed(bytes_.begin(), bytes_.end());
        const std::size_t size = changed.size();
        changed.resize(size + 64);
        changed.resize(LLVMFuzzerMutate(changed.data(), size, changed.size()));
        bytes_.assign(changed.begin(), changed.end());
    }

    std::string& bytes_;
    std::mt19937_64 random_;
};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
    std::string bytes(reinterpret_cast<const char*>(data), size);
    Damage damage(bytes, seed);
    if (size < sizeof(FileHeader) || damage.below(10) == 0) {
        bytes = files().sound[damage.below(ranks)];
    }
    for (std::size_t changes = 1 + damage.below(4); changes > 0; --changes) {
        damage.once();
    }
    bytes.resize(std::min(bytes.size(), max_size));
    std::memcpy(data, bytes.data(), bytes.size());
    return bytes.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const std::size_t rank = rank_of(bytes);
    // of processor time: a busy machine is not a slow file
    const std::clock_t start = std::clock();
    files().write("all", rank, bytes);
    use(files().prefix("all"));
    files().write("all", rank, files().sound[rank]);
    files().write("alone", rank, bytes);
    use(files().prefix("alone"));
    files().remove("alone", rank);
    if (std::clock() - start > CLOCKS_PER_SEC) {
        std::fprintf(stderr, "this file takes more than a second\n");
        std::abort();
    }
    return 0;
}
