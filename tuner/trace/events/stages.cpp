// SPDX-License-Identifier: MIT
#include "stages.hpp"

#include <algorithm>
#include <tuple>

namespace tuner::trace {

namespace {

// One end of a message: the start of a send, the end of a receive
struct Step {
    std::int64_t at_ns;
    bool is_send;
    std::uint32_t message;
};

struct RankState {
    std::vector<Step> steps;
    std::size_t next = 0;
    struct Ended {
        std::int64_t at_ns;
        std::uint32_t stage;
    };
    std::vector<Ended> receives;  // ascending; stage: the largest so far
    std::vector<Ended> open_sends;
    std::uint32_t done_sends = 0;  // their largest stage

    void clear() {
        steps.clear();
        next = 0;
        receives.clear();
        open_sends.clear();
        done_sends = 0;
    }
    std::uint32_t stage_of_receives(std::int64_t until_ns) const {
        const auto behind = std::upper_bound(receives.begin(), receives.end(), until_ns,
                                             [](std::int64_t ns, const Ended& e) { return ns < e.at_ns; });
        return behind == receives.begin() ? 0 : (behind - 1)->stage;
    }
    std::uint32_t stage_of_sends(std::int64_t until_ns) {
        std::erase_if(open_sends, [&](const Ended& send) {
            const bool is_done = send.at_ns <= until_ns;
            done_sends = is_done ? std::max(done_sends, send.stage) : done_sends;
            return is_done;
        });
        return done_sends;
    }
};

class CallStages {
  public:
    explicit CallStages(std::size_t ranks) : ranks_(ranks) {}

    void run(std::span<Message> messages) {
        for (const std::uint32_t rank : used_) {
            ranks_[rank].clear();
        }
        used_.clear();
        waiting_.assign(messages.size(), nowhere);
        for (std::uint32_t i = 0; i < messages.size(); ++i) {
            Message& message = messages[i];
            message.stage = 0;
            add(message.source, {message.send_posted_ns, true, i});
            add(message.destination, {message.receive_ended_ns, false, i});
        }
        for (const std::uint32_t rank : used_) {
            std::stable_sort(ranks_[rank].steps.begin(), ranks_[rank].steps.end(),
                             [](const Step& a, const Step& b) {
                                 return std::tie(a.at_ns, a.is_send) < std::tie(b.at_ns, b.is_send);
                             });
            ready_.push_back(rank);
        }
        advance_all(messages);
        // Clocks that are off, or a damaged file: a receive that waits for its own consequence starts anew
        for (const std::uint32_t rank : used_) {
            while (ranks_[rank].next < ranks_[rank].steps.size()) {
                messages[ranks_[rank].steps[ranks_[rank].next].message].stage = 1;
                ready_.push_back(rank);
                advance_all(messages);
            }
        }
    }

  private:
    void add(std::uint32_t rank, Step step) {
        if (ranks_[rank].steps.empty()) {
            used_.push_back(rank);
        }
        ranks_[rank].steps.push_back(step);
    }

    void advance_all(std::span<Message> messages) {
        while (!ready_.empty()) {
            const std::uint32_t rank = ready_.back();
            ready_.pop_back();
            advance(ranks_[rank], rank, messages);
        }
    }

    // Until a receive whose send has no stage yet
    void advance(RankState& rank, std::uint32_t number, std::span<Message> messages) {
        for (; rank.next < rank.steps.size(); ++rank.next) {
            const Step& step = rank.steps[rank.next];
            Message& message = messages[step.message];
            if (step.is_send) {
                const std::uint32_t before =
                    std::max(rank.stage_of_sends(step.at_ns), rank.stage_of_receives(step.at_ns));
                message.stage = std::max(message.stage, before + 1);
                rank.open_sends.push_back({message.send_ended_ns, message.stage});
                if (waiting_[step.message] != nowhere) {
                    ready_.push_back(waiting_[step.message]);
                    waiting_[step.message] = nowhere;
                }
            } else {
                if (message.stage == 0) {
                    waiting_[step.message] = number;
                    return;
                }
                message.stage =
                    std::max(message.stage, rank.stage_of_receives(message.receive_posted_ns) + 1);
                const std::uint32_t largest = rank.receives.empty() ? 0 : rank.receives.back().stage;
                rank.receives.push_back({step.at_ns, std::max(largest, message.stage)});
            }
        }
    }

    std::vector<RankState> ranks_;
    std::vector<std::uint32_t> used_;
    std::vector<std::uint32_t> ready_;
    std::vector<std::uint32_t> waiting_;  // by message: the rank that waits for its send
};

}  // namespace

void assign_stages(Matched& matched) {
    CallStages stages(matched.trace->ranks.size());
    for (std::uint32_t call = 0; call < matched.calls.size(); ++call) {
        const std::uint32_t first = matched.first_message[call];
        stages.run(std::span(matched.messages).subspan(first, matched.first_message[call + 1] - first));
    }
}

}  // namespace tuner::trace
