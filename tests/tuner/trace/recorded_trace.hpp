// SPDX-License-Identifier: MIT
// For tests: the files of a made-up trace, read again.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "made_up_trace.hpp"
#include "match.hpp"
#include "small_disk.hpp"

struct Recorded {
    TemporaryFolder folder;
    std::string prefix = (folder.path / "t").string();
};

inline tuner::trace::Trace written(const made_up::Recorder& recorder, const Recorded& to) {
    recorder.write(to.prefix);
    return tuner::trace::read_trace(to.prefix);
}

inline void expect_all_matched(const tuner::trace::Matched& matched) {
    EXPECT_TRUE(matched.unmatched_calls.empty());
    EXPECT_TRUE(matched.unmatched_messages.empty());
    EXPECT_TRUE(matched.remarks.empty());
}
