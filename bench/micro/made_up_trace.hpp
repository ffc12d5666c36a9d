// SPDX-License-Identifier: MIT
// Traces with known answers: ranks follow a schedule of the models over links with given times, some of them
// late or slow, each with a clock of its own; what the library would have recorded is written to files.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "format.hpp"
#include "schedule.hpp"
#include "trace.hpp"

namespace made_up {

using namespace tuner::trace;

struct World {
    models::RankPlacement layout{4, 2};
    double latency_between = 50e-6;
    double latency_within = 2e-6;
    double byte_between = 8e-9;
    double byte_within = 0.5e-9;
    double byte_combined = 1e-9;
    std::size_t eager_bytes = 16384;
    int slow_node = -1;
    std::pair<int, int> slow_link = {-1, -1};  // from and to
    double slow_factor = 10;
    int late_rank = -1;
    double late_seconds = 0.005;
    double pause_seconds = 100e-6;           // between two calls
    std::vector<double> shift_seconds = {};  // of each rank's clock; none: 0
    std::vector<double> drift = {};          // 1e-4: 100 ppm
    double sync_error_seconds = 1e-6;
    std::uint64_t job = 1;
    std::vector<std::string> hosts = {};  // of each node, up to 63 characters; none: made-up
};

class Recorder {
  public:
    explicit Recorder(World world)
        : world_(std::move(world)),
          now_(static_cast<std::size_t>(world_.layout.ranks()), 1.0),
          events_(now_.size()),
          calls_(now_.size(), 0) {}

    // One call on all ranks; how many messages it took (those of a rank to itself are copies)
    std::size_t call(const std::string& collective, const std::string& algorithm, std::size_t bytes,
                     int root = 0) {
        const models::Algorithm* known = models::find_algorithm(collective, algorithm);
        if (known == nullptr) {
            throw std::invalid_argument("no schedule of " + collective + "/" + algorithm);
        }
        models::Call call{&world_.layout, bytes};
        call.root = root;
        call.element_bytes = 4;
        for (std::size_t r = 0; r < now_.size(); ++r) {
            now_[r] += static_cast<int>(r) == world_.late_rank ? world_.late_seconds : 0;
            FileEvent enter = event(r, EventKind::enter, now_[r], 0, bytes);
            enter.end_ns = std::bit_cast<std::int64_t>(FileEvent::Enter{-1, name(collective + "/"), 0});
            enter.detail = sequence_;
            enter.peer = root;
            events_[r].push_back(enter);
        }
        ++sequence_;
        messages_ = 0;
        rounds_.assign(now_.size(), 0);
        models::for_each_round(known->schedule(call), [&](const models::Round& round) { run(round); });
        for (std::size_t r = 0; r < now_.size(); ++r) {
            now_[r] += 1e-6;
            FileEvent exit = event(r, EventKind::exit, now_[r], 0, 0);
            exit.index = name(collective + "/" + algorithm);
            events_[r].push_back(exit);
            ++calls_[r];
            now_[r] += world_.pause_seconds;
        }
        return messages_;
    }

    // Everybody goes on at the same moment
    void meet() { std::fill(now_.begin(), now_.end(), *std::max_element(now_.begin(), now_.end())); }

    std::size_t events() const {
        std::size_t sum = 0;
        for (const auto& of_rank : events_) {
            sum += of_rank.size();
        }
        return sum;
    }
    std::vector<FileEvent>& events_of(std::size_t rank) { return events_[rank]; }
    double now(std::size_t rank) const { return now_[rank]; }

    std::uint16_t name(const std::string& text) {
        const auto found = std::find(names_.begin(), names_.end(), text);
        if (found == names_.end()) {
            names_.push_back(text);
            return static_cast<std::uint16_t>(names_.size() - 1);
        }
        return static_cast<std::uint16_t>(found - names_.begin());
    }

    std::int64_t local_ns(std::size_t rank, double seconds) const {
        const double drift = world_.drift.empty() ? 0 : world_.drift[rank];
        const double shift = world_.shift_seconds.empty() ? 0 : world_.shift_seconds[rank];
        return std::llround(1e9 * (seconds * (1 + drift) + shift));
    }

    std::string bytes_of(std::size_t rank) const {
        FileHeader header = {};
        std::memcpy(header.magic, file_magic, sizeof file_magic);
        header.version = file_version;
        header.byte_order = native_byte_order;
        header.header_bytes = sizeof(FileHeader);
        header.event_bytes = sizeof(FileEvent);
        header.world_rank = static_cast<std::int32_t>(rank);
        header.world_size = static_cast<std::int32_t>(now_.size());
        header.node = world_.layout.node_of_rank[rank];
        header.sample_every = 1;
        header.max_bytes = UINT64_MAX;
        header.events = events_[rank].size();
        header.calls = header.calls_recorded = calls_[rank];
        header.names = static_cast<std::uint32_t>(names_.size());
        header.communicators = 1;
        header.syncs = 2;
        const double end = *std::max_element(now_.begin(), now_.end());
        header.started_ns = local_ns(rank, 0.9);
        header.ended_ns = local_ns(rank, end);
        header.job = world_.job;
        header.job_started_ns = 1'768'471'200'000'000'000;  // 2026-01-15 10:00:00 UTC
        const std::string host =
            world_.hosts.empty() ? "made-up" : world_.hosts.at(static_cast<std::size_t>(header.node));
        std::memcpy(header.host, host.data(), std::min(host.size(), sizeof header.host - 1));
        std::string text(reinterpret_cast<const char*>(&header), sizeof header);
        for (const std::string& known : names_) {
            FileName entry = {};
            std::memcpy(entry.text, known.data(), std::min(known.size(), sizeof entry.text - 1));
            text.append(reinterpret_cast<const char*>(&entry), sizeof entry);
        }
        FileCommunicator world = {};
        world.size = header.world_size;
        world.rank = header.world_rank;
        world.nodes = world_.layout.nodes;
        text.append(reinterpret_cast<const char*>(&world), sizeof world);
        for (std::int32_t member = 0; member < (header.world_size + 1) / 2 * 2; ++member) {
            const std::int32_t value = member < header.world_size ? member : 0;
            text.append(reinterpret_cast<const char*>(&value), sizeof value);
        }
        for (const double at : {0.95, end}) {
            // wrong by the error, one way at the start and the other way at the end
            const double error = rank == 0 ? 0 : world_.sync_error_seconds * (at < 1 ? 0.9 : -0.9);
            const std::int64_t local = local_ns(rank, at);
            const FileSync sync{local, std::llround(1e9 * (at + error)) - local,
                                rank == 0 ? 0 : std::llround(1e9 * world_.sync_error_seconds), 0};
            text.append(reinterpret_cast<const char*>(&sync), sizeof sync);
        }
        text.append(reinterpret_cast<const char*>(events_[rank].data()),
                    events_[rank].size() * sizeof(FileEvent));
        return text;
    }

    void write(const std::string& prefix) const {
        for (std::size_t r = 0; r < now_.size(); ++r) {
            std::ofstream(prefix + "." + std::to_string(r) + ".events", std::ios::binary) << bytes_of(r);
        }
    }

    FileEvent event(std::size_t rank, EventKind kind, double from, double to, std::uint64_t bytes) const {
        FileEvent made = {};
        made.time_ns = local_ns(rank, from);
        made.end_ns = to == 0 ? 0 : local_ns(rank, to);
        made.bytes = bytes;
        made.call = calls_[rank];
        made.kind = static_cast<std::uint8_t>(kind);
        return made;
    }

  private:
    // The network interface of a node: until when it sends and receives
    struct Port {
        double out_free = 0;
        double in_free = 0;
    };
    struct Transfer {
        bool is_eager;
        double arrival;
    };

    void run(const models::Round& round) {
        std::vector<double> next = now_;
        std::vector<bool> takes_part(now_.size(), false);
        std::vector<Port> ports(static_cast<std::size_t>(world_.layout.nodes));
        for (const models::Message& m : round.messages()) {
            if (m.source == m.destination) {
                copy(m, next);
                continue;
            }
            ++messages_;
            takes_part[static_cast<std::size_t>(m.source)] = true;
            takes_part[static_cast<std::size_t>(m.destination)] = true;
            record(m, transfer(m, ports), next);
        }
        for (std::size_t r = 0; r < next.size(); ++r) {
            rounds_[r] = static_cast<std::uint16_t>(rounds_[r] + (takes_part[r] ? 1 : 0));
        }
        now_ = next;
    }

    // A rank's message to itself
    void copy(const models::Message& m, std::vector<double>& next) {
        const auto rank = static_cast<std::size_t>(m.source);
        const double end = next[rank] + world_.byte_combined * static_cast<double>(m.bytes);
        const auto kind = m.effect == models::Effect::store ? EventKind::copy : EventKind::reduce;
        events_[rank].push_back(event(rank, kind, next[rank], end, m.bytes));
        next[rank] = end;
    }

    // Through the interfaces of both nodes, which carry one message at a time
    Transfer transfer(const models::Message& m, std::vector<Port>& ports) const {
        const auto source = static_cast<std::size_t>(m.source);
        const auto destination = static_cast<std::size_t>(m.destination);
        const int from_node = world_.layout.node_of_rank[source];
        const int to_node = world_.layout.node_of_rank[destination];
        const bool between = from_node != to_node;
        const bool is_slow = between && (from_node == world_.slow_node || to_node == world_.slow_node ||
                                         std::pair(from_node, to_node) == world_.slow_link);
        const double seconds = (between ? world_.byte_between : world_.byte_within) *
                               static_cast<double>(m.bytes) * (is_slow ? world_.slow_factor : 1);
        const bool is_eager = m.bytes <= world_.eager_bytes;
        const double ready = is_eager ? now_[source] : std::max(now_[source], now_[destination]);
        if (!between) {
            return {is_eager, ready + world_.latency_within + seconds};
        }
        Port& out = ports[static_cast<std::size_t>(from_node)];
        Port& in = ports[static_cast<std::size_t>(to_node)];
        const double start = std::max(ready, out.out_free);
        out.out_free = start + seconds;
        in.in_free = std::max(start + world_.latency_between, in.in_free) + seconds;
        return {is_eager, in.in_free};
    }

    // What both ranks see of a message, and when they can go on
    void record(const models::Message& m, const Transfer& transfer, std::vector<double>& next) {
        const auto source = static_cast<std::size_t>(m.source);
        const auto destination = static_cast<std::size_t>(m.destination);
        const double sent = transfer.is_eager ? now_[source] + 1e-6 : transfer.arrival;
        const double received = std::max(transfer.arrival, now_[destination] + 1e-6);
        FileEvent send = event(source, EventKind::send, now_[source], sent, m.bytes);
        send.peer = m.destination;
        send.index = rounds_[source];
        events_[source].push_back(send);
        FileEvent receive = event(destination, EventKind::receive, now_[destination], received, m.bytes);
        receive.peer = m.source;
        receive.index = rounds_[destination];
        events_[destination].push_back(receive);
        double done = received;
        if (m.combined_bytes() > 0) {
            done += world_.byte_combined * static_cast<double>(m.combined_bytes());
            events_[destination].push_back(event(destination, EventKind::reduce, received, done, m.bytes));
        }
        next[source] = std::max(next[source], sent);
        next[destination] = std::max(next[destination], done);
    }

    World world_;
    std::vector<double> now_;  // seconds on a clock that nobody has
    std::vector<std::vector<FileEvent>> events_;
    std::vector<std::uint32_t> calls_;
    std::vector<std::uint16_t> rounds_;
    std::vector<std::string> names_;
    std::uint32_t sequence_ = 0;
    std::size_t messages_ = 0;
};

}  // namespace made_up
