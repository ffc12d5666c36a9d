// SPDX-License-Identifier: MIT
#include "output_text.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

namespace bench {

namespace {

std::string text_of_nodes(const NetworkUse& use) {
    std::string nodes;
    for (const NodeNetwork& node : use.nodes) {
        nodes += fmt::format("{}{} {} {}", nodes.empty() ? "" : ", ", node.node,
                             fmt::join(node.interfaces, "+"), fmt::join(node.addresses, "+"));
    }
    const bool is_loopback = std::any_of(use.nodes.begin(), use.nodes.end(),
                                         [](const NodeNetwork& node) { return node.is_loopback; });
    return nodes +
           (is_loopback ? " (from the open sockets; loopback of this machine)" : " (from the open sockets)");
}

std::string text_of(const NetworkUse& use) {
    switch (use.evidence) {
        case Evidence::one_node:
            return "all ranks are on one node";
        case Evidence::unknown:
            return "unknown";
        case Evidence::library:
            return fmt::format("{} (stated by the library)", use.stated_by_library);
        default:
            return text_of_nodes(use);
    }
}

std::string text_of(const Placement& placement) {
    std::string nodes;
    for (std::size_t n = 0; n < placement.nodes.size(); ++n) {
        nodes += fmt::format("{}{}:{}", n ? "," : "", placement.nodes[n], placement.ranks_on_node[n]);
    }
    return nodes;
}

std::string start_text(const Header& h) {
    if (h.start != StartMode::window) {
        return to_string(h.start);
    }
    return fmt::format("{}, invalid if a rank is more than {:.1f} us late", to_string(h.start),
                       us(h.start_tolerance));
}

bool is_number(const std::string& text) {
    char* end = nullptr;
    std::strtod(text.c_str(), &end);
    return !text.empty() && *end == '\0' && text.find_first_not_of("0123456789+-.eE") == std::string::npos;
}

// A command line may have line ends, which would end the comment
void write_comment_line(std::string line) {
    std::replace_if(
        line.begin(), line.end(), [](unsigned char c) { return c < ' '; }, ' ');
    write_line(std::move(line));
}

}  // namespace

void write_line(std::string line) {
    line += '\n';
    std::size_t written = 0;
    while (written < line.size()) {
        const ssize_t n = write(STDOUT_FILENO, line.data() + written, line.size() - written);
        if (n < 0 && errno != EINTR) {
            return;  // nobody reads any more
        }
        written += n > 0 ? static_cast<std::size_t>(n) : 0;
    }
}

double us(double seconds) {
    return 1e6 * seconds;
}

std::string size_definition(const Pattern& pattern) {
    std::string columns;
    for (const auto& [suite, column] :
         {std::pair("OSU", pattern.size.osu_column), std::pair("IMB", pattern.size.imb_column)}) {
        if (column != "none") {
            columns += fmt::format("{}{}: {}", columns.empty() ? "" : "; ", suite, column);
        }
    }
    return std::string(pattern.size.meaning) + (columns.empty() ? "" : " (" + columns + ")");
}

std::string finish_of_ranks(const CaseResult& result) {
    std::string text;
    for (const double seconds : median_finish_of_ranks(result)) {
        text += fmt::format("{}{:.2f}", text.empty() ? "" : " ", us(seconds));
    }
    return text;
}

std::string csv_field(const std::string& text) {
    const bool is_formula = text.find_first_of("=+-@\t\r") == 0 && !is_number(text);
    const std::string safe = is_formula ? "'" + text : text;
    if (safe.find_first_of("\",\r\n") == std::string::npos) {
        return safe;
    }
    std::string field = "\"";
    for (const char c : safe) {
        field += c == '"' ? std::string("\"\"") : std::string(1, c);
    }
    return field + "\"";
}

void write_comments(const Header& h) {
    write_comment_line(fmt::format("# {}", h.command_line));
    write_comment_line(fmt::format("# {}", h.mpi_library));
    write_comment_line(fmt::format("# ranks: {}, nodes: {} ({}); {} cores, {}", h.ranks,
                                   h.placement.nodes.size(), text_of(h.placement), h.placement.cores,
                                   h.placement.cpu));
    write_comment_line(fmt::format(
        "# clock {}: resolution {:.0f} ns, a read takes {:.0f} ns; synchronisation: {}, {} rounds, error "
        "{:.2f} us (round trip {:.1f} us)",
        h.clock, 1e9 * h.clock_quality.resolution, 1e9 * h.clock_quality.call_cost, h.sync, h.sync_rounds,
        us(h.sync_residual.error), us(h.sync_residual.round_trip)));
    write_comment_line(fmt::format("# start: {}; seed {}", start_text(h), h.seed));
    write_comment_line("# network: " + text_of(h.network));
    if (h.placement.most_ranks_on_a_machine > h.placement.cores) {
        write_comment_line("# more ranks than cores: times include waiting for a core");
    }
}

void write_comment(const EagerLimits& limits) {
    for (const EagerLimits::Limit& limit : limits.found()) {
        write_comment_line(
            fmt::format("# eager limit by {} {}: between {} and {} bytes, where the availability falls from "
                        "{:.2f} to {:.2f}",
                        limit.pattern, limit.algorithm, limit.fall.before.bytes, limit.fall.after.bytes,
                        limit.fall.before.availability, limit.fall.after.availability));
    }
}

void write_comment(const Retransmits& before, const Retransmits& after) {
    const long time_outs = after.time_outs - before.time_outs;
    write_comment_line(fmt::format("# TCP retransmissions during the run: {} segments, {} time-outs{}",
                                   after.segments - before.segments, time_outs,
                                   time_outs > 0 ? "; a maximum of 200 ms or more is such a time-out" : ""));
}

}  // namespace bench
