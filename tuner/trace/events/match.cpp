// SPDX-License-Identifier: MIT
#include "match.hpp"

#include <algorithm>
#include <tuple>

#include "match_messages.hpp"
#include "rank_calls.hpp"
#include "stages.hpp"

namespace tuner::trace {

namespace {

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
        MessageMatcher messages(result_, clocks_, of_rank_);
        for (std::uint32_t call = 0; call < result_.calls.size(); ++call) {
            messages.match(call);
        }
        sort_by_call();
        check_order();
        assign_stages(result_);
        return std::move(result_);
    }

  private:
    void collect_calls(std::uint32_t r) {
        of_rank_[r] = calls_of(trace_.ranks[r]);
        if (of_rank_[r].damaged > 0) {
            result_.unmatched_messages[damaged_record] += of_rank_[r].damaged;
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
                ++result_.remarks["communicators with different members on different ranks"];
            }
            global.push_back(agrees ? entry->second : nowhere);
        }
    }

    // A rank's part of a call
    struct Seen {
        std::uint32_t communicator;
        std::uint32_t sequence;
        int place;
        std::uint32_t rank;
        std::uint32_t local;

        bool is_same_call(const Seen& other) const {
            return communicator == other.communicator && sequence == other.sequence;
        }
    };

    void match_calls() {
        const std::vector<Seen> seen = seen_calls();
        for (auto first = seen.begin(); first != seen.end();) {
            const auto end =
                std::find_if_not(first, seen.end(), [&](const Seen& s) { return s.is_same_call(*first); });
            add_call({first, end});
            first = end;
        }
    }

    // Those of one call are neighbours, in the order of their places in the communicator
    std::vector<Seen> seen_calls() {
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
                    ++result_.unmatched_calls["its communicator is unknown"];
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
        return seen;
    }

    void add_call(std::span<const Seen> parts) {
        Call call;
        call.communicator = parts.front().communicator;
        call.sequence = parts.front().sequence;
        call.first_participant = static_cast<std::uint32_t>(result_.participants.size());
        bool has_all_exits = true;
        int last_place = -1;
        for (const Seen& part : parts) {
            if (part.place == last_place) {
                ++result_.unmatched_calls["it is recorded twice"];
                continue;
            }
            last_place = part.place;
            has_all_exits = add_participant(call, part) && has_all_exits;
        }
        call.participants = static_cast<std::uint32_t>(result_.participants.size()) - call.first_participant;
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

    // False: it did not end there
    bool add_participant(Call& call, const Seen& part) {
        const auto number = static_cast<std::uint32_t>(result_.calls.size());
        const std::uint32_t r = part.rank;
        LocalCall& of = of_rank_[r].calls[part.local];
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
            ++result_.remarks["calls with different collectives on different ranks"];
        } else if (of.exit != nullptr && call.algorithm.empty()) {
            call.algorithm = algorithm;
        } else if (of.exit != nullptr && call.algorithm != algorithm) {
            ++result_.remarks["calls with different algorithms on different ranks"];
        }
        call.bytes = std::max(call.bytes, of.enter->bytes);
        call.is_nonblocking = call.is_nonblocking || (of.enter->flags & flag_nonblocking) != 0;
        Participant participant{number, part.place, r, part.local, clocks_[r].aligned(of.enter->time_ns), 0};
        participant.exit_ns = of.exit != nullptr
                                  ? std::max(clocks_[r].aligned(of.exit->time_ns), participant.enter_ns)
                                  : participant.enter_ns;
        result_.participants.push_back(participant);
        return of.exit != nullptr;
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
                return "a member's file is truncated";
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
                    ++result_.remarks["parts of calls that differ between ranks"];
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
};

}  // namespace

Matched match(const Trace& trace) {
    return Matcher(trace).run();
}

}  // namespace tuner::trace
