// SPDX-License-Identifier: MIT
#include "measure_and_print.hpp"

#include <algorithm>

#include "sizes.hpp"

namespace bench {

namespace {

class Run {
  public:
    Run(Session& session, const Settings& settings, Printer& printer, const std::string& id)
        : session_(session), settings_(settings), printer_(printer), id_(id) {}

    void overlap(const GroupSpec& group, const OverlapPlan& plan) {
        const auto results = measure_overlap(session_, group, settings_, plan);
        if (session_.rank() == 0) {
            printer_.overlap(group, results, id_);
        }
    }

    void times(const GroupSpec& group) {
        const auto results = session_.measure(group, settings_);
        if (session_.rank() != 0) {
            return;
        }
        printer_.group(group, results, id_);
        if (!results.front().repetitions.empty()) {
            measured_.push_back({group.bytes, median_seconds(results.front())});
        }
    }

    // Up to `most` sizes more, where a line between the measured ones is worst
    void refine(GroupSpec group, int most) {
        for (int i = 0; i < most; ++i) {
            group.bytes = next_size(group.elements->size);
            if (group.bytes == 0) {
                return;
            }
            times(group);
        }
    }

  private:
    // Collective. Rank 0 knows the times and says where to look next; 0: nowhere
    std::size_t next_size(std::size_t granularity) {
        std::sort(measured_.begin(), measured_.end(),
                  [](const models::TimedSize& a, const models::TimedSize& b) { return a.bytes < b.bytes; });
        unsigned long long next = models::next_refinement(measured_, granularity, settings_.precision);
        MPI_Bcast(&next, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
        return next;
    }

    Session& session_;
    const Settings& settings_;
    Printer& printer_;
    const std::string& id_;
    std::vector<models::TimedSize> measured_;  // of the first algorithm; on rank 0
};

}  // namespace

void measure_and_print(Session& session, const Request& request, const std::vector<GroupSpec>& groups,
                       const Settings& settings, Printer& printer, const std::string& id) {
    Run run(session, settings, printer, id);
    for (const GroupSpec& group : groups) {
        if (request.overlap) {
            run.overlap(group, *request.overlap);
        } else {
            run.times(group);
        }
    }
    if (!request.overlap) {
        run.refine(groups.front(), request.refine);
    }
}

}  // namespace bench
