// SPDX-License-Identifier: MIT
#include "chrome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <set>

#include "checked_json.hpp"

namespace tuner::trace {

namespace {

constexpr std::size_t flush_bytes = 1 << 20;
constexpr int most_tracks = 1000;  // of a rank

struct Slice {
    std::int64_t from_ns;
    std::int64_t to_ns;
    std::size_t message;  // position; none for local work
    bool is_send;
    const LocalWork* work;
};

// Nothing can begin or end at a slice that has no length.
std::int64_t not_empty(std::int64_t from_ns, std::int64_t to_ns) {
    return std::max(to_ns, from_ns + 1);
}

std::string json_text(std::string_view text) {
    return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
}

class Writer {
  public:
    Writer(const Matched& matched, std::ostream& out) : matched_(matched), out_(out) {
        first_ns_ = matched.participants.empty() ? 0 : matched.participants.front().enter_ns;
        for (const Participant& p : matched.participants) {
            first_ns_ = std::min(first_ns_, p.enter_ns);
        }
    }

    std::size_t run() {
        text_ = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
        std::set<int> named_nodes;
        for (std::uint32_t r = 0; r < matched_.trace->ranks.size(); ++r) {
            if (named_nodes.insert(matched_.node_of(r)).second) {
                name_node(r);
            }
            name_track(r, 0, fmt::format("rank {}", matched_.world_rank_of(r)));
        }
        for (const Call& call : matched_.calls) {
            write_call(call);
        }
        std::vector<std::vector<Slice>> slices(matched_.trace->ranks.size());
        for (std::size_t i = 0; i < matched_.messages.size(); ++i) {
            const Message& m = matched_.messages[i];
            slices[m.source].push_back(
                {m.send_posted_ns, not_empty(m.send_posted_ns, m.send_ended_ns), i, true, nullptr});
            slices[m.destination].push_back(
                {m.receive_posted_ns, not_empty(m.receive_posted_ns, m.receive_ended_ns), i, false, nullptr});
        }
        for (const LocalWork& work : matched_.works) {
            slices[work.rank].push_back({work.from_ns, work.to_ns, 0, false, &work});
        }
        for (std::uint32_t r = 0; r < slices.size(); ++r) {
            write_slices(r, slices[r]);
        }
        text_ += "\n]}\n";
        out_ << text_;
        return events_;
    }

  private:
    template <class... Arguments>
    void write(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        text_ += events_++ == 0 ? "" : ",\n";
        fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
        if (text_.size() > flush_bytes) {
            out_ << text_;
            text_.clear();
        }
    }

    double microseconds(std::int64_t ns) const { return 1e-3 * static_cast<double>(ns - first_ns_); }
    int track(std::uint32_t rank, int lane) const {
        return matched_.world_rank_of(rank) * most_tracks + lane;
    }

    void name_node(std::uint32_t rank) {
        const auto& host = matched_.trace->ranks[rank].header.host;
        write(R"({{"ph":"M","name":"process_name","pid":{},"tid":{},"args":{{"name":{}}}}})",
              matched_.node_of(rank), track(rank, 0),
              json_text(fmt::format("node {} ({})", matched_.node_of(rank),
                                    std::string_view(host, strnlen(host, sizeof host)))));
    }

    void name_track(std::uint32_t rank, int lane, const std::string& name) {
        write(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})",
              matched_.node_of(rank), track(rank, lane), json_text(name));
        // by name, 10 would come before 2
        write(R"({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}}}})",
              matched_.node_of(rank), track(rank, lane), track(rank, lane));
    }

    void write_call(const Call& call) {
        const auto number = static_cast<std::uint32_t>(&call - matched_.calls.data());
        const std::string name = json_text(fmt::format("{}/{}", call.collective, call.algorithm));
        for (const Participant& p : matched_.participants_of(number)) {
            write(
                R"({{"ph":"X","name":{},"cat":"call","pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f},"args":{{"bytes":{},"root":{},"communicator":{},"sequence":{}}}}})",
                name, matched_.node_of(p.rank), track(p.rank, 0), microseconds(p.enter_ns),
                1e-3 * static_cast<double>(p.exit_ns - p.enter_ns), call.bytes, call.root, call.communicator,
                call.sequence);
        }
    }

    // Each into the first track whose last slice has ended
    void write_slices(std::uint32_t rank, std::vector<Slice>& slices) {
        std::stable_sort(slices.begin(), slices.end(),
                         [](const Slice& a, const Slice& b) { return a.from_ns < b.from_ns; });
        std::vector<std::int64_t> ends;
        for (const Slice& slice : slices) {
            auto lane = static_cast<std::size_t>(
                std::find_if(ends.begin(), ends.end(),
                             [&](std::int64_t end) { return end <= slice.from_ns; }) -
                ends.begin());
            lane = std::min<std::size_t>(lane, most_tracks - 2);
            if (lane == ends.size()) {
                ends.push_back(0);
                name_track(rank, static_cast<int>(lane) + 1,
                           fmt::format("rank {} messages {}", matched_.world_rank_of(rank), lane + 1));
            }
            ends[lane] = slice.to_ns;
            write_slice(rank, static_cast<int>(lane) + 1, slice);
        }
    }

    void write_slice(std::uint32_t rank, int lane, const Slice& slice) {
        const int node = matched_.node_of(rank);
        const double from = microseconds(slice.from_ns);
        const double length = 1e-3 * static_cast<double>(slice.to_ns - slice.from_ns);
        if (slice.work != nullptr) {
            write(R"({{"ph":"X","name":"{}","cat":"local","pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f}}})",
                  slice.work->is_reduction ? "reduce" : "copy", node, track(rank, lane), from, length);
            return;
        }
        const Message& m = matched_.messages[slice.message];
        const std::uint32_t other = slice.is_send ? m.destination : m.source;
        write(
            R"({{"ph":"X","name":"{} {}","cat":"message","pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f},"args":{{"bytes":{},"stage":{}}}}})",
            slice.is_send ? "send to" : "receive from", matched_.world_rank_of(other), node,
            track(rank, lane), from, length, m.bytes, m.stage);
        // an arrow binds to the slice that is around its moment, and a slice does not have its own end
        write(R"({{"ph":"{}","name":"message","cat":"message","id":{},"pid":{},"tid":{},"ts":{:.3f}{}}})",
              slice.is_send ? "s" : "f", slice.message, node, track(rank, lane),
              slice.is_send ? from : microseconds(slice.to_ns - 1), slice.is_send ? "" : R"(,"bp":"e")");
    }

    const Matched& matched_;
    std::ostream& out_;
    std::string text_;
    std::int64_t first_ns_ = 0;
    std::size_t events_ = 0;
};

}  // namespace

std::size_t write_chrome(const Matched& matched, std::ostream& out) {
    return Writer(matched, out).run();
}

}  // namespace tuner::trace
