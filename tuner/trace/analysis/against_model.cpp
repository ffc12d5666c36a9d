// SPDX-License-Identifier: MIT
#include "against_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tuple>

#include "number_text.hpp"
#include "text_table.hpp"
#include "units.hpp"

namespace tuner::trace {

namespace {

constexpr std::uint64_t small_bytes = 1024;       // up to here latency is what counts
constexpr std::uint64_t large_bytes = 32 * 1024;  // from here on time per byte

// What else goes through a message's interfaces while it is under way
struct Company {
    double bytes = 0;           // in the busier of the two interfaces
    double opposite_bytes = 0;  // between the same two ranks, the other way
};

struct Passage {
    std::int64_t from_ns;
    std::int64_t to_ns;
    std::size_t message;
};

class Companies {
  public:
    explicit Companies(const Matched& matched) : matched_(matched) {}

    // Of the messages of one call, in their order
    const std::vector<Company>& of(std::span<const Message> messages) {
        companies_.assign(messages.size(), {});
        through_.clear();
        for (std::size_t i = 0; i < messages.size(); ++i) {
            const Message& m = messages[i];
            if (m.is_between_nodes) {
                const Passage passage{m.started_ns(), m.receive_ended_ns, i};
                through_[{matched_.node_of(m.source), true}].push_back(passage);
                through_[{matched_.node_of(m.destination), false}].push_back(passage);
            }
        }
        for (auto& [interface, passages] : through_) {
            std::sort(passages.begin(), passages.end(),
                      [](const Passage& a, const Passage& b) { return a.from_ns < b.from_ns; });
            bytes_.assign(passages.size(), 0);
            for (std::size_t i = 0; i < passages.size(); ++i) {
                for (std::size_t k = i + 1; k < passages.size() && passages[k].from_ns < passages[i].to_ns;
                     ++k) {
                    bytes_[i] += static_cast<double>(messages[passages[k].message].bytes);
                    bytes_[k] += static_cast<double>(messages[passages[i].message].bytes);
                }
            }
            for (std::size_t i = 0; i < passages.size(); ++i) {
                double& most = companies_[passages[i].message].bytes;
                most = std::max(most, bytes_[i]);
            }
        }
        find_opposite(messages);
        return companies_;
    }

  private:
    void find_opposite(std::span<const Message> messages) {
        pairs_.clear();
        for (std::size_t i = 0; i < messages.size(); ++i) {
            pairs_[std::minmax(messages[i].source, messages[i].destination)].push_back(i);
        }
        for (const auto& [pair, of_pair] : pairs_) {
            for (const std::size_t i : of_pair) {
                for (const std::size_t k : of_pair) {
                    const Message& a = messages[i];
                    const Message& b = messages[k];
                    if (a.source != b.source && a.started_ns() < b.receive_ended_ns &&
                        b.started_ns() < a.receive_ended_ns) {
                        companies_[i].opposite_bytes += static_cast<double>(b.bytes);
                    }
                }
            }
        }
    }

    const Matched& matched_;
    std::vector<Company> companies_;
    std::map<std::pair<int, bool>, std::vector<Passage>> through_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::size_t>> pairs_;
    std::vector<double> bytes_;
};

double model_seconds(const Message& m, const Company& company, const models::Parameters& parameters) {
    const models::LinkCosts& link = m.is_between_nodes ? parameters.between : parameters.within;
    const auto bytes = static_cast<double>(m.bytes);
    const models::ProtocolSegment& segment = link.segments[link.segment_of(bytes)];
    const double opposite = std::max(0.0, std::min(bytes, company.opposite_bytes) - link.free_opposite_bytes);
    return segment.latency_seconds + segment.seconds_per_byte * (bytes + company.bytes) +
           link.opposite_seconds_per_byte * opposite;
}

std::string name_of_assumption(const Message& m, Traffic traffic) {
    const char* where = m.is_between_nodes ? "between nodes" : "within a node";
    if (m.bytes <= small_bytes) {
        return traffic == Traffic::alone ? fmt::format("latency {}", where) : "";
    }
    if (m.bytes < large_bytes) {
        return "";
    }
    switch (traffic) {
        case Traffic::alone:
            return fmt::format("time per byte {}", where);
        case Traffic::shared:
            return "messages share an interface: one after the other";
        case Traffic::exchanged:
            break;
    }
    return fmt::format("cost of an exchange {}", where);
}

}  // namespace

const char* to_string(Traffic traffic) {
    constexpr std::array names = {"alone", "shared", "exchanged"};
    return names[static_cast<std::size_t>(traffic)];
}

AgainstModel against_model(const Matched& matched, const models::Parameters& parameters) {
    struct Samples {
        std::vector<double> measured;
        std::vector<double> model;
        std::vector<double> ratios;
    };
    std::map<std::tuple<Link, Traffic, std::uint64_t>, Samples> by_size;
    std::map<std::string, std::vector<double>> by_assumption;
    Companies companies(matched);
    for (std::uint32_t call = 0; call < matched.calls.size(); ++call) {
        const auto messages = matched.messages_of(call);
        const std::vector<Company>& company = companies.of(messages);
        for (std::size_t i = 0; i < messages.size(); ++i) {
            const Message& m = messages[i];
            const double predicted = model_seconds(m, company[i], parameters);
            if (m.is_sent_freely() || predicted <= 0) {
                continue;
            }
            const Traffic traffic = company[i].opposite_bytes > 0 ? Traffic::exchanged
                                    : company[i].bytes > 0        ? Traffic::shared
                                                                  : Traffic::alone;
            Samples& samples = by_size[{m.is_between_nodes ? Link::between_nodes : Link::within_node, traffic,
                                        std::bit_floor(m.bytes)}];
            const double ratio = m.transfer_seconds() / predicted;
            samples.measured.push_back(m.transfer_seconds());
            samples.model.push_back(predicted);
            samples.ratios.push_back(ratio);
            if (const std::string name = name_of_assumption(m, traffic); !name.empty()) {
                by_assumption[name].push_back(ratio);
            }
        }
    }
    AgainstModel result;
    for (auto& [key, samples] : by_size) {
        const auto& [link, traffic, bytes] = key;
        const std::size_t count = samples.ratios.size();
        result.times.push_back({link, traffic, bytes, count, median_of(std::move(samples.measured)),
                                median_of(std::move(samples.model)), median_of(std::move(samples.ratios))});
    }
    for (auto& [name, ratios] : by_assumption) {
        const std::size_t count = ratios.size();
        result.assumptions.push_back({name, median_of(std::move(ratios)), count});
    }
    std::stable_sort(result.assumptions.begin(), result.assumptions.end(),
                     [](const Assumption& a, const Assumption& b) {
                         return std::max(a.ratio, 1 / a.ratio) > std::max(b.ratio, 1 / b.ratio);
                     });
    return result;
}

TextTable table_of(const AgainstModel& against) {
    TextTable table({"link", "traffic", "bytes", "messages", "measured", "model", "measured/model"});
    for (const MessageTimes& row : against.times) {
        table.add({to_string(row.link), to_string(row.traffic),
                   row.from_bytes == 0 ? "0" : bytes_text(row.from_bytes) + "+", std::to_string(row.messages),
                   seconds_text(row.measured_seconds), seconds_text(row.model_seconds),
                   fmt::format("{:.2f}", row.ratio)});
    }
    return table;
}

std::string assumptions_text(const AgainstModel& against) {
    std::string text;
    for (const Assumption& assumption : against.assumptions) {
        text += fmt::format("  {}: {} (measured/model {:.2f}, {})\n", assumption.holds() ? "holds" : "fails",
                            assumption.name, assumption.ratio, counted(assumption.messages, "message"));
    }
    return text;
}

std::string to_text(const AgainstModel& against) {
    return table_of(against).text() + assumptions_text(against);
}

Json to_json(const AgainstModel& against) {
    Json times = Json::array();
    for (const MessageTimes& row : against.times) {
        times.push_back({{"link", to_string(row.link)},
                         {"traffic", to_string(row.traffic)},
                         {"from_bytes", row.from_bytes},
                         {"messages", row.messages},
                         {"measured_seconds", row.measured_seconds},
                         {"model_seconds", row.model_seconds},
                         {"measured_by_model", row.ratio}});
    }
    Json assumptions = Json::array();
    for (const Assumption& assumption : against.assumptions) {
        assumptions.push_back({{"assumption", assumption.name},
                               {"holds", assumption.holds()},
                               {"measured_by_model", assumption.ratio},
                               {"messages", assumption.messages}});
    }
    return {{"messages", times}, {"assumptions", assumptions}};
}

}  // namespace tuner::trace
