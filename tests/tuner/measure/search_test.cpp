// SPDX-License-Identifier: MIT
// The search against curves whose changeovers are known.
#include "search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <set>

#include "size_choice.hpp"

namespace {

using namespace tuner;

using Curve = std::function<double(double bytes)>;  // seconds; 0: refused there
using Curves = std::map<std::string, Curve>;

Curve line(double latency_us, double ns_per_byte) {
    return [=](double bytes) { return 1e-6 * latency_us + 1e-9 * ns_per_byte * bytes; };
}

// Broadcast over 8 ranks as Hockney's model has it: few rounds, fewer bytes, or in between
Curves broadcast() {
    return {
        {"binomial", line(3 * 50, 3 * 10)},
        {"scatter_recursive_doubling", line(6 * 50, 2 * 8.75)},
        {"scatter_ring", line(10 * 50, 2 * 7.9)},
        {"chain", line(7 * 50, 7 * 10)},
        {"linear", line(7 * 45, 7 * 10)},
        {"default", [](double bytes) { return (bytes < 12288 ? line(150, 30) : line(300, 17.5))(bytes); }}};
}

// Answers questions: medians with noise, and intervals as wide as it
class Machine {
  public:
    Machine(Curves curves, double noise = 0.003, unsigned seed = 1)
        : curves_(std::move(curves)), noise_(noise), random_(seed) {}

    void answer(const Question& question) {
        ++questions;
        const auto asks_for = [&](const std::string& name) {
            return question.algorithms.empty() ||
                   std::find(question.algorithms.begin(), question.algorithms.end(), name) !=
                       question.algorithms.end();
        };
        for (const auto& [name, curve] : curves_) {
            if (!asks_for(name)) {
                continue;
            }
            asked.emplace_back(question.bytes, name);
            const double truth = curve(static_cast<double>(question.bytes));
            if (truth == 0) {
                cell.missing[question.bytes][name] = "refused";
                continue;
            }
            CellTime& time = cell.times[question.bytes][name];
            ++time.groups;
            ++time.attempts;
            if (asks_for("default") && name != "default") {
                ++time.together;
            }
            time.used = name == "default" ? default_uses : name;
            const double width = noise_ / std::sqrt(static_cast<double>(time.groups));
            const double median = truth * std::exp(width / 2 * std::normal_distribution(0.0, 1.0)(random_));
            time.time = {question.bytes, median, {median * (1 - width), median * (1 + width)}};
        }
    }

    void search(const Plan& plan, const PlannedCollective& collective) {
        while (const auto question = next_request(plan, collective, cell)) {
            ASSERT_LT(questions, 1000);
            answer(*question);
        }
    }

    // What a decision would use: the best one of the nearest measured size
    double chosen_seconds(double bytes) const {
        const auto nearest = std::min_element(cell.times.begin(), cell.times.end(), [&](auto& a, auto& b) {
            return std::abs(std::log(bytes / static_cast<double>(a.first))) <
                   std::abs(std::log(bytes / static_cast<double>(b.first)));
        });
        const auto best = std::min_element(
            nearest->second.begin(), nearest->second.end(),
            [](auto& a, auto& b) { return a.second.time.median_seconds < b.second.time.median_seconds; });
        const double seconds = curves_.at(best->first)(bytes);
        return seconds > 0 ? seconds : curves_.at("default")(bytes);
    }

    double best_seconds(double bytes) const {
        double best = INFINITY;
        for (const auto& [name, curve] : curves_) {
            best = curve(bytes) > 0 ? std::min(best, curve(bytes)) : best;
        }
        return best;
    }

    double mean_loss(const PlannedCollective& collective) const {
        double sum = 0;
        int count = 0;
        for (auto bytes = static_cast<double>(collective.min_bytes);
             bytes <= static_cast<double>(collective.max_bytes); bytes *= 1.05, ++count) {
            sum += chosen_seconds(bytes) / best_seconds(bytes) - 1;
        }
        return sum / count;
    }

    Cell cell;
    int questions = 0;
    std::vector<std::pair<std::size_t, std::string>> asked;
    std::string default_uses;

  private:
    Curves curves_;
    double noise_;
    std::mt19937 random_;
};

const PlannedCollective bcast = {"bcast", "", "", 8, 1 << 20};

// There are measured sizes on both sides of the changeover, no further apart than the factor
void expect_bracketed(const Cell& cell, double changeover, double factor) {
    const auto above = cell.times.upper_bound(static_cast<std::size_t>(changeover));
    ASSERT_NE(above, cell.times.end());
    ASSERT_NE(above, cell.times.begin());
    const double gap = static_cast<double>(above->first) / static_cast<double>(std::prev(above)->first);
    EXPECT_LE(gap, factor) << "around " << changeover;
}

TEST(Search, StartsWithTheGridAndAllAlgorithms) {
    const Plan plan;
    EXPECT_EQ(grid_of(plan, bcast), (std::vector<std::size_t>{8, 64, 512, 4096, 32768, 262144, 1048576}));
    EXPECT_EQ(next_request(plan, bcast, {}), (Question{8, {}}));
    Machine machine(broadcast());
    machine.answer({8, {}});
    EXPECT_EQ(next_request(plan, bcast, machine.cell), (Question{64, {}}));
}

TEST(Search, GridKeepsElementsWholeAndBothEnds) {
    Plan plan;
    plan.size_step = 1.3;
    for (const std::size_t low : {4u, 8u, 12u}) {
        const PlannedCollective sum = {"allreduce", "float", "sum", low, 1000};
        const std::vector<std::size_t> sizes = grid_of(plan, sum);
        EXPECT_EQ(sizes.front(), low);
        EXPECT_EQ(sizes.back(), 1000u);
        EXPECT_TRUE(std::is_sorted(sizes.begin(), sizes.end(), std::less_equal<>())) << "strictly";
        EXPECT_TRUE(std::all_of(sizes.begin(), sizes.end(), [](std::size_t s) { return s % 4 == 0; }));
    }
    EXPECT_EQ(grid_of(plan, {"barrier", "", "", 8, 8}), (std::vector<std::size_t>{8}));
    EXPECT_EQ(grid_of(plan, {"bcast", "", "", 1, 3}), (std::vector<std::size_t>{1, 2, 3}));
}

TEST(Search, FindsAllChangeoversWithinTheFactor) {
    Plan plan;
    plan.loss_bound = 0;
    // binomial to scatter_recursive_doubling: 150 us / 12.5 ns; that to scatter_ring: 200 us / 1.7 ns
    const double changeovers[] = {150e3 / 12.5, 200e3 / 1.7};
    Curves curves = broadcast();
    curves["default"] = line(200, 40);  // never the best one: where it is, nothing is to be found
    Machine machine(curves, 1e-6);
    machine.search(plan, bcast);
    for (const double changeover : changeovers) {
        expect_bracketed(machine.cell, changeover, plan.changeover_factor);
    }
    EXPECT_TRUE(open_changeovers(plan, bcast, machine.cell).empty());
    EXPECT_EQ(questions_left(plan, bcast, machine.cell), 0);
    EXPECT_TRUE(
        std::all_of(machine.asked.begin(), machine.asked.end(), [](auto& c) { return c.first % 8 == 0; }));
}

TEST(Search, IsFiveTimesCheaperThanAllAndHardlyWorse) {
    Plan plan;
    Machine machine(broadcast());
    machine.search(plan, bcast);
    plan.exhaustive = true;
    Machine thorough(broadcast());
    thorough.search(plan, bcast);
    EXPECT_LE(5 * machine.asked.size(), thorough.asked.size())
        << machine.asked.size() << " against " << thorough.asked.size();
    EXPECT_LE(machine.mean_loss(bcast), thorough.mean_loss(bcast) + 0.02);
    EXPECT_LE(thorough.mean_loss(bcast), 0.01);
}

TEST(Search, ExhaustiveMeasuresEverythingOnce) {
    Plan plan;
    plan.exhaustive = true;
    Machine machine(broadcast());
    machine.search(plan, bcast);
    const std::set<std::pair<std::size_t, std::string>> once(machine.asked.begin(), machine.asked.end());
    EXPECT_EQ(once.size(), machine.asked.size());
    EXPECT_EQ(once.size(), 6 * grid_of(plan, bcast).size());
    for (double bytes = 9; bytes < 1 << 20; bytes *= 1.5) {
        expect_bracketed(machine.cell, bytes, bytes < 100 ? 2 : 1.25);
    }
}

TEST(Search, DropsWhatIsDominatedOnBothSidesButNeverTheDefault) {
    Curves curves = broadcast();
    curves["default"] = line(2000, 100);
    Machine machine(curves);
    machine.search({}, bcast);
    const std::vector<std::size_t> grid = grid_of({}, bcast);
    int chain = 0;
    for (const auto& [bytes, algorithm] : machine.asked) {
        const bool on_grid = std::find(grid.begin(), grid.end(), bytes) != grid.end();
        if (!on_grid && bytes > 4096) {
            EXPECT_NE(algorithm, "chain") << bytes;
            EXPECT_NE(algorithm, "linear") << bytes;
        }
        chain += algorithm == "chain";
    }
    EXPECT_EQ(chain, static_cast<int>(grid.size()));
    for (const auto& [bytes, times] : machine.cell.times) {
        EXPECT_TRUE(times.contains("default")) << bytes;
    }
}

TEST(Search, TiesEndAfterOneMoreLook) {
    int questions = 0;
    for (unsigned seed = 0; seed < 50; ++seed) {
        Machine machine({{"a", line(100, 10)}, {"b", line(100, 10)}, {"default", line(100, 10)}}, 0.05, seed);
        machine.search({}, bcast);
        std::map<std::pair<std::size_t, std::string>, int> times;
        for (const auto& c : machine.asked) {
            EXPECT_LE(++times[c], 2) << c.first << " " << c.second;
        }
        questions += machine.questions;
    }
    EXPECT_LE(questions, 50 * 15);
}

TEST(Search, TheDefaultCountsAsWhatItChose) {
    // the same time for both: without that, noise would make a changeover of it now and then
    Machine machine({{"a", line(100, 10)}, {"default", line(100, 10)}}, 0.05);
    machine.default_uses = "a";
    machine.search({}, bcast);
    EXPECT_EQ(machine.questions, 7);
}

TEST(Search, ASmallLossNeedsNoRefinement) {
    Machine machine({{"a", line(1000, 10)}, {"b", line(1003, 9.97)}, {"default", line(1200, 11)}}, 1e-5);
    machine.search({}, bcast);
    EXPECT_EQ(machine.questions, 7);
}

TEST(Search, AnAlgorithmMayBeMissingAtSomeSizes) {
    Curves curves = broadcast();
    curves["fast"] = [](double bytes) { return bytes >= 1000 && bytes < 100000 ? 1e-6 : 0; };
    Machine machine(curves);
    machine.search({}, bcast);
    expect_bracketed(machine.cell, 1000, 1.2);
    expect_bracketed(machine.cell, 100000, 1.2);
    for (const auto& [bytes, reasons] : machine.cell.missing) {
        for (const auto& [algorithm, reason] : reasons) {
            EXPECT_EQ(std::count(machine.asked.begin(), machine.asked.end(), std::pair(bytes, algorithm)), 1)
                << "what was refused is not asked again";
        }
    }
    EXPECT_FALSE(machine.cell.missing.empty());
}

TEST(Search, ASizeWhereNothingRunsIsSkipped) {
    Curves curves = broadcast();
    for (auto& [name, curve] : curves) {
        curve = [curve = curve](double bytes) { return bytes > 4000 && bytes < 60000 ? 0 : curve(bytes); };
    }
    Machine machine(curves);
    machine.search({}, bcast);
    EXPECT_LT(machine.questions, 40);
}

TEST(Search, CompletesAGroupThatFellApart) {
    Machine machine(broadcast());
    machine.answer({8, {"default", "chain"}});
    EXPECT_EQ(next_request({}, bcast, machine.cell), (Question{64, {}}));
    machine.answer({64, {}});
    const auto question = next_request({}, bcast, machine.cell);
    const std::vector<std::string> missing = {"binomial", "linear", "scatter_recursive_doubling",
                                              "scatter_ring"};
    EXPECT_EQ(question, (Question{8, missing}));
}

TEST(Search, MeasuresTogetherWithTheDefaultWhatWasMeasuredApart) {
    Machine machine(broadcast());
    for (const char* name : {"default", "chain", "linear"}) {
        machine.answer({8, {name}});
    }
    while (const auto question = next_request({}, bcast, machine.cell)) {
        machine.answer(*question);
        const Times& times = machine.cell.times.at(8);
        if (times.at("chain").together > 0 && times.at("linear").together > 0) {
            EXPECT_EQ(*question, (Question{8,
                                           {"default", "binomial", "chain", "linear",
                                            "scatter_recursive_doubling", "scatter_ring"}}));
            break;
        }
    }
    EXPECT_EQ(machine.cell.times.at(8).at("chain").groups, 2u);
    machine.search({}, bcast);
    EXPECT_EQ(machine.cell.times.at(8).at("chain").groups, 2u) << "once is enough";
}

TEST(Search, GivesUpWhatIsMeasuredApartAgainAndAgain) {
    Machine machine(broadcast());
    machine.search({}, bcast);
    CellTime& chain = machine.cell.times.at(8).at("chain");
    chain.together = 0;
    chain.attempts = 1;
    int questions = 0;
    while (const auto question = next_request({}, bcast, machine.cell)) {
        EXPECT_EQ(*question, (Question{8, {"default", "chain"}}));
        ++chain.attempts;  // the job dies
        ASSERT_LT(++questions, 10);
    }
    EXPECT_EQ(questions, 3);
}

// Between two sizes of the grid the job died, algorithms were measured one by one, and the run was killed
// before the last
TEST(Search, CompletesAGroupBetweenSizesOfTheGridThatWasInterrupted) {
    Machine machine(broadcast());
    machine.search({}, bcast);
    const std::vector<std::size_t> grid = grid_of({}, bcast);
    const auto refined = std::find_if(
        machine.cell.times.begin(), machine.cell.times.end(),
        [&](const auto& entry) { return std::find(grid.begin(), grid.end(), entry.first) == grid.end(); });
    ASSERT_NE(refined, machine.cell.times.end());
    refined->second.erase("default");
    EXPECT_EQ(next_request({}, bcast, machine.cell), (Question{refined->first, {"default"}}));
}

TEST(Search, EndsWhateverTheNoise) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        Machine machine(broadcast(), 0.01 * (seed % 40), seed);
        machine.search({}, bcast);
        if (HasFatalFailure()) {
            return;
        }
        EXPECT_LT(machine.questions, 2 * 70);
    }
}

TEST(Search, StaysGoodWithTheNoiseOfRealMachines) {
    Plan plan;
    double loss = 0;
    double thorough_loss = 0;
    std::size_t cases = 0;
    std::size_t thorough_cases = 0;
    for (unsigned seed = 0; seed < 50; ++seed) {
        for (const bool exhaustive : {false, true}) {
            plan.exhaustive = exhaustive;
            Machine machine(broadcast(), 0.02, seed);
            machine.search(plan, bcast);
            (exhaustive ? thorough_loss : loss) += machine.mean_loss(bcast) / 50;
            (exhaustive ? thorough_cases : cases) += machine.asked.size();
        }
    }
    EXPECT_LE(loss, thorough_loss + 0.02);
    EXPECT_LE(5 * cases, thorough_cases) << cases << " against " << thorough_cases;
}

// tree is 6% faster than what the default uses, which few repetitions cannot prove
TEST(Search, MeasuresOnceMoreWhatIsExpectedToLoseMuch) {
    Curves curves = {{"default", line(100, 1)}, {"ring", line(100, 1)}, {"tree", line(94, 0.94)}};
    Machine machine(curves, 0.12);
    machine.default_uses = "ring";
    machine.search(plan_named("standard"), bcast);
    std::size_t most = 0;
    for (const auto& [bytes, times] : machine.cell.times) {
        most = std::max(most, times.at("default").attempts);
    }
    EXPECT_GT(most, 1U);
    EXPECT_LE(most, 3U);
}

TEST(Search, StopsAtTheLossThatIsAccepted) {
    const auto questions = [&](double until_loss) {
        Plan plan = plan_named("standard");
        plan.until_loss = until_loss;
        Machine machine(broadcast());
        machine.search(plan, bcast);
        EXPECT_LE(machine.mean_loss(bcast), until_loss + 0.01);
        return machine.questions;
    };
    EXPECT_LT(questions(0.03), questions(0.005));
    EXPECT_LT(questions(0.005), questions(0));
}

// Of a device that composes collectives: the layers in turn, each size for itself
TEST(Search, LayersAreSearchedInTurn) {
    const Curves curves = {
        {"default", line(40, 9)},
        {"binomial", line(40, 9)},
        {"ring", line(100, 5)},
        {"beta+mpir", line(50, 9)},
        {"beta+release_gather", line(30, 8)},
        {"beta+release_gather:tree_type=kary:k=2", line(20, 8)},
        {"beta+release_gather:tree_type=knomial_1:k=2", [](double) { return 0; }},
        {"beta/binomial+release_gather:tree_type=kary:k=2", line(25, 9)},
        {"beta/ring+release_gather:tree_type=kary:k=2", line(90, 3)},
    };
    Machine machine(curves, 0.001);
    std::set<std::size_t> varied;
    while (const auto question = next_request({}, bcast, machine.cell, nullptr, {2, 4})) {
        ASSERT_LT(machine.questions, 1000);
        if (question->algorithms.empty()) {  // the benchmark lists no variations
            machine.answer(
                {question->bytes, {"default", "binomial", "ring", "beta+mpir", "beta+release_gather"}});
            continue;
        }
        for (const std::string& name : question->algorithms) {
            ASSERT_TRUE(curves.contains(name)) << name;
            varied.insert(name.find("beta/ring") == 0 ? question->bytes : 0);
        }
        machine.answer(*question);
    }
    EXPECT_EQ(best_of(machine.cell.times.begin()->second).name, "beta+release_gather:tree_type=kary:k=2");
    EXPECT_EQ(best_of(machine.cell.times.rbegin()->second).name,
              "beta/ring+release_gather:tree_type=kary:k=2");
    EXPECT_GE(varied.size(), 3U);
    EXPECT_FALSE(next_request({}, bcast, machine.cell).has_value()) << "no layers, no questions";
}

}  // namespace
