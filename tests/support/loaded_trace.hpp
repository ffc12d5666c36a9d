// SPDX-License-Identifier: MIT
// For tests: a made-up trace, written to files and read again.
#pragma once

#include <memory>
#include <string>

#include "made_up_trace.hpp"
#include "small_disk.hpp"
#include "trace.hpp"

namespace made_up {

struct Loaded {
    TemporaryFolder folder;
    std::unique_ptr<LoadedTrace> loaded;

    explicit Loaded(const Recorder& recorder) {
        const std::string prefix = (folder.path / "t").string();
        recorder.write(prefix);
        loaded = std::make_unique<LoadedTrace>(prefix);
    }
    const Analysis& analysis() const { return loaded->analysis; }
};

}  // namespace made_up
