// SPDX-License-Identifier: MIT
// Results as comma-separated values, with comments that start with '#'.
#include <fmt/format.h>

#include <cmath>

#include "output.hpp"
#include "output_text.hpp"
#include "statistics.hpp"

namespace bench {

namespace {

class Csv : public Printer {
  public:
    explicit Csv(bool with_ranks) : with_ranks_(with_ranks) {}

    void header(const Header& h) override { write_comments(h); }
    void group(const GroupSpec& g, const std::vector<CaseResult>& results, const std::string&) override {
        const std::vector<std::string> more = derived_names(*g.pattern);
        if (!has_names_) {
            has_names_ = true;
            write_line(fmt::format(
                "collective,algorithm,used,bytes,status,ended,n,invalid,median_us,low_us,high_us,mean_us,"
                "min_us,p95_us,max_us,calls_in_a_row,communicators,start_skew_us,arrival,arrival_unit_us,"
                "waiting_us{}{}{}",
                more.empty() ? "" : ",", fmt::join(more, ","), with_ranks_ ? ",finish_of_ranks_us" : ""));
        }
        for (const CaseResult& r : results) {
            const std::string start =
                fmt::format("{},{},{},{},{},{},{},{}", g.pattern->name, csv_field(r.algorithm),
                            csv_field(r.used_algorithm), g.bytes, to_string(r.status),
                            models::to_string(r.ended), r.repetitions.size(), r.invalid);
            if (r.repetitions.empty()) {
                write_line(start + ",,,,,,,,,,,,," + std::string(more.size(), ',') +
                           (with_ranks_ ? "," : ""));
                continue;
            }
            std::string values;
            for (const Derived& d : derived(g, r)) {
                values += fmt::format(",{:.3f}", d.value);
            }
            limits_.add(g, r);
            const std::optional<double> skew = median_start_skew(r);
            const models::Summary s = models::summarize(seconds_of(r));
            const std::string arrival =
                g.arrival ? fmt::format("{},{:.3f},{:.3f}", models::to_string(g.arrival->how),
                                        us(r.arrival_unit), us(median_waiting(r)))
                          : ",,";
            write_line(fmt::format("{},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{},{},{},{}{}{}",
                                   start, us(s.median), us(s.median_interval.low), us(s.median_interval.high),
                                   us(s.mean), us(s.min), us(s.p95), us(s.max), g.calls_in_a_row,
                                   to_string(g.communicators), skew ? fmt::format("{:.3f}", us(*skew)) : "",
                                   arrival, values, with_ranks_ ? "," + finish_of_ranks(r) : ""));
        }
    }
    void overlap(const GroupSpec& g, const std::vector<AlgorithmOverlap>& results,
                 const std::string&) override {
        if (!has_overlap_header_) {
            write_line(
                "collective,algorithm,bytes,scheme,test_interval,tests,blocking_us,overhead_us,overlap,best,"
                "status");
            has_overlap_header_ = true;
        }
        for (const AlgorithmOverlap& r : results) {
            if (std::isnan(r.blocking_seconds)) {
                write_line(fmt::format("{},{},{},,,,,,,,{}", g.pattern->name, csv_field(r.blocking.algorithm),
                                       g.bytes, to_string(r.blocking.status)));
            }
            for (const Overlap& o : r.overlaps) {
                const std::string times =
                    std::isnan(o.overhead_seconds)
                        ? ",,"
                        : fmt::format("{:.3f},{:.4f},{}", us(o.overhead_seconds), o.overlap, int{o.is_best});
                write_line(fmt::format("{},{},{},{},{},{},{:.3f},{},{}", g.pattern->name,
                                       csv_field(r.blocking.algorithm), g.bytes, to_string(o.scheme),
                                       o.interval, o.tests, us(r.blocking_seconds), times,
                                       to_string(o.result.status)));
            }
        }
    }
    void error(const std::string& message, const std::string&) override {
        fmt::print(stderr, "Error: {}\n", message);
    }
    void done(const std::string&) override {}
    void end(const Retransmits& before, const Retransmits& after) override {
        write_comment(limits_);
        write_comment(before, after);
    }

  private:
    bool with_ranks_;
    bool has_names_ = false;
    EagerLimits limits_;
    bool has_overlap_header_ = false;
};

}  // namespace

std::unique_ptr<Printer> csv_printer(bool with_ranks) {
    return std::make_unique<Csv>(with_ranks);
}

}  // namespace bench
