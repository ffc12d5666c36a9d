// SPDX-License-Identifier: MIT
#include "host_name.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace tuner;

TEST(HostName, IsANameOrAnAddress) {
    for (const char* name : {"n1", "N1", "1", "cn-01", "node_7", "a.b-c.example.org", "127.0.0.2", "x"}) {
        EXPECT_TRUE(is_host_name(name)) << name;
    }
    EXPECT_TRUE(is_host_name(std::string(63, 'a') + "." + std::string(63, 'b')));
}

TEST(HostName, IsNothingThatAProgramCouldTakeForSomethingElse) {
    for (const char* name : {"",        "-n1",       "n1-", "-oProxyCommand=id",
                             "$(id);x", "a b",       "a,b", "a:2",
                             "a/b",     "a..b",      ".a",  "a.",
                             "a.-b",    "n[1-2]",    "a\n", "a'b",
                             "a\"b",    "a&b",       "a|b", "user@host",
                             "~",       "n\xc3\xa9", "*",   "::1"}) {
        EXPECT_FALSE(is_host_name(name)) << name;
    }
    EXPECT_FALSE(is_host_name(std::string_view("a\0b", 3)));
    EXPECT_FALSE(is_host_name(std::string(64, 'a')));
    EXPECT_FALSE(is_host_name("a" + std::string(126, 'x').insert(63, ".") + "." + std::string(130, '.')));
}

TEST(HostPart, MayStartWithADash) {
    EXPECT_TRUE(has_only_host_characters("-ib0.cluster"));
    EXPECT_FALSE(has_only_host_characters("-ib0;id"));
    EXPECT_FALSE(has_only_host_characters(std::string_view("-\0", 2)));
}

}  // namespace
