// SPDX-License-Identifier: MIT
// The benchmark of machines that are not here: answers the requests of `changeover-bench --serve` with
// simulated times. Its library is MPICH 4.0.2 as its schedules and thresholds describe it.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "layout.hpp"
#include "player.hpp"
#include "simulated_platform.hpp"

namespace tuner {

class SimulatedBenchmark {
  public:
    // One host for each node of the layout
    SimulatedBenchmark(const SimulatedPlatform& platform, const std::vector<std::string>& hosts,
                       const Layout& layout);

    void set_machine(const SimulatedMachine& machine);  // in place of the platform's

    Json header() const;
    // A line for each case. Throws an Error for a request that cannot be answered.
    std::vector<Json> answer(const Json& request);

    // Of a collective: those that have a schedule
    static std::vector<std::string> algorithms_of(const std::string& collective);

    struct Call {
        std::string collective;
        std::string algorithm;  // default: what MPICH would choose
        std::size_t bytes = 0;
        std::size_t element_bytes = 1;
        int root = 0;
        bool in_place = false;
        int calls_in_a_row = 1;
    };
    struct Time {
        std::string used;     // the algorithm
        std::string refused;  // why it cannot run; else empty
        Played played;        // of one call
    };
    const Time& time_of(const Call& call, Pace pace = Pace::free);

  private:
    Json case_of_collective(const Json& request, const std::string& algorithm, std::size_t bytes);
    Json case_of_exchange(const Json& request, const std::string& way, std::size_t bytes);
    void add_samples(Json& line, double seconds, const Json& request);
    const models::Algorithm* chosen(const Call& call, const models::Call& of_model,
                                    std::string& refused) const;

    SimulatedJob job_;
    Layout layout_;
    std::vector<std::string> hosts_;
    double measured_seconds_ = 0;  // all that would have been measured so far
    std::map<std::tuple<std::string, std::string, std::size_t, std::size_t, int, bool, int, Pace>, Time>
        times_;  // a simulation gives the same time again
};

}  // namespace tuner
