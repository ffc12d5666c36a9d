// SPDX-License-Identifier: MIT
// One number for each exchange: which of its sizes it comes from, and how it is written.
#include "exchange_headlines.hpp"

#include <gtest/gtest.h>

namespace {

using namespace tuner;

const Layout two_by_one = {2, 1, Mapping::block};

ExchangePoint point(double seconds, const std::map<std::string, double>& values) {
    ExchangePoint p;
    p.median_seconds = seconds;
    p.sorted_seconds = {seconds, seconds, seconds, 3 * seconds};  // one of four beyond twice the shortest
    p.values = values;
    return p;
}

// A latency grows with the size, a bandwidth has its best in the middle, an overlap has a median
ExchangeCurves curves() {
    ExchangeCurves all;
    all[{"eth", two_by_one, "ping_pong between", "send"}] = {
        {1, point(40e-6, {{"half_us", 20}, {"megabytes_per_s", 9}})},
        {1024, point(90e-6, {{"half_us", 45}, {"megabytes_per_s", 99}})}};
    all[{"eth", two_by_one, "bandwidth between", "window"}] = {
        {1, point(1e-6, {{"megabytes_per_s", 1}, {"messages_per_s", 5e5}})},
        {1024, point(2e-6, {{"megabytes_per_s", 800}, {"messages_per_s", 7e5}})},
        {4096, point(9e-6, {{"megabytes_per_s", 700}, {"messages_per_s", 1e5}})}};
    all[{"eth", two_by_one, "ibcast overlap", "default"}] = {{1024, point(1e-5, {{"overlap", 0.1}})},
                                                             {4096, point(1e-5, {{"overlap", 0.5}})},
                                                             {8192, point(1e-5, {{"overlap", 0.9}})}};
    all[{"eth", two_by_one, "ring", "sendrecv"}] = {{16, point(5e-5, {})}};
    return all;
}

const Headline* find(const std::vector<Headline>& headlines, const std::string& exchange,
                     const std::string& quantity) {
    for (const Headline& headline : headlines) {
        if (headline.key.exchange == exchange && headline.quantity == quantity) {
            return &headline;
        }
    }
    return nullptr;
}

TEST(ExchangeHeadlines, StandForAllSizes) {
    const std::vector<Headline> headlines = headlines_of(curves());
    ASSERT_EQ(headlines.size(), 5u);
    const Headline* latency = find(headlines, "ping_pong between", "latency");
    ASSERT_NE(latency, nullptr);
    EXPECT_EQ(latency->value, 20) << "of the smallest size";
    EXPECT_EQ(latency->text, "20 us");
    EXPECT_NEAR(latency->share_beyond, 0.25, 1e-12);
    EXPECT_EQ(find(headlines, "ping_pong between", "bandwidth"), nullptr) << "a rate is of streams only";
    const Headline* bandwidth = find(headlines, "bandwidth between", "bandwidth");
    ASSERT_NE(bandwidth, nullptr);
    EXPECT_EQ(bandwidth->text, "800 MB/s") << "the largest";
    ASSERT_NE(find(headlines, "bandwidth between", "message rate"), nullptr);
    EXPECT_EQ(find(headlines, "bandwidth between", "message rate")->value, 7e5);
    ASSERT_NE(find(headlines, "ibcast overlap", "overlap"), nullptr);
    EXPECT_EQ(find(headlines, "ibcast overlap", "overlap")->text, "50%") << "the median";
    ASSERT_NE(find(headlines, "ring", "time"), nullptr) << "nothing else is known of it";
    EXPECT_EQ(find(headlines, "ring", "time")->value, 5e-5);
}

TEST(ExchangeHeadlines, TableHasAColumnForEachNetwork) {
    ExchangeCurves all = curves();
    all[{"ib", two_by_one, "ring", "sendrecv"}] = {{16, point(1e-5, {})}};
    const std::string text = headlines_table(all);
    EXPECT_LT(text.find("eth"), text.find("ib"));
    const std::string row = text.substr(text.find("  ring"));
    EXPECT_NE(row.find("50 us"), std::string::npos) << text;
    EXPECT_NE(row.find("10 us"), std::string::npos) << text;
    EXPECT_NE(row.find("25.0%"), std::string::npos) << text;
    EXPECT_EQ(headlines_table({}), "");
}

TEST(ExchangeHeadlines, QuantitiesAreWrittenWithTheirDecimals) {
    for (const QuantityFormat& format : quantity_formats()) {
        const std::string text = quantity_text(format, 1234.5678);
        EXPECT_EQ(text, format.decimals == 0 ? "1235" : "1234.57") << format.value;
    }
}

}  // namespace
