// SPDX-License-Identifier: MIT
// What MPICH 4.0.2 does with a selection file, from reading csel.c: the choice for a call, and everything
// that would end the job.
#pragma once

#include <bit>
#include <set>
#include <stdexcept>
#include <string>

#include "checked_json.hpp"

struct TreeCall {
    std::string collective;
    int ranks;
    int nodes;
    std::string hierarchy;  // flat, parent, node, node_roots
    bool node_consecutive;
    long bytes;  // of one message, or of one rank's part
    long count;
    bool in_place = false;
    bool built_in = true;
    bool commutative = true;
    bool regular = true;
};

class SelectionTree {
  public:
    explicit SelectionTree(const tuner::Json& tree) : tree_(tree) {}

    // Throws what MPICH would assert.
    std::string choose(const TreeCall& call) const {
        return search(tree_.at("collective=" + call.collective), call, false);
    }

    void validate() const { validate(tree_, 0); }

  private:
    static bool ends_chain(const std::string& key) {
        static const std::set<std::string> booleans = {
            "collective",        "comm_type",           "comm_hierarchy",
            "is_multi_threaded", "is_node_consecutive", "is_op_built_in",
            "is_commutative",    "is_block_regular",    "is_sendbuf_inplace"};
        return key.ends_with("=any") || booleans.contains(key.substr(0, key.find('=')));
    }

    static void validate(const tuner::Json& tree, int depth) {
        if (depth > 20) {
            throw std::logic_error("validation takes 2^depth steps");
        }
        if (tree.empty()) {
            throw std::logic_error("nothing to choose");
        }
        std::string last;
        for (const auto& [key, subtree] : tree.items()) {
            if (last.ends_with("=any") && !last.starts_with("comm_hierarchy")) {
                throw std::logic_error("something behind " + last);
            }
            last = key;
            if (key.starts_with("algorithm=")) {
                return;
            }
            if (const auto number = key.find_first_of("0123456789"); number != std::string::npos) {
                if (std::stoll(key.substr(number)) > 2147483647) {
                    throw std::logic_error("too large: " + key);
                }
            }
            validate(subtree, depth + 1);
        }
        if (!ends_chain(last)) {
            throw std::logic_error("a chain ends with " + last);
        }
    }

    static std::string search(const tuner::Json& tree, const TreeCall& call, bool asked_for_message) {
        for (const auto& [key, subtree] : tree.items()) {
            if (key.starts_with("algorithm=")) {
                return key.substr(10);
            }
            const bool is_comm = key.starts_with("comm_") || key.starts_with("is_node_consecutive");
            if (holds(key, call, asked_for_message)) {
                return search(subtree, call, asked_for_message || !is_comm);
            }
            asked_for_message = asked_for_message || !is_comm;
        }
        throw std::logic_error("no choice for " + call.collective);
    }

    static void only_for(const std::set<std::string>& collectives, const std::string& key,
                         const TreeCall& call) {
        if (!collectives.contains(call.collective)) {
            throw std::logic_error(key + " is not defined for " + call.collective);
        }
    }

    static bool yes(const std::string& key, bool value) { return key.ends_with(value ? "=yes" : "=no"); }

    static bool compare(const std::string& key, long value, bool less_is_less_or_equal = false) {
        const auto less = key.find('<');
        const bool or_equal = key[less + 1] == '=';
        const long number = std::stol(key.substr(less + (or_equal ? 2 : 1)));
        return or_equal || less_is_less_or_equal ? value <= number : value < number;
    }

    static bool holds(const std::string& key, const TreeCall& call, bool asked_for_message) {
        const std::string operation = key.substr(0, key.find_first_of("<="));
        const std::set<std::string> reductions = {"reduce", "allreduce"};
        if (operation == "comm_type") {
            return key.ends_with("intra");
        }
        if (operation == "comm_size" && key.ends_with("pow2")) {
            return std::has_single_bit(static_cast<unsigned>(call.ranks));
        }
        if (operation == "comm_hierarchy") {
            return key.ends_with("=any") || key == "comm_hierarchy=" + call.hierarchy;
        }
        if (operation == "is_node_consecutive") {
            return yes(key, call.node_consecutive);
        }
        if (operation == "avg_msg_size") {
            only_for({"bcast", "reduce", "allreduce", "alltoall"}, key, call);
        }
        if (key.ends_with("=any")) {
            return true;
        }
        if (operation == "comm_size") {  // the search, not the pruning, takes < for <=
            return compare(key, call.ranks, asked_for_message);
        }
        if (operation == "comm_avg_ppn") {
            return call.ranks <= std::stol(key.substr(key.find("<=") + 2)) * call.nodes;
        }
        if (operation == "avg_msg_size") {
            return compare(key, call.bytes);
        }
        if (operation == "total_msg_size") {
            return compare(key, call.bytes * call.ranks);
        }
        if (operation == "is_sendbuf_inplace") {
            only_for({"alltoall", "alltoallv", "alltoallw"}, key, call);
            return yes(key, call.in_place);
        }
        if (operation == "is_op_built_in") {
            only_for(reductions, key, call);
            return yes(key, call.built_in);
        }
        if (operation == "is_commutative") {
            only_for({"reduce", "allreduce", "reduce_scatter", "reduce_scatter_block"}, key, call);
            return yes(key, call.commutative);
        }
        if (operation == "is_block_regular") {
            only_for({"reduce_scatter"}, key, call);
            return yes(key, call.regular);
        }
        if (key == "count<pow2") {
            return call.count < static_cast<long>(std::bit_floor(static_cast<unsigned>(call.ranks)));
        }
        throw std::logic_error("unknown key " + key);
    }

    tuner::Json tree_;
};
