// SPDX-License-Identifier: MIT
// For tests: a small run directory, as the journal writes it.
#pragma once

#include <gtest/gtest.h>

#include <fstream>

#include "cluster_file.hpp"
#include "error.hpp"
#include "files.hpp"
#include "journal.hpp"
#include "small_disk.hpp"

namespace written_run {

using namespace tuner;

inline Manifest manifest() {
    return {"",   {"changeover", "tune"}, 42, to_json(this_machine()), {{"name", "quick"}}, {{"host", "vm"}},
            "abc"};
}

inline CaseRecord record(const std::string& algorithm, std::size_t samples) {
    CaseRecord r;
    r.stage = Stage::search;
    r.network = "eth \"0\"";
    r.layout = {4, 2, Mapping::round_robin};
    r.collective = "allreduce";
    r.algorithm = algorithm;
    r.used = "ring";
    r.bytes = 65536;
    r.datatype = "double";
    r.operation = "sum";
    r.in_place = true;
    r.status = Status::measured;
    r.reason = "text with ,\"samples_us\":[1,2]} in it";
    r.ended = "time";
    r.precision = 0.015;
    r.invalid = 3;
    r.seconds_spent = 0.125;
    r.rank_finish_seconds = {1e-6 * 12.345, 1e-6 * 67.89};
    for (std::size_t i = 0; i < samples; ++i) {
        r.samples_seconds.push_back(1e-6 * (static_cast<double>(100000 + 37 * i) / 1e3));
    }
    return r;
}

class WrittenRun : public testing::Test {
  protected:
    TemporaryFolder folder;
    std::filesystem::path run = folder.path / "run";
    std::filesystem::path samples = run / "samples.jsonl";

    // two groups of 2 and 1 cases, with an event between
    std::vector<CaseRecord> write_run() {
        Journal journal = Journal::create(run, manifest());
        std::vector<CaseRecord> first = {record("ring", 5), record("default", 0)};
        journal.append(first);
        journal.append_event("note", {{"text", "hello"}});
        std::vector<CaseRecord> second = {record("smp", 2)};
        journal.append(second);
        first.push_back(second[0]);
        return first;
    }
    std::string load_error() {
        try {
            load_run(run);
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            return error.what();
        }
        return "no error";
    }
    void append_text(const std::string& text) { std::ofstream(samples, std::ios::app) << text; }
};

}  // namespace written_run
