// SPDX-License-Identifier: MIT
// For device_rules_test.sh: random legal rules of three layers, and whether a library with them ran what
// explain says.
//   device_rules config SEED NODES PPN
//   device_rules check CONFIG NODES PPN <SAMPLES    the benchmark's JSON lines; prints how many cases agree
#include <fmt/core.h>

#include <cstdlib>
#include <iostream>
#include <random>

#include "device_layers.hpp"
#include "example_config.hpp"
#include "explain.hpp"
#include "schedule.hpp"

namespace {

using namespace tuner;

using Random = std::mt19937;

template <class T>
const T& one_of(const std::vector<T>& list, Random& random) {
    return list[std::uniform_int_distribution<std::size_t>(0, list.size() - 1)(random)];
}

constexpr std::size_t smallest = 64;  // with an element for each rank

std::vector<std::string> algorithms_on(const std::string& collective, const Layout& layout) {
    const models::RankPlacement ranks(layout.nodes, layout.ppn);
    std::vector<std::string> names;
    for (const models::Algorithm& algorithm : models::algorithms(models::Implementation::mpich)) {
        if (models::is_for(algorithm, collective) && models::is_allowed(algorithm, {&ranks, smallest})) {
            names.emplace_back(algorithm.name);
        }
    }
    return names;
}

std::string random_layers(const std::string& collective, const Layout& layout, Random& random) {
    std::vector<std::string> names = models::first_layers(collective, {layout.nodes, layout.ppn});
    models::DeviceLayers layers = models::parse_device_layers(one_of(names, random));
    if (layout.nodes > 1 && random() % 2 == 0) {
        layers.between = one_of(algorithms_on(collective, {layout.nodes, 1}), random);
    }
    if (layers.in_node == models::release_gather && random() % 2 == 0) {
        layers.parameters = {{"tree_type", one_of<std::string>({"kary", "knomial_1", "knomial_2"}, random)},
                             {"k", one_of<std::string>({"2", "3", "8"}, random)}};
        if (random() % 2 == 0) {
            layers.parameters.emplace_back("buffer_size", one_of<std::string>({"8Ki", "64Ki"}, random));
            layers.parameters.emplace_back("cells", one_of<std::string>({"2", "8"}, random));
        }
    }
    return models::to_string(layers);
}

Config random_config(unsigned seed, const Layout& layout) {
    Random random(seed);
    Config config = example_config();
    config.library = "MPICH Version: 4.0.2;MPICH Device: ch4:ofi;changeover patches";
    config.rules.clear();
    for (const char* collective : {"bcast", "reduce", "allreduce", "barrier"}) {
        const bool is_barrier = std::string(collective) == "barrier";
        std::size_t from = is_barrier ? 0 : smallest;
        for (const std::size_t to : {std::size_t{1000}, std::size_t{20000}, no_end}) {
            const bool is_flat = random() % 3 == 0;
            config.rules.push_back(example_rule(layout, collective, from, is_barrier ? no_end : to,
                                                is_flat ? one_of(algorithms_on(collective, layout), random)
                                                        : random_layers(collective, layout, random)));
            if (is_barrier) {
                break;
            }
            from = to + 1;
        }
    }
    return config;
}

// False: a call ran something else, or its result was wrong
bool agrees(const Config& config, const Layout& layout, const Json& line) {
    const Explanation wanted =
        explain(config, {"eth", line.at("collective"), layout, line.at("bytes").get<std::size_t>()});
    const std::string used = line.value("used", "");
    const bool is_right = line.at("status") == "measured" && models::is_what_ran(wanted.algorithm, used);
    if (!is_right) {
        fmt::print(stderr, "{}: explain says {}, the library ran {}\n", line.dump().substr(0, 300),
                   wanted.algorithm, used);
    }
    return is_right;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() != 4) {
        return 2;
    }
    const Layout layout{std::atoi(arguments[2].c_str()), std::atoi(arguments[3].c_str())};
    if (arguments[0] == "config") {
        const auto seed = static_cast<unsigned>(std::atoi(arguments[1].c_str()));
        fmt::print("{}\n", to_json(random_config(seed, layout)).dump(2));
        return 0;
    }
    const Config config = read_config(arguments[1]);
    int agreed = 0;
    int all = 0;
    for (std::string text; std::getline(std::cin, text);) {
        const Json line = Json::parse(text, nullptr, false);
        if (!line.is_discarded() && line.value("type", "") == "case") {
            ++all;
            agreed += agrees(config, layout, line) ? 1 : 0;
        }
    }
    fmt::print("{} of {}\n", agreed, all);
    return agreed == all && all > 0 ? 0 : 1;
}
