// SPDX-License-Identifier: MIT
// Results as a table for people.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "output.hpp"
#include "output_text.hpp"
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

class Table : public Printer {
  public:
    Table(bool with_ranks, std::vector<ProcessSet> sets) : with_ranks_(with_ranks), sets_(std::move(sets)) {}

    void header(const Header& h) override { write_comments(h); }

    void group(const GroupSpec& g, const std::vector<CaseResult>& results, const std::string&) override {
        if (last_ != g.pattern) {
            last_ = g.pattern;
            write_names(*g.pattern);
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
        if (doubtful_) {
            write_line(
                "# ! less precise than --precision asks for; raise --max-seconds or --max-repetitions, or "
                "--precision");
        }
        write_comment(limits_);
        write_comment(before, after);
    }

  private:
    static void write_names(const Pattern& pattern) {
        write_line(fmt::format("# {}: message size is {}", pattern.name, size_definition(pattern)));
        std::string more;
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
        const bool is_doubtful = r.ended != models::Ended::precise;
        doubtful_ |= is_doubtful;
        std::string more;
        for (const Derived& d : derived(g, r)) {
            more += fmt::format(" {:>16.2f}", d.value);
        }
        limits_.add(g, r);
        write_line(
            fmt::format("{:>10}  {:<38} {:>11.2f} {:>7.1f} {:>11.2f} {:>11.2f} {:>11.2f} {:>6} {:>7}{}  {}{}",
                        g.bytes, name_of(r), us(s.median), 100 * width, us(s.min), us(s.p95), us(s.max),
                        s.count, r.invalid, more, s.median == best ? "<" : "", is_doubtful ? "!" : ""));
        if (with_ranks_) {
            write_line(fmt::format("{:>12}finish of ranks, median us: {}", "", finish_of_ranks(r)));
        }
        for (const ProcessSet& set : sets_) {
            write_line(fmt::format("{:>12}ranks {}: {}", "", set.name,
                                   text_of(models::tail_of(sorted_finishes(r, set)))));
        }
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
    bool doubtful_ = false;
    EagerLimits limits_;
};

}  // namespace

std::unique_ptr<Printer> table_printer(bool with_ranks, std::vector<ProcessSet> sets) {
    return std::make_unique<Table>(with_ranks, std::move(sets));
}

}  // namespace bench
