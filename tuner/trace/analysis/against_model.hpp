// SPDX-License-Identifier: MIT
// Message by message against the cost model of a run: by link, size, and what else went through the same
// interface meanwhile. It tells which assumption of the model fails.
#pragma once

#include <string>
#include <vector>

#include "checked_json.hpp"
#include "cost.hpp"
#include "text_table.hpp"
#include "trace.hpp"

namespace tuner::trace {

// What else was going on
enum class Traffic { alone, shared, exchanged };
const char* to_string(Traffic traffic);

struct MessageTimes {
    Link link = Link::between_nodes;
    Traffic traffic = Traffic::alone;
    std::uint64_t from_bytes = 0;  // sizes from here to less than twice as much
    std::size_t messages = 0;
    double measured_seconds = 0;  // medians
    double model_seconds = 0;
    double ratio = 0;  // median of measured / model
};

struct Assumption {
    std::string name;  // in words
    double ratio = 0;  // measured / model, median of its messages
    std::size_t messages = 0;

    static constexpr double tolerance = 1.3;
    bool holds() const { return ratio < tolerance && ratio > 1 / tolerance; }
};

struct AgainstModel {
    std::vector<MessageTimes> times;
    std::vector<Assumption> assumptions;  // those that the trace has messages for
};

// Messages that had arrived before anybody asked for them tell nothing, and are left out. Alone: latency and
// time per byte. Shared: all bytes that go through the interface meanwhile, one after the other. Exchanged:
// with what the model takes for the other direction.
AgainstModel against_model(const Matched& matched, const models::Parameters& parameters);

TextTable table_of(const AgainstModel& against);
std::string assumptions_text(const AgainstModel& against);
std::string to_text(const AgainstModel& against);  // both
Json to_json(const AgainstModel& against);

}  // namespace tuner::trace
