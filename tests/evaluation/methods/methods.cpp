// SPDX-License-Identifier: MIT
#include "changed_network.hpp"
#include "decision_tree.hpp"
#include "our_search.hpp"
#include "random_forest.hpp"
#include "refinement.hpp"

namespace evaluation {

namespace {

using calibration::SimulatedCluster;

constexpr double factor_of_tree = 2;

template <bool races, Proof proof>
std::unique_ptr<Method> our_search(const Setting& setting, SimulatedCluster& cluster,
                                   std::uint64_t /*seed*/) {
    tuner::Plan plan = setting.plan;
    plan.race = races;
    return std::make_unique<OurSearch>(setting, cluster, plan, proof);
}

// An earlier tuning, which costs nothing now, gives hints: of the same cells at half the bandwidth
template <Proof proof>
std::unique_ptr<Method> retuning(const Setting& setting, SimulatedCluster& cluster, std::uint64_t seed) {
    constexpr std::uint64_t another_time = 1000;
    tuner::Plan plan = setting.plan;
    plan.race = true;
    const std::size_t smallest = plan.collectives.front().min_bytes;
    SimulatedCluster before(std::make_shared<BeforeTheChange>(cluster.truth(), smallest), cluster.noise(),
                            seed + another_time);
    OurSearch earlier(setting, before, plan, Proof::none);
    while (earlier.step()) {
    }
    return std::make_unique<OurSearch>(setting, cluster, plan, proof, tuner::Prior(earlier.cells()));
}

}  // namespace

const std::vector<NamedMethod>& methods() {
    static const std::vector<NamedMethod> all = {
        {"exhaustive", "every algorithm at sizes by a factor of 1.2, smallest mean (OCT)",
         [](const Setting& setting, SimulatedCluster& cluster, std::uint64_t) {
             return std::make_unique<Exhaustive>(setting, cluster, setting.plan.changeover_factor);
         }},
        {"tree", "every algorithm at powers of two, C4.5",
         [](const Setting& setting, SimulatedCluster& cluster, std::uint64_t) {
             return std::make_unique<TreeOfGrid>(setting, cluster, factor_of_tree);
         }},
        {"forest", "random forest, where its jackknife variance is largest (FACT, ACCLAiM)",
         [](const Setting& setting, SimulatedCluster& cluster, std::uint64_t seed) {
             return std::make_unique<ActiveForest>(setting, cluster, seed);
         }},
        {"refinement", "each algorithm by itself, where a line predicts it worst (SKaMPI)",
         [](const Setting& setting, SimulatedCluster& cluster, std::uint64_t) {
             return std::make_unique<Refinement>(setting, cluster);
         }},
        {"random", "sizes of the exhaustive grid in random order, up to half of them",
         [](const Setting& setting, SimulatedCluster& cluster, std::uint64_t seed) {
             return std::make_unique<RandomPoints>(setting, cluster, seed);
         }},
        {"precise", "changeover's search, each case as precisely as the plan says",
         our_search<false, Proof::none>},
        {"precise verified", "... and its rules verified", our_search<false, Proof::verified>},
        {"changeover", "changeover's search: algorithms race", our_search<true, Proof::none>},
        {"changeover verified", "... and its rules verified", our_search<true, Proof::verified>},
        {"retuning", "changeover's search with hints from a tuning at half the bandwidth",
         retuning<Proof::none>},
        {"retuning verified", "... and its rules verified", retuning<Proof::verified>},
    };
    return all;
}

}  // namespace evaluation
