// SPDX-License-Identifier: MIT
#include "units.hpp"

#include <gtest/gtest.h>

#include "error.hpp"

namespace {

using namespace tuner;

TEST(Units, SizesAreRead) {
    EXPECT_EQ(parse_bytes("0"), 0u);
    EXPECT_EQ(parse_bytes("512"), 512u);
    EXPECT_EQ(parse_bytes("4Ki"), 4096u);
    EXPECT_EQ(parse_bytes("1Mi"), 1048576u);
    EXPECT_EQ(parse_bytes("3Gi"), 3221225472u);
}

TEST(Units, BadSizesAreErrors) {
    for (const char* text : {"", "Ki", "-1", "4k", "4KiB", "4 Ki", "1.5Mi", "0x10", "4Ki4", "99999999Gi",
                             "99999999999999999999999"}) {
        try {
            parse_bytes(text);
            ADD_FAILURE() << text;
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            EXPECT_EQ(error.what(), "'" + std::string(text) +
                                        "' is not a message size; write bytes, such as 512, 4Ki or 1Mi");
        }
    }
}

TEST(Units, TimesAreRead) {
    EXPECT_DOUBLE_EQ(parse_seconds("500us"), 500e-6);
    EXPECT_DOUBLE_EQ(parse_seconds("2.5ms"), 2.5e-3);
    EXPECT_DOUBLE_EQ(parse_seconds("90s"), 90);
    EXPECT_DOUBLE_EQ(parse_seconds("10m"), 600);
    EXPECT_DOUBLE_EQ(parse_seconds("1h30m"), 5400);
}

TEST(Units, BadTimesAreErrors) {
    for (const char* text : {"", "10", "m", "-1s", "0s", "10 m", "1h30", "5min", "infs", "nans", "1e400s"}) {
        EXPECT_THROW(parse_seconds(text), Error) << text;
    }
}

TEST(Units, SizesAreWritten) {
    for (const char* text : {"0", "8", "5000", "4Ki", "1Mi", "1536", "3Gi", "1023Ki"}) {
        EXPECT_EQ(parse_bytes(bytes_text(parse_bytes(text))), parse_bytes(text)) << text;
    }
    EXPECT_EQ(bytes_text(0), "0");
    EXPECT_EQ(bytes_text(5000), "5000");
    EXPECT_EQ(bytes_text(4096), "4Ki");
    EXPECT_EQ(bytes_text(2 << 20), "2Mi");
}

TEST(Units, TimesAreWritten) {
    EXPECT_EQ(seconds_text(0), "0 s");
    EXPECT_EQ(seconds_text(250e-6), "250 us");
    EXPECT_EQ(seconds_text(0.5e-6), "0.5 us");
    EXPECT_EQ(seconds_text(1.5e-3), "1.5 ms");
    EXPECT_EQ(seconds_text(0.99999), "1 s");
    EXPECT_EQ(seconds_text(42), "42 s");
    EXPECT_EQ(seconds_text(100), "1m40s");
    EXPECT_EQ(seconds_text(5400), "1h30m");
}

TEST(Units, ReadsShares) {
    EXPECT_DOUBLE_EQ(parse_share("1%"), 0.01);
    EXPECT_DOUBLE_EQ(parse_share("0.5%"), 0.005);
    EXPECT_DOUBLE_EQ(parse_share("0.02"), 0.02);
    for (const char* bad : {"", "%", "1 %", "1%%", "-1%", "101%", "2", "one", "1s", "nan%"}) {
        EXPECT_THROW(parse_share(bad), Error) << bad;
    }
}

}  // namespace
