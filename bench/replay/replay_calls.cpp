// SPDX-License-Identifier: MIT
#include "replay_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "placement.hpp"
#include "sizes.hpp"

namespace bench {

namespace {

const Elements& elements_for(std::size_t bytes) {
    const std::size_t size = replay_element_bytes(bytes);
    return find_elements(size == 8 ? "double" : size == 4 ? "float" : "byte", "sum");
}

}  // namespace

ReplayCalls::ReplayCalls(const ReplayProgram& program, const std::vector<ReplayStep>& steps) {
    make_communicators(program);
    prepare(program);
    plan(program, steps);
    make_buffers();
}

ReplayCalls::~ReplayCalls() {
    for (MPI_Comm& comm : communicators_) {
        if (comm != MPI_COMM_NULL) {
            MPI_Comm_free(&comm);
        }
    }
}

// In the same order on all ranks; only members take part
void ReplayCalls::make_communicators(const ReplayProgram& program) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Group world = MPI_GROUP_NULL;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (const std::vector<int>& members : program.communicators) {
        MPI_Comm& comm = communicators_.emplace_back(MPI_COMM_NULL);
        if (std::find(members.begin(), members.end(), rank) != members.end()) {
            MPI_Group group = MPI_GROUP_NULL;
            MPI_Group_incl(world, static_cast<int>(members.size()), members.data(), &group);
            MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &comm);
            MPI_Group_free(&group);
        }
    }
    MPI_Group_free(&world);
}

void ReplayCalls::prepare(const ReplayProgram& program) {
    for (const ReplayCall& call : program.calls) {
        Prepared& prepared = calls_.emplace_back();
        prepared.comm = communicators_[call.communicator];
        if (prepared.comm == MPI_COMM_NULL) {
            continue;
        }
        prepared.pattern = find_pattern(call.blocking_name());
        prepared.elements = &elements_for(call.bytes);
        prepared.call.root = call.root;
        prepared.call.count = call.bytes / prepared.elements->size;
        MPI_Comm_rank(prepared.comm, &prepared.call.rank);
        MPI_Comm_size(prepared.comm, &prepared.call.ranks);
        for (int rank = 0; rank < prepared.call.ranks; ++rank) {
            const int count = static_cast<int>(prepared.call.count);
            prepared.counts.push_back(count);
            prepared.displacements.push_back(rank * count);
        }
    }
}

// A call takes a slot that is free. It is free again at once if the call blocks, else when it is waited for.
void ReplayCalls::plan(const ReplayProgram& program, const std::vector<ReplayStep>& steps) {
    std::vector<std::size_t> free;
    std::vector<Action> starts;
    for (const ReplayStep& step : steps) {
        if (step.is_wait) {
            Action wait = starts[step.number];
            wait.compute_seconds = step.compute_seconds;
            wait.what = Action::What::wait;
            actions_.push_back(wait);
            free.push_back(wait.slot);
            continue;
        }
        if (free.empty()) {
            free.push_back(slots_.size());
            slots_.emplace_back();
        }
        const bool is_start = program.calls[step.number].is_nonblocking;
        actions_.push_back({step.compute_seconds, step.number, free.back(),
                            is_start ? Action::What::start : Action::What::call});
        use_slot(free.back(), calls_[step.number]);
        if (is_start) {
            starts.push_back(actions_.back());
            free.pop_back();
        }
    }
}

void ReplayCalls::use_slot(std::size_t slot, const Prepared& prepared) {
    const Contents& contents = prepared.pattern->contents;
    const std::size_t size = prepared.elements->size;
    slots_[slot].send_bytes = std::max(slots_[slot].send_bytes, size * contents.send_count(prepared.call));
    slots_[slot].receive_bytes =
        std::max(slots_[slot].receive_bytes, size * contents.receive_count(prepared.call));
}

void ReplayCalls::make_buffers() {
    std::size_t bytes = 0;
    for (const Slot& slot : slots_) {
        bytes += slot.send_bytes + slot.receive_bytes;
    }
    const Placement placement = find_placement(MPI_COMM_WORLD);
    unsigned long long needed = bytes;
    MPI_Allreduce(MPI_IN_PLACE, &needed, 1, MPI_UNSIGNED_LONG_LONG, MPI_MAX, MPI_COMM_WORLD);
    const std::size_t most = memory_for_each_rank(placement.most_ranks_on_a_machine, MPI_COMM_WORLD);
    if (needed > most) {
        throw std::invalid_argument(fmt::format(
            "a rank needs {} for its messages, of {} that it may use; use fewer ranks on each node",
            models::size_text(needed), models::size_text(most)));
    }
    for (Slot& slot : slots_) {
        slot.send = Buffer(slot.send_bytes);
        slot.receive = Buffer(slot.receive_bytes);
    }
}

Arguments ReplayCalls::arguments_of(const Prepared& prepared, const Slot& slot) const {
    return {.comm = prepared.comm,
            .send = slot.send.data(),
            .receive = slot.receive.data(),
            .count = static_cast<int>(prepared.call.count),
            .datatype = prepared.elements->datatype,
            .operation = prepared.elements->operation,
            .root = prepared.call.root,
            .counts = prepared.counts.data(),
            .displacements = prepared.displacements.data(),
            .rank = prepared.call.rank};
}

void ReplayCalls::run(const Action& action) {
    const Prepared& prepared = calls_[action.call];
    Slot& slot = slots_[action.slot];
    switch (action.what) {
        case Action::What::call:
            prepared.pattern->call(arguments_of(prepared, slot));
            break;
        case Action::What::start:
            prepared.pattern->start(arguments_of(prepared, slot), &slot.request);
            break;
        case Action::What::wait:
            MPI_Wait(&slot.request, MPI_STATUS_IGNORE);
            break;
    }
}

}  // namespace bench
