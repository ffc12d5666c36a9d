// SPDX-License-Identifier: MIT
// What a fit of the cost model costs: 10,000 samples, ten parameters, noise and outliers. The aim is well
// under a second, so that a campaign can fit again after every batch of measurements.
#include <benchmark/benchmark.h>
#include <fit.hpp>

#include <cmath>
#include <random>

namespace {

models::FitProblem problem_of(Eigen::Index samples, Eigen::Index parameters) {
    std::mt19937_64 random(1);
    std::normal_distribution<double> noise(0, 0.1);
    std::uniform_real_distribution<double> uniform(0, 1);
    models::FitProblem problem;
    problem.features = Eigen::MatrixXd::Zero(samples, parameters);
    problem.seconds = Eigen::VectorXd(samples);
    for (Eigen::Index j = 0; j < parameters; ++j) {
        problem.names.push_back("parameter " + std::to_string(j));
    }
    for (Eigen::Index i = 0; i < samples; ++i) {
        const double bytes = std::exp2(3 + 20 * uniform(random));
        double seconds = 0;
        for (Eigen::Index j = 0; j < parameters; ++j) {  // every other one a count of rounds, of bytes
            const double count = random() % 3 == 0 || j == i % parameters ? 1 + 4 * uniform(random) : 0;
            problem.features(i, j) = count * (j % 2 ? bytes : 1);
            seconds += problem.features(i, j) * (j % 2 ? 1e-10 : 1e-6);
        }
        const bool late = uniform(random) < 0.05;
        problem.seconds[i] = seconds * std::exp(noise(random)) * (late ? 3 + 17 * uniform(random) : 1);
    }
    return problem;
}

void fit(benchmark::State& state) {
    const models::FitProblem problem = problem_of(state.range(0), state.range(1));
    bool converged = true;
    for (auto _ : state) {
        const models::FitResult result = models::fit(problem);
        converged = converged && result.converged;
    }
    if (!converged) {
        state.SkipWithError("the fit did not converge");
    }
}
BENCHMARK(fit)->Args({200, 6})->Args({10000, 10})->Unit(benchmark::kMillisecond);

}  // namespace
