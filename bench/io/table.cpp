// SPDX-License-Identifier: MIT
// Results as a table for people.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "output.hpp"
#include "output_text.hpp"
#include "recorded_arrivals.hpp"
#include "statistics.hpp"
#include "tails.hpp"

namespace bench {

namespace {

std::string text_of(const models::Tail& tail) {
    std::string text = fmt::format("min {:.2f}, median {:.2f}, 99% {:.2f}, max {:.2f} us; beyond",
                                   us(tail.min), us(tail.median), us(tail.p99), us(tail.max));
    for (std::size_t i = 0; i < models::far_factors.size(); ++i) {
        text += fmt::format("{} {:g} x min {:.1f}%", i == 0 ? "" : ",", models::far_factors[i],
                            100 * tail.shares_beyond[i]);
    }
    return text;
}

std::string name_of(const CaseResult& r) {
    const bool is_told = r.used_algorithm.empty() || r.used_algorithm == r.algorithm;
    return is_told ? r.algorithm : r.algorithm + " (" + r.used_algorithm + ")";
}

std::string problem_of(const CaseResult& r) {
    return r.status != Status::measured
               ? fmt::format("{}: {}", to_string(r.status), r.reason)
               : fmt::format("none of {} repetitions was valid; use --start barrier", r.invalid);
}

bool has_times(const CaseResult& r) {
    return r.status == Status::measured && !r.repetitions.empty();
}

double lowest_median(const std::vector<CaseResult>& results) {
    double lowest = std::numeric_limits<double>::infinity();
    for (const CaseResult& r : results) {
        lowest = r.repetitions.empty() ? lowest : std::min(lowest, median_seconds(r));
    }
    return lowest;
}

// Of the pattern of arrivals, in seconds; of several, the least that is not 0
double width_of(const GroupSpec& g, const CaseResult& r) {
    if (!g.arrival) {
        return 0;
    }
    double least = g.arrival->recorded.delays.empty() ? std::numeric_limits<double>::infinity()
                                                      : usual_width(g.arrival->recorded);
    for (const models::Arrival& arrival : g.arrival->how) {
        least = arrival.pattern->has_width ? std::min(least, arrival.width * r.arrival_unit) : least;
    }
    return std::isinf(least) ? 0 : least;
}

std::string pattern_text(const GroupArrival& of, const models::Arrival& arrival) {
    const models::ArrivalPattern& pattern = *arrival.pattern;
    if (pattern.is_recorded) {
        return fmt::format("{}: {} ({}; width us: median)", pattern.name, pattern.meaning, of.recorded.name);
    }
    return fmt::format("{}: {}{}", pattern.name, pattern.meaning,
                       pattern.has_width
                           ? fmt::format(", up to {:g} times the time of the call (width us)", arrival.width)
                           : "");
}

std::string arrival_text(const GroupSpec& g) {
    std::string text;
    for (const models::Arrival& arrival : g.arrival->how) {
        text += (text.empty() ? "" : "; in turn with ") + pattern_text(*g.arrival, arrival);
    }
    return fmt::format(
        "arrival {}; times are from the last arrival to the last finish; waiting us: of all "
        "ranks together, from arrival to finish",
        text);
}

// What a reader must know of a case before its time is compared with another; explained at the end
struct Mark {
    char sign;
    bool (*applies)(const GroupSpec& group, const CaseResult& result);
    const char* meaning;
};
constexpr Mark marks[] = {
    {'!', [](const GroupSpec&, const CaseResult& r) { return r.ended != models::Ended::precise; },
     "less precise than --precision asks for; raise --max-seconds or --max-repetitions, or --precision"},
    {'^', [](const GroupSpec& g, const CaseResult& r) { return is_skewed(r, g.calls_in_a_row); },
     "start skew: from the first to the last rank's start takes more than 20% of the time; use fewer ranks "
     "than cores, or compare with --calls-in-a-row 10"},
    {'?', [](const GroupSpec& g, const CaseResult& r) { return is_blurred(r, width_of(g, r)); },
     "blurred arrivals: ranks keep their delays only to within the start skew, more than 20% of the width; "
     "use "
     "fewer ranks than cores, or a wider pattern"},
    {'~',
     [](const GroupSpec&, const CaseResult& r) {
         const std::optional<Drift> drift = drift_of(r);
         return drift && drift->is_clear;
     },
     "drift: the median of the last third of the repetitions differs from that of the first by more than 2% "
     "(p < 0.01); measure again on an idle machine, or compare two algorithms with --order pairs"},
};

class Table : public Printer {
  public:
    Table(bool with_ranks, std::vector<ProcessSet> sets) : with_ranks_(with_ranks), sets_(std::move(sets)) {}

    void header(const Header& h) override { write_comments(h); }

    void group(const GroupSpec& g, const std::vector<CaseResult>& results, const std::string&) override {
        if (last_ != g.pattern) {
            last_ = g.pattern;
            write_names(g);
        }
        const double best = lowest_median(results);
        for (const CaseResult& r : results) {
            if (has_times(r)) {
                write_case(g, r, best);
            } else {
                write_line(fmt::format("{:>10}  {:<38} {}", g.bytes, name_of(r), problem_of(r)));
            }
        }
    }

    void overlap(const GroupSpec& g, const std::vector<AlgorithmOverlap>& results,
                 const std::string&) override {
        if (last_ != g.pattern) {
            last_ = g.pattern;
            write_line(fmt::format("# {}: message size is {}", g.pattern->name, size_definition(*g.pattern)));
            write_line("# blocking: start and wait without computation; overhead: processor time with it");
            write_line(fmt::format("{:>10}  {:<38} {:>6} {:>6} {:>12} {:>12} {:>9}", "size", "algorithm",
                                   "by", "tests", "blocking us", "overhead us", "overlap"));
        }
        for (const AlgorithmOverlap& r : results) {
            if (std::isnan(r.blocking_seconds)) {
                write_problem(g, r.blocking);
            }
            for (const Overlap& o : r.overlaps) {
                write_overlap(g, r, o);
            }
        }
    }
    void error(const std::string& message, const std::string&) override {
        fmt::print(stderr, "Error: {}\n", message);
    }
    void done(const std::string&) override {}
    void end(const Retransmits& before, const Retransmits& after) override {
        write_line("# < lowest median of this message size");
        for (const Mark& mark : marks) {
            if (used_marks_.find(mark.sign) != std::string::npos) {
                write_line(fmt::format("# {} {}", mark.sign, mark.meaning));
            }
        }
        write_comment(limits_);
        write_comment(before, after);
    }

  private:
    static void write_names(const GroupSpec& g) {
        const Pattern& pattern = *g.pattern;
        write_line(fmt::format("# {}: message size is {}", pattern.name, size_definition(pattern)));
        if (g.calls_in_a_row != 1) {
            write_line(fmt::format("# {} calls in a row after one common start; times are those of one call",
                                   g.calls_in_a_row));
        }
        if (g.communicators.are_parts()) {
            write_line(
                fmt::format("# {}: {} communicators of {} ranks call at the same time; times are from the "
                            "common start to the last finish of all",
                            to_string(g.communicators), g.communicators.count, g.ranks));
        }
        std::string more;
        if (g.arrival) {
            write_line("# " + arrival_text(g));
            more += fmt::format(" {:>11} {:>11}", "width us", "waiting us");
        }
        for (const std::string& name : derived_names(pattern)) {
            more += fmt::format(" {:>16}", name);
        }
        write_line(fmt::format("{:>10}  {:<38} {:>11} {:>7} {:>11} {:>11} {:>11} {:>6} {:>7}{}", "size",
                               "algorithm", "median us", "+-%", "min us", "95% us", "max us", "n", "invalid",
                               more));
    }

    void write_case(const GroupSpec& g, const CaseResult& r, double best) {
        const models::Summary s = models::summarize(seconds_of(r));
        const double width = models::relative_half_width(s.median_interval, s.median);
        std::string more;
        if (g.arrival) {
            more += fmt::format(" {:>11.2f} {:>11.2f}", us(width_of(g, r)), us(median_waiting(r)));
        }
        for (const Derived& d : derived(g, r)) {
            more += fmt::format(" {:>16.2f}", d.value);
        }
        limits_.add(g, r);
        write_line(
            fmt::format("{:>10}  {:<38} {:>11.2f} {:>7.1f} {:>11.2f} {:>11.2f} {:>11.2f} {:>6} {:>7}{}  {}",
                        g.bytes, name_of(r), us(s.median), 100 * width, us(s.min), us(s.p95), us(s.max),
                        s.count, r.invalid, more, marks_of(g, r, s.median == best)));
        if (with_ranks_) {
            write_line(fmt::format("{:>12}finish of ranks, median us: {}", "", finish_of_ranks(r)));
        }
        for (const ProcessSet& set : sets_) {
            write_line(fmt::format("{:>12}ranks {}: {}", "", set.name,
                                   text_of(models::tail_of(sorted_finishes(r, set)))));
        }
    }

    std::string marks_of(const GroupSpec& g, const CaseResult& r, bool is_best) {
        std::string text = is_best ? "<" : "";
        for (const Mark& mark : marks) {
            if (mark.applies(g, r)) {
                text += mark.sign;
                used_marks_ += mark.sign;
            }
        }
        return text;
    }

    static void write_overlap(const GroupSpec& g, const AlgorithmOverlap& r, const Overlap& o) {
        if (std::isnan(o.overhead_seconds)) {
            return write_problem(g, o.result);
        }
        write_line(fmt::format("{:>10}  {:<38} {:>6} {:>6} {:>12.2f} {:>12.2f} {:>8.0f}%{}", g.bytes,
                               r.blocking.algorithm, to_string(o.scheme), o.tests, us(r.blocking_seconds),
                               us(o.overhead_seconds), 100 * o.overlap, o.is_best ? "  <" : ""));
    }
    static void write_problem(const GroupSpec& g, const CaseResult& r) {
        write_line(fmt::format("{:>10}  {:<38} {}", g.bytes, r.algorithm,
                               r.reason.empty() ? "no valid repetition; use --start barrier" : r.reason));
    }

    bool with_ranks_;
    std::vector<ProcessSet> sets_;
    const Pattern* last_ = nullptr;
    std::string used_marks_;
    EagerLimits limits_;
};

}  // namespace

std::unique_ptr<Printer> table_printer(bool with_ranks, std::vector<ProcessSet> sets) {
    return std::make_unique<Table>(with_ranks, std::move(sets));
}

}  // namespace bench
