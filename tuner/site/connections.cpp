// SPDX-License-Identifier: MIT
#include "connections.hpp"

#include <algorithm>

#include "job.hpp"

namespace tuner {

namespace {

constexpr double seconds_to_start = 20;  // ssh to many hosts takes its time
constexpr double seconds_of_pair = 10;
// Libraries exchange messages of this size between all pairs of ranks, not through others
constexpr int bytes_between_all = 1024;

// Why a job of these hosts does not work; empty: it does
std::string job_problem(Cluster cluster, const Network& network, const std::vector<Host>& hosts,
                        double seconds) {
    cluster.hosts = hosts;
    const int nodes = static_cast<int>(hosts.size());
    const Layout layout = {nodes, nodes == 1 ? std::min(2, hosts.front().slots) : 1};
    try {
        Job job(cluster, network, layout, new_token(), seconds);
        const Answer answer = job.ask({{"collective", "alltoall"},
                                       {"bytes", {bytes_between_all}},
                                       {"algorithms", {"default"}},
                                       {"min_repetitions", 3},
                                       {"max_repetitions", 3}},
                                      seconds);
        job.end();
        return answer.reason;
    } catch (const Error& error) {
        return error.what();
    }
}

}  // namespace

std::vector<BrokenConnection> broken_in_ring(const std::string& network,
                                             const std::vector<std::string>& hosts,
                                             const std::vector<std::string>& reasons) {
    const std::size_t n = hosts.size();
    const auto is_cut_off = [&](std::size_t i) {
        return !reasons[i].empty() && !reasons[(i + n - 1) % n].empty();
    };
    std::vector<BrokenConnection> broken;
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t next = (i + 1) % n;
        if (is_cut_off(i)) {
            broken.push_back({network, {hosts[i]}, reasons[i]});
        } else if (!reasons[i].empty() && !is_cut_off(next)) {
            broken.push_back({network, {hosts[i], hosts[next]}, reasons[i]});
        }
    }
    return broken;
}

std::vector<BrokenConnection> broken_connections(const Cluster& cluster, const Network& network) {
    const std::vector<Host>& hosts = cluster.hosts;
    const std::string problem = job_problem(cluster, network, hosts, seconds_to_start);
    if (problem.empty()) {
        return {};
    }
    std::vector<std::string> names;
    std::vector<std::string> reasons;
    for (std::size_t i = 0; i < hosts.size(); ++i) {
        names.push_back(hosts[i].name);
        if (hosts.size() > 2) {
            reasons.push_back(
                job_problem(cluster, network, {hosts[i], hosts[(i + 1) % hosts.size()]}, seconds_of_pair));
        }
    }
    std::vector<BrokenConnection> broken;
    if (hosts.size() > 2) {
        broken = broken_in_ring(network.name, names, reasons);
    }
    return broken.empty() ? std::vector<BrokenConnection>{{network.name, names, problem}} : broken;
}

}  // namespace tuner
