// SPDX-License-Identifier: MIT
#include "player.hpp"

#include <simgrid/kernel/Timer.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>

#include "bursts.hpp"
#include "cores.hpp"
#include "live_round.hpp"
#include "message_costs.hpp"
#include "outgoing.hpp"
#include "routes.hpp"
#include "symmetry.hpp"

namespace tuner {

namespace {

namespace s4u = simgrid::s4u;

// Rounds are made ahead for ranks that have nothing to do, up to so many messages at a time
constexpr std::size_t most_live_messages = 8'000'000;

double now() {
    return s4u::Engine::get_clock();
}

// Does something at a time that has come, or will come
template <class Action>
void at(double time, Action action) {
    if (time <= now()) {
        action();
    } else {
        simgrid::kernel::timer::Timer::set(time, std::move(action));
    }
}

struct RankState {
    int round = 0;    // in which it is, or which it looks at next
    int pending = 0;  // sends and receives of that round that are not done
    double cpu_free = 0;
    double out_free = 0;  // of its memory, for messages inside of the node
    double in_free = 0;
    double begin = 0;  // of what is timed
    double finish = 0;
};

// One schedule while it is played
class Play {
  public:
    Play(const SimulatedJob& job, const models::Schedule& schedule, Pace pace, Timed timed);
    Played run();
    void wire_done(const s4u::Comm& comm);

  private:
    struct Moving {
        MessageId id;
        s4u::CommPtr comm;
    };

    LiveRound& round(int number) { return window_[static_cast<std::size_t>(number - first_)]; }
    LiveMessage& message(MessageId id) { return round(id.round).message(id.position); }
    RankState& state(int rank) { return states_[static_cast<std::size_t>(rank)]; }
    int node(int rank) const { return job_.layout.node_of_rank[static_cast<std::size_t>(rank)]; }
    int played_by(int rank) const { return alike_ ? alike_->of(rank) : rank; }
    int generated() const { return first_ + static_cast<int>(window_.size()); }

    bool make_round();
    void advance(int rank);
    void feed();
    void start_all();
    void begin(int rank);
    void post(int rank, int number);
    void send(MessageId id);
    void transfer(MessageId id);
    void transfer_within(MessageId id, const LiveMessage& of);
    void transfer_between(MessageId id, const LiveMessage& of);
    void move(MessageId id, const LiveMessage& of);
    void arrive(MessageId id);
    void receive(MessageId id);
    void part_done(int rank);
    void operation_done(int rank);

    Outgoing::Message outgoing(MessageId id, const LiveMessage& of) const {
        return {id, of.source, of.destination, node(of.source)};
    }
    template <class Action>
    void work(int rank, double earliest, double seconds, Action action);

    const SimulatedJob& job_;
    MessageCosts costs_;
    Pace pace_;
    Timed timed_;
    std::optional<models::Representatives> alike_;  // only these play, for all
    LiveRounds rounds_;
    double start_;
    std::deque<LiveRound> window_;
    int first_ = 0;
    std::size_t live_messages_ = 0;
    bool is_last_made_ = false;
    bool is_feeding_ = false;
    std::vector<RankState> states_;
    std::size_t players_ = 0;
    std::vector<int> idle_;  // ranks without a part in the rounds that are made
    std::deque<Moving> moving_;
    std::vector<Moving*> free_;
    Outgoing outgoing_;
    Routes routes_;
    std::optional<Cores> cores_;
    Bursts bursts_;
    std::size_t messages_ = 0;
};

Play* playing = nullptr;  // SimGrid's signals are the process's

Play::Play(const SimulatedJob& job, const models::Schedule& schedule, Pace pace, Timed timed)
    : job_(job),
      costs_(job),
      pace_(pace),
      timed_(timed),
      alike_(alike_in(job, schedule, pace)),
      rounds_(schedule, job.layout.ranks(), needs_opposite(job.machine), alike_ ? &*alike_ : nullptr),
      start_(now()),
      states_(static_cast<std::size_t>(job.layout.ranks()),
              RankState{0, 0, start_, start_, start_, start_, start_}),
      outgoing_(job.layout.nodes, job.layout.ranks()),
      routes_(job.hosts, job.machine.message_bytes_per_second),
      bursts_(job.layout.nodes, job.machine.burst_bytes, routes_.bytes_per_second(), start_) {
    if (const SharedCores& shared = job.machine.cores; shared.count >= 1) {
        cores_.emplace(static_cast<int>(shared.count), job.layout.ranks(),
                       shared.dispatch_seconds + shared.peer_seconds * (job.layout.ranks() - 1),
                       shared.wake_seconds);
    }
}

Played Play::run() {
    playing = this;
    if (pace_ == Pace::together) {
        start_all();
    } else {
        for (int rank = 0; rank < job_.layout.ranks(); ++rank) {
            if (played_by(rank) == rank) {
                idle_.push_back(rank);
            }
        }
        players_ = idle_.size();
        feed();
    }
    s4u::Engine::get_instance()->run();
    playing = nullptr;
    Played played;
    double first = state(0).begin;
    for (int rank = 0; rank < job_.layout.ranks(); ++rank) {
        first = std::min(first, state(played_by(rank)).begin);
    }
    for (int rank = 0; rank < job_.layout.ranks(); ++rank) {
        played.finish_of_ranks.push_back(state(played_by(rank)).finish - first);
        played.seconds = std::max(played.seconds, played.finish_of_ranks.back());
    }
    played.messages = messages_ * static_cast<std::size_t>(alike_ ? alike_->ranks_of_each() : 1);
    return played;
}

bool Play::make_round() {
    if (is_last_made_ || !rounds_.next(window_)) {
        is_last_made_ = true;
        return false;
    }
    live_messages_ += window_.back().size();
    return true;
}

// Finds the rank's next part among the rounds that are made
void Play::advance(int rank) {
    RankState& of = state(rank);
    while (of.round < generated() && (of.round < first_ || !round(of.round).has_part_of(rank))) {
        ++of.round;
    }
    if (of.round < generated()) {
        begin(rank);
    } else {
        idle_.push_back(rank);
    }
}

// Makes rounds until nobody is idle, or there are no more
void Play::feed() {
    if (is_feeding_) {  // by an action of what is below
        return;
    }
    is_feeding_ = true;
    while (!idle_.empty() && (live_messages_ < most_live_messages || idle_.size() == players_) &&
           make_round()) {
        std::vector<int> idle;
        idle.swap(idle_);
        for (const int rank : idle) {
            advance(rank);
        }
    }
    is_feeding_ = false;
}

void Play::start_all() {
    if (make_round()) {
        first_ = generated() - 1;
        for (int rank = 0; rank < job_.layout.ranks(); ++rank) {
            state(rank).round = first_;
            if (round(first_).has_part_of(rank)) {
                begin(rank);
            }
        }
    }
}

// A rank does one thing after the other; where cores are shared, it may have to wait for one
template <class Action>
void Play::work(int rank, double earliest, double seconds, Action action) {
    if (cores_) {
        at(earliest, [this, rank, seconds, action] { cores_->run(rank, seconds, action); });
        return;
    }
    double& free = state(rank).cpu_free;
    free = std::max(free, earliest) + seconds;
    at(free, std::move(action));
}

// Local copies and combinations come first
void Play::begin(int rank) {
    RankState& of = state(rank);
    const int number = of.round;
    const bool has_pause = !job_.pauses.empty() && !round(number).sent_by(rank).empty();
    double busy = has_pause ? job_.pauses[static_cast<std::size_t>(rank)] : 0;
    for (const std::uint32_t position : round(number).sent_by(rank)) {
        const LiveMessage& copy = round(number).message(position);
        if (copy.is_copy()) {
            busy += static_cast<double>(copy.bytes) * (copy.combines
                                                           ? job_.machine.parameters.combine_seconds_per_byte
                                                           : job_.machine.parameters.copy_seconds_per_byte);
        }
    }
    of.pending = 1;  // until all of it is posted
    const auto next = [this, rank, number] { post(rank, number); };
    if (cores_ && busy > 0) {
        cores_->run(rank, busy, next);
        return;
    }
    of.cpu_free = now() + busy;
    // by a timer, even if it is due: rounds that take no time do not pile up on the stack
    simgrid::kernel::timer::Timer::set(of.cpu_free, next);
}

void Play::post(int rank, int number) {
    for (const std::uint32_t position : round(number).received_by(rank)) {
        LiveMessage& expected = round(number).message(position);
        expected.is_expected = true;
        ++state(rank).pending;
        if (expected.has_arrived) {
            receive({number, position});
        } else if (expected.is_sent && !expected.is_moving) {
            transfer({number, position});
        }
    }
    for (const std::uint32_t position : round(number).sent_by(rank)) {
        if (!round(number).message(position).is_copy()) {
            ++state(rank).pending;
            const double seconds =
                job_.machine.send_overhead_seconds + costs_.core_seconds(round(number).message(position));
            work(rank, now(), seconds, [this, number, position] { send({number, position}); });
        }
    }
    operation_done(rank);
}

void Play::send(MessageId id) {
    LiveMessage& sent = message(id);
    sent.is_sent = true;
    sent.is_eager = costs_.is_eager(sent);
    if (sent.is_eager || sent.is_expected) {
        transfer(id);
    }
}

void Play::transfer(MessageId id) {
    LiveMessage& of = message(id);
    of.is_moving = true;
    const std::size_t phase = round(id.round).phase;
    messages_ += timed_.first <= phase && phase < timed_.end;
    costs_.is_within(of) ? transfer_within(id, of) : transfer_between(id, of);
}

// By the memory of the two ranks
void Play::transfer_within(MessageId id, const LiveMessage& of) {
    const models::LinkCosts& link = job_.machine.parameters.within;
    const double slow = costs_.slowness(of);
    const double bytes_seconds = slow * costs_.segment(of).seconds_per_byte * static_cast<double>(of.bytes);
    const double latency = slow * costs_.latency_without_overheads(of);
    RankState& from = state(of.source);
    RankState& to = state(of.receiver);
    const double start = std::max(now(), from.out_free);
    from.out_free = start + bytes_seconds + link.gap_seconds;
    const double arrival = std::max(start + latency, to.in_free) + bytes_seconds;
    // busy for as long as it receives, in whatever order messages come
    to.in_free = std::max(now() + latency, to.in_free) + bytes_seconds + link.gap_seconds;
    const int source = of.source;
    at(start + bytes_seconds, [this, source] { operation_done(source); });
    at(arrival, [this, id] { arrive(id); });
}

// The sender of an eager message does not wait for it
void Play::transfer_between(MessageId id, const LiveMessage& of) {
    if (outgoing_.enter(outgoing(id, of))) {
        move(id, of);
    }
    if (of.is_eager) {
        operation_done(of.source);
    }
}

void Play::move(MessageId id, const LiveMessage& of) {
    const double left =
        bursts_.left_of(node(of.source), costs_.payload(of, routes_.bytes_per_second()), now());
    const auto payload = static_cast<std::uint64_t>(std::llround(left));
    if (free_.empty()) {
        free_.push_back(&moving_.emplace_back());
    }
    Moving* const moving = free_.back();
    free_.pop_back();
    moving->id = id;
    moving->comm = s4u::Comm::sendto_init(job_.hosts[static_cast<std::size_t>(node(of.source))],
                                          job_.hosts[static_cast<std::size_t>(node(of.destination))]);
    moving->comm->set_payload_size(payload);
    if (job_.machine.message_bytes_per_second > 0) {
        moving->comm->set_rate(job_.machine.message_bytes_per_second);
    }
    moving->comm->set_data(moving);
    moving->comm->vetoable_start();
}

// The last byte has left; SimGrid itself adds no latency (see simulated_platform.cpp)
void Play::wire_done(const s4u::Comm& comm) {
    Moving* const moving = comm.get_data<Moving>();
    const MessageId id = moving->id;
    const s4u::CommPtr ended = std::move(moving->comm);  // lives until its own signal has been handled
    free_.push_back(moving);
    const LiveMessage& of = message(id);
    bursts_.done(node(of.source), now());
    const double left =
        costs_.latency_without_overheads(of) + routes_.latency(node(of.source), node(of.destination));
    const double arrival = now() + costs_.slowness(of) * left;
    const int source = of.source;
    const bool is_eager = of.is_eager;
    if (const std::optional<MessageId> next = outgoing_.leave(outgoing(id, of))) {
        move(*next, message(*next));
    }
    at(arrival, [this, id] { arrive(id); });
    if (!is_eager) {
        operation_done(source);
    }
}

void Play::arrive(MessageId id) {
    message(id).has_arrived = true;
    if (message(id).is_expected) {
        receive(id);
    }
}

void Play::receive(MessageId id) {
    const LiveMessage& of = message(id);
    const models::Parameters& parameters = job_.machine.parameters;
    const models::LinkCosts& link = costs_.link(of);
    const double opposite =
        link.opposite_seconds_per_byte * std::max(0.0, of.opposite_bytes - link.free_opposite_bytes);
    const double seconds =
        job_.machine.receive_overhead_seconds + costs_.core_seconds(of) +
        (of.combines ? parameters.combine_seconds_per_byte * static_cast<double>(of.bytes) : 0);
    const int rank = of.receiver;
    work(rank, now() + opposite, seconds, [this, rank] { operation_done(rank); });
}

void Play::operation_done(int rank) {
    if (--state(rank).pending == 0) {
        part_done(rank);
    }
}

void Play::part_done(int rank) {
    RankState& of = state(rank);
    const std::size_t phase = round(of.round).phase;
    if (phase < timed_.first) {
        of.begin = of.finish = now();
    } else if (phase < timed_.end) {
        of.finish = now();
    }
    --round(of.round).ranks_left;
    while (!window_.empty() && window_.front().ranks_left == 0) {
        live_messages_ -= window_.front().size();
        window_.pop_front();
        ++first_;
    }
    if (pace_ == Pace::together) {
        if (window_.empty()) {
            at(now(), [this] { start_all(); });
        }
        return;
    }
    ++of.round;
    advance(rank);
    feed();
}

}  // namespace

Played play(const SimulatedJob& job, const models::Schedule& schedule, Pace pace, Timed timed) {
    static const bool is_connected = [] {
        s4u::Activity::on_completion_cb([](const s4u::Activity& activity) {
            if (const auto* comm = dynamic_cast<const s4u::Comm*>(&activity); comm && playing) {
                playing->wire_done(*comm);
            }
        });
        return true;
    }();
    static_cast<void>(is_connected);
    return Play(job, schedule, pace, timed).run();
}

}  // namespace tuner
