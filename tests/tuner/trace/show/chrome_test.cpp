// SPDX-License-Identifier: MIT
#include "chrome.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "loaded_trace.hpp"

namespace {

using namespace tuner::trace;

TEST(TraceChrome, ChromeEvents) {
    made_up::Recorder recorder{made_up::World{}};
    std::size_t messages = recorder.call("allreduce", "recursive_doubling", 4096);
    messages += recorder.call("alltoall", "pairwise", 64);
    const made_up::Loaded recorded(recorder);
    std::ostringstream out;
    const std::size_t events = write_chrome(recorded.loaded->matched, out);
    const tuner::Json json = tuner::Json::parse(out.str());
    EXPECT_EQ(json.at("traceEvents").size(), events);
    std::map<std::string, std::size_t> count;
    for (const tuner::Json& event : json.at("traceEvents")) {
        ++count[event.at("ph").get<std::string>() +
                (event.contains("cat") ? event.at("cat").get<std::string>() : "")];
        EXPECT_GE(event.value("dur", 0.0), 0);
    }
    EXPECT_EQ(count["Xcall"], 2U * 8);
    EXPECT_EQ(count["Xmessage"], 2 * messages);
    EXPECT_EQ(count["smessage"], messages);
    EXPECT_EQ(count["fmessage"], messages);
    EXPECT_EQ(count["Xlocal"], recorded.loaded->matched.works.size());
    EXPECT_GE(count["M"], 8U);
}

}  // namespace
