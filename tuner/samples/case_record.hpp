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
#include "reproducible.hpp"

namespace tuner {

// What a case was measured for
enum class Stage {
    network,       // exchanges of two ranks, for the model of a network
    exchange,      // those that a plan asks for
    search,        // what rules are decided from
    verify,        // proofs of rules
    arrivals,      // ... with ranks that arrive apart
    guidelines,    // ... calls against their mock-ups, in jobs that read the rules or do not
    check,         // do the rules still hold?
    not_loaded,    // jobs without the emitted file, and
    loaded,        // jobs that read it
    knobs,         // jobs that read it, with a variable of the library or without
    audit,         // calls against their mock-ups, and
    audit_loaded,  // the same in jobs that read the file
};
const char* to_string(Stage stage);
Stage stage_from(const std::string& name);  // throws std::invalid_argument

enum class Status {
    measured,
    refused,  // by the benchmark: a precondition does not hold
    wrong_result,
    wrong_algorithm,
    crashed,  // the job ended, hung or answered nonsense when it was asked for this case alone
};
const char* to_string(Status status);
Status status_from(const std::string& name);  // throws std::invalid_argument

struct CaseRecord {
    std::uint64_t group = 0;  // cases of one group were measured together, interleaved; the journal counts
    Stage stage = Stage::search;
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
    Status status = Status::measured;
    std::string reason;    // of any other status than measured
    std::string ended;     // why there are no more repetitions: precise, repetitions, time
    double precision = 0;  // reached: half the interval of the median by the median
    std::size_t invalid = 0;
    int calls_in_a_row = 1;     // of each repetition; a sample is the time of one of them
    std::string setting;        // of a knob: VARIABLE=value; of a job with rules: rules=checksum
    models::ResultBits bits;    // of a reduction
    std::string arrival;        // pattern and width, such as one-late:0.5; empty: together
    std::string communicators;  // that called at the same time, such as rows:2; empty: all ranks in one
    std::map<std::string, double> by_arrival;  // median seconds of each pattern, if several take turns
    double start_skew_seconds = 0;             // median of last - first start of a repetition; 0: not known
    double seconds_spent = 0;
    // of the kernel, on all nodes, while the group was measured; nothing: not known
    std::optional<long> tcp_retransmits;
    std::optional<long> tcp_time_outs;
    std::vector<double> rank_finish_seconds;  // medians, since the common start; empty: not kept
    std::vector<double> samples_seconds;

    bool operator==(const CaseRecord&) const = default;
};

// From a `case` line of the benchmark, without group and stage; samples as below. Throws std::exception if it
// is none.
CaseRecord record_from_answer(const Json& answer, const std::string& network, const Layout& layout);

// A line of samples.jsonl, without its end, of a group of `group_size` cases. Samples keep nanoseconds.
std::string to_line(const CaseRecord& record, std::size_t group_size);

// The line with a checksum (CRC-32C) of all that is before it, as the last member of the object:
// "crc":"0123abcd"
std::string with_checksum(std::string line);
bool has_checksum(std::string_view line);

// The head of a line (everything but the samples and the checksum) as JSON; the samples go into
// `samples_seconds`. Throws std::exception when the line is damaged.
Json parse_line(std::string_view line, std::vector<double>& samples_seconds);

// From parse_line's result for a line of type `case`. A case whose samples cannot be times (zero, below, or
// centuries) was not measured: it has crashed, and has no samples.
CaseRecord record_from_head(const Json& head, std::vector<double> samples_seconds);

}  // namespace tuner
