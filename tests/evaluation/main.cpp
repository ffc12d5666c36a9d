// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <thread>

#include "curves.hpp"
#include "settings.hpp"

namespace {

using namespace evaluation;

struct Options {
    std::vector<std::string> truths = names_of_games();
    std::vector<std::string> methods;
    std::string data = TESTS_DATA;
    std::string svg;
    std::uint64_t seeds = 20;
    unsigned threads = 1;
};

// The same seeds for all methods: the same jobs are slower
Played play(const Game& game, const NamedMethod& method, const Options& options) {
    Played result = {method.name, std::vector<std::vector<Score>>(options.seeds)};
    std::vector<std::thread> threads;
    for (unsigned thread = 0; thread < options.threads; ++thread) {
        threads.emplace_back([&, thread] {
            for (std::uint64_t seed = thread; seed < options.seeds; seed += options.threads) {
                calibration::SimulatedCluster cluster(game.truth, game.noise, seed + 1);
                const std::unique_ptr<Method> playing = method.start(game.setting, cluster, seed + 1);
                result.games[seed] = played(game.setting, cluster, *playing);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    return result;
}

void print(const Played& played) {
    const auto text = [&](double Score::*value, double factor, const char* unit) {
        const Estimate estimate = played.end(value);
        return fmt::format("{:.{}f} ± {:.{}f}{}", factor * estimate.mean, factor * estimate.mean < 10 ? 2 : 0,
                           factor * estimate.reach, factor * estimate.mean < 10 ? 2 : 0, unit);
    };
    const double expected = played.end(&Score::expected_loss).mean;
    fmt::print("| {} | {} | {:.0f} | {} | {:.1f}% | {:.0f}% | {:.1f} | {:.0f} | {} |\n", played.method,
               text(&Score::seconds, 1, ""), played.end(&Score::launches).mean,
               text(&Score::mean_loss, 100, "%"), 100 * played.end(&Score::loss_95).mean,
               100 * played.end(&Score::worst_loss).mean, played.end(&Score::slower).mean,
               played.end(&Score::rules).mean, expected > 0 ? fmt::format("{:.2f}%", 100 * expected) : "");
    std::fflush(stdout);
}

void evaluate(const std::string& name, const Options& options) {
    const Game game = game_named(name, options.data);
    const Score by_default =
        score_of(game.setting, *game.truth, [](const auto&, auto) { return tuner::default_algorithm; });
    fmt::print("\n{}: {} cells, {} calls, noise {}, {} seeds; the library's own choice loses {:.1f}%\n\n",
               name, game.setting.cells.size(), by_default.calls, game.noise.name, options.seeds,
               100 * by_default.mean_loss);
    fmt::print(
        "| method | seconds | launches | mean loss | 95% of calls | worst | > 5% slower | rules | expected "
        "|\n");
    fmt::print("|---|---|---|---|---|---|---|---|---|\n");
    std::vector<Played> all;
    for (const NamedMethod& method : methods()) {
        if (options.methods.empty() ||
            std::find(options.methods.begin(), options.methods.end(), method.name) != options.methods.end()) {
            all.push_back(play(game, method, options));
            print(all.back());
        }
    }
    fmt::print("\nseconds until the mean loss stays below");
    for (const double loss : {0.05, 0.03, 0.02, 0.015, 0.01}) {
        fmt::print("\n  {:.3g}%:", 100 * loss);
        for (const Played& one : all) {
            const double seconds = one.seconds_to(loss);
            fmt::print("  {} {}", one.method, seconds > 0 ? fmt::format("{:.3g}", seconds) : "-");
        }
    }
    fmt::print("\n");
    if (!options.svg.empty()) {
        const std::string file = fmt::format("{}-{}.svg", options.svg, game.setting.name);
        std::ofstream stream(file);
        stream << drawn(game.setting.name, all, by_default.mean_loss);
        if (!stream.flush()) {
            throw std::runtime_error(file + " cannot be written");
        }
        fmt::print("{}\n", file);
    }
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app(
        "Plays ways to tune against tables of truth, without MPI: how many seconds of benchmarks they need, "
        "and "
        "what their choices lose.");
    app.add_option("truths", options.truths,
                   "lab, fat-tree, dragonfly, or files with the columns of tests/data/layouts");
    app.add_option("--methods", options.methods, "some only, comma-separated")->delimiter(',');
    app.add_option("--seeds", options.seeds, "games of each method")->capture_default_str();
    app.add_option("--threads", options.threads, "games at the same time")->capture_default_str();
    app.add_option("--svg", options.svg, "draw loss against seconds: the files are PREFIX-TRUTH.svg");
    app.add_option("--data", options.data, "folder of the tables")->capture_default_str();
    std::string text;
    for (const NamedMethod& method : methods()) {
        text += fmt::format("  {:<22} {}\n", method.name, method.meaning);
    }
    app.footer("Methods:\n" + text);
    CLI11_PARSE(app, argc, argv);
    try {
        for (const std::string& name : options.truths) {
            evaluate(name, options);
        }
    } catch (const std::exception& error) {
        fmt::print(stderr, "changeover-evaluate: {}\n", error.what());
        return 1;
    }
    return 0;
}
