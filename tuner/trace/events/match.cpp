// SPDX-License-Identifier: MIT
#include "match.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "stages.hpp"

namespace tuner::trace {

namespace {

// A call as one rank saw it
struct LocalCall {
    const FileEvent* enter = nullptr;
    const FileEvent* exit = nullptr;
    std::uint32_t first_event = 0;  // of its messages and work, in RankCalls::events
    std::uint32_t events = 0;
    std::uint32_t call = nowhere;  // position in Matched::calls
};

struct RankCalls {
    std::vector<LocalCall> calls;
    std::unordered_map<std::uint32_t, std::uint32_t> position;  // by id
    std::vector<const FileEvent*> events;
};

bool is_enter(const FileEvent& event) {
    return event.kind == static_cast<std::uint8_t>(EventKind::enter);
}
bool is_exit(const FileEvent& event) {
    return event.kind == static_cast<std::uint8_t>(EventKind::exit);
}
bool is_message(const FileEvent& event) {
    return event.kind == static_cast<std::uint8_t>(EventKind::send) ||
           event.kind == static_cast<std::uint8_t>(EventKind::receive);
}

bool is_sound(const FileEvent& event, const RankTrace& rank) {
    if (event.kind < static_cast<std::uint8_t>(EventKind::enter) ||
        event.kind > static_cast<std::uint8_t>(EventKind::reduce) || !is_possible_time(event.time_ns)) {
        return false;
    }
    if (is_enter(event)) {
        return event.enter().collective < rank.names.size() && event.index < rank.communicators.size();
    }
    if (is_exit(event)) {
        return event.index < rank.names.size();
    }
    return is_possible_time(event.end_ns);
}

class Matcher {
  public:
    explicit Matcher(const Trace& trace) : trace_(trace), of_rank_(trace.ranks.size()) {
        result_.trace = &trace;
        for (const RankTrace& rank : trace.ranks) {
            clocks_.emplace_back(rank.syncs, rank.rank() == 0);
            position_of_world_rank_[rank.rank()] = static_cast<std::uint32_t>(clocks_.size() - 1);
            result_.alignment.largest_error_ns =
                std::max(result_.alignment.largest_error_ns, clocks_.back().error_ns());
            if (!clocks_.back().is_known()) {
                result_.alignment.unknown.push_back(rank.rank());
            }
        }
    }

    Matched run() {
        for (std::uint32_t r = 0; r < trace_.ranks.size(); ++r) {
            collect_calls(r);
            collect_communicators(r);
        }
        match_calls();
        find_outermost();
        for (std::uint32_t call = 0; call < result_.calls.size(); ++call) {
            match_messages(call);
        }
        sort_by_call();
        check_order();
        assign_stages(result_);
        return std::move(result_);
    }

  private:
    // Groups the events of a rank by their call: those of nonblocking ones lie between others'
    void collect_calls(std::uint32_t r) {
        const RankTrace& rank = trace_.ranks[r];
        RankCalls& found = of_rank_[r];
        std::vector<std::uint32_t> call_of_event(rank.events.size(), nowhere);
        std::uint32_t last_id = 0;
        std::uint32_t last = nowhere;
        for (std::size_t i = 0; i < rank.events.size(); ++i) {
            const FileEvent& event = rank.events[i];
            if (!is_sound(event, rank)) {
                ++result_.unmatched_messages["the record is damaged"];
                continue;
            }
            if (last == nowhere || event.call != last_id) {
                const auto [entry, is_new] =
                    found.position.try_emplace(event.call, static_cast<std::uint32_t>(found.calls.size()));
                if (is_new) {
                    found.calls.emplace_back();
                }
                last_id = event.call;
                last = entry->second;
            }
            LocalCall& call = found.calls[last];
            if (is_enter(event)) {
                call.enter = &event;
            } else if (is_exit(event)) {
                call.exit = &event;
            } else {
                call_of_event[i] = last;
                ++call.events;
            }
        }
        std::uint32_t first = 0;
        for (LocalCall& call : found.calls) {
            call.first_event = first;
            first += call.events;
            call.events = 0;
        }
        found.events.resize(first);
        for (std::size_t i = 0; i < rank.events.size(); ++i) {
            if (call_of_event[i] != nowhere) {
                LocalCall& call = found.calls[call_of_event[i]];
                found.events[call.first_event + call.events++] = &rank.events[i];
            }
        }
    }

    void collect_communicators(std::uint32_t r) {
        const RankTrace& rank = trace_.ranks[r];
        std::vector<std::uint32_t>& global = communicators_of_rank_.emplace_back();
        for (const CommunicatorRecord& record : rank.communicators) {
            const auto key = std::tuple(record.head.leader, record.head.sequence, record.head.context);
            const auto [entry, is_new] =
                communicators_.try_emplace(key, static_cast<std::uint32_t>(result_.communicators.size()));
            if (is_new) {
                Communicator communicator;
                communicator.kind = record.head.kind;
                communicator.members.assign(record.members.begin(), record.members.end());
                for (const int member : communicator.members) {
                    const auto at = position_of_world_rank_.find(member);
                    communicator.nodes.push_back(
                        at == position_of_world_rank_.end() ? -1 : trace_.ranks[at->second].node());
                }
                result_.communicators.push_back(std::move(communicator));
            }
            const Communicator& known = result_.communicators[entry->second];
            const auto place = static_cast<std::size_t>(record.head.rank);
            const bool agrees = std::equal(record.members.begin(), record.members.end(),
                                           known.members.begin(), known.members.end()) &&
                                known.members[place] == rank.rank();
            if (!agrees) {
                ++result_.remarks["communicators whose members ranks do not agree on"];
            }
            global.push_back(agrees ? entry->second : nowhere);
        }
    }

    void match_calls() {
        struct Seen {
            std::uint32_t communicator;
            std::uint32_t sequence;
            int place;
            std::uint32_t rank;
            std::uint32_t local;
        };
        std::vector<Seen> seen;
        for (std::uint32_t r = 0; r < of_rank_.size(); ++r) {
            for (std::uint32_t c = 0; c < of_rank_[r].calls.size(); ++c) {
                const LocalCall& call = of_rank_[r].calls[c];
                if (call.enter == nullptr) {
                    ++result_.unmatched_calls["its beginning was overwritten"];
                    continue;
                }
                const std::uint32_t communicator = communicators_of_rank_[r][call.enter->index];
                if (communicator == nowhere) {
                    ++result_.unmatched_calls["its communicator is not known"];
                    continue;
                }
                seen.push_back({communicator, call.enter->detail,
                                trace_.ranks[r].communicators[call.enter->index].head.rank, r, c});
            }
        }
        std::sort(seen.begin(), seen.end(), [](const Seen& a, const Seen& b) {
            return std::tie(a.communicator, a.sequence, a.place, a.local) <
                   std::tie(b.communicator, b.sequence, b.place, b.local);
        });
        for (std::size_t i = 0; i < seen.size();) {
            const Seen& first = seen[i];
            Call call;
            call.communicator = first.communicator;
            call.sequence = first.sequence;
            call.first_participant = static_cast<std::uint32_t>(result_.participants.size());
            const auto number = static_cast<std::uint32_t>(result_.calls.size());
            bool has_all_exits = true;
            int last_place = -1;
            for (; i < seen.size() && seen[i].communicator == first.communicator &&
                   seen[i].sequence == first.sequence;
                 ++i) {
                if (seen[i].place == last_place) {
                    ++result_.unmatched_calls["it is there twice"];
                    continue;
                }
                last_place = seen[i].place;
                has_all_exits = add_participant(call, number, seen[i].place, seen[i].rank, seen[i].local) &&
                                has_all_exits;
            }
            call.participants =
                static_cast<std::uint32_t>(result_.participants.size()) - call.first_participant;
            const bool has_all = call.participants == result_.communicators[call.communicator].members.size();
            if (!has_all) {
                result_.unmatched_calls[reason_of_absence(call)] += call.participants;
            } else if (!has_all_exits) {
                result_.unmatched_calls["it had not ended on all ranks when the files were written"] +=
                    call.participants;
            }
            call.is_complete = has_all && has_all_exits;
            result_.calls.push_back(call);
        }
    }

    // False: it did not end there
    bool add_participant(Call& call, std::uint32_t number, int place, std::uint32_t r, std::uint32_t local) {
        LocalCall& of = of_rank_[r].calls[local];
        of.call = number;
        const RankTrace& rank = trace_.ranks[r];
        const std::string_view entered = rank.names[of.enter->enter().collective];
        const std::string_view name =
            of.exit != nullptr ? std::string_view(rank.names[of.exit->index]) : entered;
        const std::size_t slash = name.find('/');
        const std::string_view algorithm = slash == name.npos ? std::string_view() : name.substr(slash + 1);
        if (call.collective.empty()) {
            call.collective = name.substr(0, slash);
            call.algorithm = algorithm;
            call.root = of.enter->peer;
        } else if (call.collective != name.substr(0, slash)) {
            ++result_.remarks["calls whose ranks do not agree on the collective"];
        } else if (of.exit != nullptr && call.algorithm.empty()) {
            call.algorithm = algorithm;
        } else if (of.exit != nullptr && call.algorithm != algorithm) {
            ++result_.remarks["calls whose ranks do not agree on the algorithm"];
        }
        call.bytes = std::max(call.bytes, of.enter->bytes);
        call.is_nonblocking = call.is_nonblocking || (of.enter->flags & flag_nonblocking) != 0;
        Participant participant{number, place, r, local, clocks_[r].aligned(of.enter->time_ns), 0};
        participant.exit_ns = of.exit != nullptr
                                  ? std::max(clocks_[r].aligned(of.exit->time_ns), participant.enter_ns)
                                  : participant.enter_ns;
        result_.participants.push_back(participant);
        return of.exit != nullptr;
    }

    // What is received in an exchange may have been there before, but nobody can use it before the exchange's
    // send is posted: it is not what the send waited for
    void end_with_send(std::uint32_t rank, const FileEvent& send) {
        if (!receives_.empty() && receives_.back().rank == rank &&
            receives_.back().event->index == send.index) {
            receives_.back().end_ns = std::max(receives_.back().end_ns, send.time_ns + send.detail);
        }
    }

    std::string reason_of_absence(const Call& call) const {
        const auto there = std::span(result_.participants).subspan(call.first_participant, call.participants);
        const std::vector<int>& members = result_.communicators[call.communicator].members;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const bool is_there = std::any_of(there.begin(), there.end(), [&](const Participant& p) {
                return p.place == static_cast<int>(i);
            });
            const auto rank = position_of_world_rank_.find(members[i]);
            if (!is_there && rank == position_of_world_rank_.end()) {
                return "a member's file is missing or cannot be used";
            }
            if (!is_there && trace_.ranks[rank->second].header.events_lost > 0) {
                return "a member's record of it was overwritten";
            }
            if (!is_there &&
                trace_.ranks[rank->second].events.size() < trace_.ranks[rank->second].header.events) {
                return "a member's file was cut";
            }
        }
        return "a member has no record of it";
    }

    void find_outermost() {
        for (std::uint32_t r = 0; r < of_rank_.size(); ++r) {
            RankCalls& found = of_rank_[r];
            for (const LocalCall& local : found.calls) {
                if (local.call == nowhere) {
                    continue;
                }
                const std::uint32_t outermost = outermost_of(found, local);
                std::uint32_t& known = result_.calls[local.call].outermost;
                if (outermost == nowhere) {
                    ++result_.remarks["parts of calls whose beginning was overwritten"];
                } else if (known == nowhere) {
                    known = outermost;
                } else if (known != outermost) {
                    ++result_.remarks["parts of calls that ranks do not agree on"];
                }
            }
        }
    }

    std::uint32_t outermost_of(const RankCalls& found, LocalCall local) const {
        constexpr int deepest = 16;  // of a damaged file, parents may go in circles
        for (int i = 0; i < deepest; ++i) {
            const std::int32_t parent = local.enter->enter().parent;
            if (parent < 0) {
                return local.call;
            }
            const auto at = found.position.find(static_cast<std::uint32_t>(parent));
            if (at == found.position.end() || found.calls[at->second].call == nowhere) {
                return nowhere;
            }
            local = found.calls[at->second];
        }
        return nowhere;
    }

    struct End {
        int source;  // places in the communicator
        int destination;
        std::uint32_t rank;
        const FileEvent* event;
        std::int64_t end_ns;

        // Messages of one do not overtake each other
        std::tuple<int, int, int> channel() const { return {source, destination, event->lane()}; }
    };

    void match_messages(std::uint32_t number) {
        const Call& call = result_.calls[number];
        const auto size = static_cast<int>(result_.communicators[call.communicator].members.size());
        sends_.clear();
        receives_.clear();
        for (const Participant& p : result_.participants_of(number)) {
            for (const FileEvent* event : events_of(p)) {
                if (!is_message(*event)) {
                    result_.works.push_back(
                        {call.outermost, p.rank, event->kind == static_cast<std::uint8_t>(EventKind::reduce),
                         clocks_[p.rank].aligned(event->time_ns),
                         clocks_[p.rank].aligned(std::max(event->time_ns, event->end_ns))});
                } else if (event->peer < 0 || event->peer >= size) {
                    ++result_.unmatched_messages["the record is damaged"];
                } else if ((event->flags & flag_not_completed) != 0) {
                    ++result_.unmatched_messages["it had not completed when the file was written"];
                } else if (event->kind == static_cast<std::uint8_t>(EventKind::send)) {
                    sends_.push_back(
                        {p.place, event->peer, p.rank, event, std::max(event->time_ns, event->end_ns)});
                    end_with_send(p.rank, *event);
                } else {
                    receives_.push_back(
                        {event->peer, p.place, p.rank, event, std::max(event->time_ns, event->end_ns)});
                }
            }
        }
        const auto before = [](const End& a, const End& b) { return a.channel() < b.channel(); };
        const auto in_order = [](const End& a, const End& b) {
            return std::tuple(a.channel(), a.event->time_ns) < std::tuple(b.channel(), b.event->time_ns);
        };
        std::stable_sort(sends_.begin(), sends_.end(), in_order);
        std::stable_sort(receives_.begin(), receives_.end(), in_order);
        auto send = sends_.begin();
        auto receive = receives_.begin();
        while (send != sends_.end() || receive != receives_.end()) {
            if (receive == receives_.end() || (send != sends_.end() && before(*send, *receive))) {
                ++result_.unmatched_messages[reason_of_absence(number, (send++)->destination, "receive")];
            } else if (send == sends_.end() || before(*receive, *send)) {
                ++result_.unmatched_messages[reason_of_absence(number, (receive++)->source, "send")];
            } else {
                add_message(call, *send++, *receive++);
            }
        }
    }

    std::string reason_of_absence(std::uint32_t number, int place, const char* what) const {
        for (const Participant& p : result_.participants_of(number)) {
            if (p.place == place) {
                return fmt::format("the other rank has no such {}", what);
            }
        }
        return "the other rank has no record of the call";
    }

    void add_message(const Call& call, const End& send, const End& receive) {
        Message message;
        message.outermost = call.outermost;
        message.source = send.rank;
        message.destination = receive.rank;
        message.bytes = send.event->bytes;
        const RankClock& from = clocks_[send.rank];
        const RankClock& to = clocks_[receive.rank];
        message.send_posted_ns = from.aligned(send.event->time_ns);
        message.send_ended_ns = from.aligned(send.end_ns);
        message.receive_posted_ns = to.aligned(receive.event->time_ns);
        message.receive_ended_ns = to.aligned(receive.end_ns);
        message.is_between_nodes = result_.node_of(send.rank) != result_.node_of(receive.rank);
        if (send.event->bytes != receive.event->bytes) {
            ++result_.remarks["messages whose ends do not agree on the size"];
        }
        result_.messages.push_back(message);
    }

    std::span<const FileEvent* const> events_of(const Participant& p) const {
        const LocalCall& call = of_rank_[p.rank].calls[p.local];
        return std::span(of_rank_[p.rank].events).subspan(call.first_event, call.events);
    }

    // By outermost call; parts of calls whose beginning is lost go
    template <class Item>
    std::vector<std::uint32_t> sort_items(std::vector<Item>& items) const {
        std::erase_if(items, [](const Item& item) { return item.outermost == nowhere; });
        std::stable_sort(items.begin(), items.end(),
                         [](const Item& a, const Item& b) { return a.outermost < b.outermost; });
        std::vector<std::uint32_t> first(result_.calls.size() + 1, 0);
        for (const Item& item : items) {
            ++first[item.outermost + 1];
        }
        for (std::size_t i = 1; i < first.size(); ++i) {
            first[i] += first[i - 1];
        }
        return first;
    }

    void sort_by_call() {
        result_.first_message = sort_items(result_.messages);
        result_.first_work = sort_items(result_.works);
    }

    void check_order() {
        for (const Message& message : result_.messages) {
            const std::int64_t early = message.send_posted_ns - message.receive_ended_ns;
            const std::int64_t error =
                clocks_[message.source].error_ns() + clocks_[message.destination].error_ns();
            if (early > error) {
                ++result_.alignment.messages_too_early;
                result_.alignment.largest_too_early_ns =
                    std::max(result_.alignment.largest_too_early_ns, early);
            }
        }
    }

    const Trace& trace_;
    Matched result_;
    std::vector<RankClock> clocks_;
    std::vector<RankCalls> of_rank_;
    std::map<int, std::uint32_t> position_of_world_rank_;
    std::map<std::tuple<std::int32_t, std::int32_t, std::uint32_t>, std::uint32_t> communicators_;
    std::vector<std::vector<std::uint32_t>> communicators_of_rank_;  // by rank and index in its file
    std::vector<End> sends_;
    std::vector<End> receives_;
};

}  // namespace

Matched match(const Trace& trace) {
    return Matcher(trace).run();
}

}  // namespace tuner::trace
