// SPDX-License-Identifier: MIT
#include "mpich_device.hpp"

#if __has_include(<mpix_coll.h>)
#include <mpix_coll.h>

#include <algorithm>
#include <array>

#include "mpich.hpp"

namespace bench {

namespace {

constexpr std::array composition_values = {"auto", "alpha", "beta", "gamma"};  // of MPIR_CVAR_*_COMPOSITION
constexpr int in_node_messages = 0;                                            // of *_POSIX_INTRA_ALGORITHM
constexpr int in_node_release_gather = 1;

std::string composition_variable(const std::string& collective) {
    return "MPIR_CVAR_" + upper(collective) + "_COMPOSITION";
}

bool is_by_shared_memory(const std::string& algorithm) {
    return algorithm.ends_with("_release_gather");
}

// MPIDI_Bcast_intra_composition_alpha -> alpha. The other one is of allreduce on a communicator of one node,
// which has no other part.
std::string composition_in(const std::string& whole) {
    const std::string mark = "_composition_";
    const auto at = whole.find(mark);
    if (at != std::string::npos) {
        return whole.substr(at + mark.size());
    }
    return whole == "MPIDI_POSIX_mpi_allreduce_release_gather" ? "gamma" : "";
}

models::NodesOfRanks find_nodes(MPI_Comm comm) {
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    int rank = 0;
    models::NodesOfRanks nodes;
    MPI_Comm_rank(node, &rank);
    MPI_Comm_size(node, &nodes.most_ranks);
    MPI_Comm_free(&node);
    nodes.nodes = rank == 0 ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &nodes.nodes, 1, MPI_INT, MPI_SUM, comm);
    MPI_Allreduce(MPI_IN_PLACE, &nodes.most_ranks, 1, MPI_INT, MPI_MAX, comm);
    return nodes;
}

}  // namespace

std::string short_name(const std::string& algorithm) {
    for (const char* part : {"_intra_", "_allcomm_"}) {
        if (const auto at = algorithm.find(part); at != std::string::npos) {
            return algorithm.substr(at + std::string(part).size());
        }
    }
    return algorithm;
}

bool MpichDevice::is_here() {
    return ControlVariable::exists(composition_variable("bcast"));
}

// Programs get past the calls that release_gather waits for; nobody wants to measure these
MpichDevice::MpichDevice(MPI_Comm comm) : comm_(comm), nodes_(find_nodes(comm)) {
    variable("MPIR_CVAR_POSIX_NUM_COLLS_THRESHOLD").control.write(0);
}

std::vector<std::string> MpichDevice::algorithms(const Pattern& pattern) const {
    return models::first_layers(pattern.name, nodes_);
}

std::optional<std::string> MpichDevice::problem_with(const PlannedCall& call,
                                                     const models::DeviceLayers& layers) const {
    const std::string& collective = call.pattern->name;
    const models::Composition* composition = models::find_composition(collective, layers.composition);
    if (composition == nullptr) {
        return "there is no composition '" + layers.composition + "' of " + collective +
               " with parts inside of nodes";
    }
    const bool commutes = std::string(call.elements->operation_name) != "ordered";
    if (const auto problem = models::problem_with(*composition, layers.in_node, nodes_, commutes)) {
        return "the composition " + *problem;
    }
    if (layers.in_node != models::release_gather) {
        return std::nullopt;
    }
    int threads = 0;
    MPI_Query_thread(&threads);
    if (threads == MPI_THREAD_MULTIPLE) {
        return "release_gather is not for MPI_THREAD_MULTIPLE";
    }
    if (call.pattern->combines && !commutes) {
        return "release_gather needs an operation that commutes";
    }
    return std::nullopt;
}

void MpichDevice::choose(const Pattern& pattern, const models::DeviceLayers& layers) {
    choose_none();
    const auto* value = std::find(composition_values.begin(), composition_values.end(), layers.composition);
    write(composition_variable(pattern.name), static_cast<int>(value - composition_values.begin()));
    for (const char* part : models::find_composition(pattern.name, layers.composition)->in_node) {
        write("MPIR_CVAR_" + upper(part) + "_POSIX_INTRA_ALGORITHM",
              layers.in_node == models::release_gather ? in_node_release_gather : in_node_messages);
    }
    chosen_ = layers;
}

void MpichDevice::choose_none() {
    for (const Variable* changed : written_) {
        changed->control.write(changed->at_first);
    }
    written_.clear();
    chosen_.reset();
    tells_all_ = false;
}

std::optional<models::DeviceLayers> MpichDevice::last_used(const Pattern& pattern,
                                                           const std::string& whole) const {
    const models::Composition* composition = models::find_composition(pattern.name, composition_in(whole));
    if (composition == nullptr) {
        return std::nullopt;
    }
    models::DeviceLayers used = {composition->name, "", models::by_messages};
    if (is_by_shared_memory(whole)) {
        used.in_node = models::release_gather;
    } else if (const std::string in_node = last_in_node(*composition); !in_node.empty()) {
        used.in_node = in_node;
    } else if (chosen_) {
        used.in_node = chosen_->in_node;  // this rank is alone on its node, and cannot say
    }
    const bool is_chosen = chosen_ && !chosen_->between.empty();
    if (is_chosen || tells_all_) {
        const std::string between = last_part(MPIX_COLL_PART_BETWEEN_NODES, pattern.name.c_str());
        used.between = !between.empty() ? short_name(between) : is_chosen ? chosen_->between : "";
    }
    return used;
}

std::vector<std::string> MpichDevice::told_parameters() const {
    std::vector<std::string> names;
    if (tells_all_) {
        names = {"tree_type", "k", "buffer_size", "cells"};
    } else if (chosen_) {
        for (const auto& [name, value] : chosen_->parameters) {
            names.push_back(name);
        }
    }
    return names;
}

std::string MpichDevice::last_in_node(const models::Composition& composition) const {
    std::string in_node;
    for (const char* collective : composition.in_node) {
        const std::string algorithm = last_part(MPIX_COLL_PART_IN_NODE, collective);
        if (algorithm.empty()) {
            continue;
        }
        const std::string way = is_by_shared_memory(algorithm) ? models::release_gather : models::by_messages;
        in_node = in_node.empty() || in_node == way ? way : "several";
    }
    return in_node;
}

std::string MpichDevice::last_parameter(const models::Composition& composition, const char* part,
                                        const std::string& key, MpichParameters& parameters) const {
    const int collective = MPIX_Coll_query_collective(part);
    MPIX_Coll_param_t parameter = {};
    for (int i = 0;; ++i) {
        const int found =
            composition.only_one_node
                ? MPIX_Coll_query_last_param(comm_, collective, i, &parameter)
                : MPIX_Coll_query_last_part_param(comm_, MPIX_COLL_PART_IN_NODE, collective, i, &parameter);
        if (found != MPI_SUCCESS) {
            return "";
        }
        if (key == parameter.name) {
            const std::string function = "MPIDI_POSIX_mpi_" + std::string(part) + "_release_gather";
            return parameters.value_text(function, key, parameter.value).value_or("");
        }
    }
}

std::string MpichDevice::last_part(int part, const char* collective) const {
    MPIX_Coll_choice_t choice = {};
    MPIX_Coll_query_last_part(comm_, static_cast<MPIX_Coll_part_e>(part),
                              MPIX_Coll_query_collective(collective), &choice);
    return choice.algorithm == nullptr ? "" : choice.algorithm;
}

MpichDevice::Variable& MpichDevice::variable(const std::string& name) {
    const auto found = variables_.find(name);
    if (found != variables_.end()) {
        return found->second;
    }
    ControlVariable control(name);
    const int at_first = control.read();
    return variables_.emplace(name, Variable{std::move(control), at_first}).first->second;
}

void MpichDevice::write(const std::string& name, int value) {
    Variable& changed = variable(name);
    changed.control.write(value);
    written_.push_back(&changed);
}

}  // namespace bench

#endif
