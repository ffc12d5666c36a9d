// SPDX-License-Identifier: MIT
// Made-up runs whose ratios, winners and changeover points are known, for the tests of comparisons.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "compare.hpp"
#include "contains.hpp"
#include "decide.hpp"
#include "error.hpp"
#include "small_disk.hpp"

namespace tuner {

inline const Layout four_by_two = {4, 2, Mapping::block};
inline const std::vector<std::size_t> all_sizes = {8, 64, 512, 4096, 32768};
using Seconds = std::function<double(double bytes)>;

// 21 samples within 1% around the median
inline std::vector<double> samples_around(double median) {
    std::vector<double> samples;
    for (int i = -10; i <= 10; ++i) {
        samples.push_back(median * (1 + 0.001 * i));
    }
    return samples;
}

inline CaseRecord record(const std::string& network, std::size_t bytes, const std::string& algorithm,
                         double median) {
    CaseRecord r;
    r.stage = Stage::search;
    r.network = network;
    r.layout = four_by_two;
    r.collective = "bcast";
    r.bytes = bytes;
    r.algorithm = algorithm;
    r.used = algorithm == default_algorithm ? "binomial" : algorithm;
    r.datatype = "byte";
    r.status = Status::measured;
    r.samples_seconds = samples_around(median);
    return r;
}

inline Manifest manifest() {
    Manifest m;
    m.cluster = {{"name", "made up"}};
    m.plan = {{"name", "quick"}, {"loss_bound", 0.01}};
    m.environment = {{"kernel", "Linux 6.1"}, {"processor", "P"}};
    m.fingerprint = {{"library", "mpich"}};
    return m;
}

inline const Seconds binomial = [](double bytes) { return 1e-4 * (1 + bytes / 1000); };

// As fast as binomial at a size, and better above it
inline Seconds ring_from(double crossing) {
    return [crossing](double bytes) { return binomial(bytes) * std::pow(bytes / crossing, -0.2); };
}

class MadeUpRuns : public testing::Test {
  protected:
    std::string folder(const std::string& name) const { return (work.path / name).string(); }

    Journal create(const std::string& name, const Manifest& m = manifest()) const {
        return Journal::create(folder(name), m);
    }
    static void measure(Journal& journal, const std::string& network, const Seconds& by_default,
                        const Seconds& ring, const std::vector<std::size_t>& sizes = all_sizes) {
        for (const std::size_t bytes : sizes) {
            const auto b = static_cast<double>(bytes);
            std::vector<CaseRecord> group = {record(network, bytes, default_algorithm, by_default(b)),
                                             record(network, bytes, "binomial", by_default(b)),
                                             record(network, bytes, "ring", ring(b))};
            journal.append(group);
        }
    }
    void make_run(const std::string& name, const Seconds& by_default, const Seconds& ring) const {
        Journal journal = create(name);
        measure(journal, "eth", by_default, ring);
    }
    Comparison only_pair(CompareOptions options) const {
        if (options.run.empty()) {
            options.a = folder(options.a);
            options.b = folder(options.b);
        } else {
            options.run = folder(options.run);
        }
        const Comparisons comparisons = compare(options);
        EXPECT_EQ(comparisons.pairs.size(), 1u);
        EXPECT_FALSE(to_text(comparisons).empty());
        EXPECT_EQ(Json::parse(to_json(comparisons).dump()).at("pairs").size(), 1u);
        return comparisons.pairs.at(0);
    }
    std::string error_of(CompareOptions options) const {
        try {
            compare(options);
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            return error.what();
        }
        return "no error";
    }

    TemporaryFolder work;
};

}  // namespace tuner
