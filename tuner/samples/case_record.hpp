// SPDX-License-Identifier: MIT
// One measured case (or one that could not be measured: a status and a reason) with its raw samples: from an
// answer of the benchmark, to a line of samples.jsonl, and back, quickly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cluster.hpp"

namespace tuner {

inline const std::string network_stage = "network";    // exchanges of two ranks, for the model of a network
inline const std::string exchange_stage = "exchange";  // those that a plan asks for

struct CaseRecord {
    std::uint64_t group = 0;  // cases of one group were measured together, interleaved; the journal counts
    std::string stage;        // network, exchange, search, verify or check
    std::string network;
    Layout layout;
    std::string collective;
    std::string algorithm;  // asked for
    std::string used;       // what the library ran; empty: it cannot tell
    std::size_t bytes = 0;
    std::string datatype;
    std::string operation;  // empty: the collective has none
    std::string root;       // a rank, or rotating; empty: the collective has none
    bool in_place = false;
    std::string device;                        // of the library; empty: it does not say
    std::string interface;                     // that its connections use; empty: not known
    std::string link;                          // of an exchange: within or between (nodes)
    std::map<std::string, double> parameters;  // of an exchange
    std::string exchange;                      // of the stage of that name: its label in the plan
    std::map<std::string, double> values;      // what the benchmark derives from the samples, by its names
    std::string status;                        // measured, refused ... as the benchmark says; or poisoned
    std::string reason;                        // of any other status than measured
    std::string ended;     // why there are no more repetitions: precise, repetitions, time
    double precision = 0;  // reached: half the interval of the median by the median
    std::size_t invalid = 0;
    double seconds_spent = 0;
    // of the kernel, on all nodes, while the group was measured; nothing: not known
    std::optional<long> tcp_retransmits;
    std::optional<long> tcp_time_outs;
    std::vector<double> rank_finish_seconds;  // medians, since the common start; empty: not kept
    std::vector<double> samples_seconds;

    bool operator==(const CaseRecord&) const = default;
};

// From a `case` line of the benchmark, without group and stage. Throws std::exception if it is none.
CaseRecord record_from_answer(const Json& answer, const std::string& network, const Layout& layout);

// A line of samples.jsonl, without its end, of a group of `group_size` cases. Samples keep nanoseconds.
std::string to_line(const CaseRecord& record, std::size_t group_size);

// The head of a line (everything but the samples) as JSON; the samples go into `samples_seconds`. Throws
// std::exception when the line is damaged.
Json parse_line(std::string_view line, std::vector<double>& samples_seconds);

// From parse_line's result for a line of type `case`
CaseRecord record_from_head(const Json& head, std::vector<double> samples_seconds);

}  // namespace tuner
