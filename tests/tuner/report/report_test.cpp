// SPDX-License-Identifier: MIT
// What is written of a run: page, single figures, Markdown, tables. What a browser makes of it:
// tests/browser.
#include "report.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <set>

#include "error.hpp"
#include "files.hpp"
#include "figures.hpp"
#include "markdown.hpp"
#include "page.hpp"
#include "tables.hpp"
#include "report_run.hpp"

namespace {

using namespace tuner::report;

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(Page, LoadsNothingAndEscapesEverything) {
    const ReportRun run;
    run.decide(true);
    const std::string page = html_page(gather(run.folder()));
    EXPECT_TRUE(contains(page, "Content-Security-Policy"));
    EXPECT_TRUE(contains(page, "default-src 'none'"));
    EXPECT_FALSE(contains(page, "http://")) << "nothing to load";
    EXPECT_FALSE(contains(page, "https://"));
    EXPECT_FALSE(contains(page, "<i>")) << "the name of a network";
    EXPECT_TRUE(contains(page, "&lt;i&gt;"));
}

TEST(Page, HeadlineThenWhatToType) {
    const ReportRun run;
    run.decide(true);
    const std::string page = html_page(gather(run.folder()));
    EXPECT_TRUE(contains(page, "<b>+44%</b>"));
    EXPECT_LT(page.find("+44%"), page.find("What to type"));
    EXPECT_TRUE(contains(page, "changeover emit --run " + run.folder() + " --format env --layout 2x2"));
}

TEST(Page, AnotherNonceEachTime) {
    const ReportRun run;
    const ReportData data = gather(run.folder());
    EXPECT_NE(html_page(data), html_page(data));
}

TEST(Figures, NamesAreUniqueAndPlain) {
    const ReportRun run({"a b", "a_b"});
    std::set<std::string> names;
    const ReportData data = gather(run.folder());
    for (const NamedFigure& figure : figures_of(data)) {
        EXPECT_TRUE(names.insert(figure.name).second) << figure.name;
        for (const char c : figure.name) {
            EXPECT_TRUE(std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_') << figure.name;
        }
    }
    EXPECT_TRUE(names.contains("curves-bcast-a_b-2x2"));
    EXPECT_TRUE(names.contains("gains-bcast-a_b"));
    EXPECT_TRUE(names.contains("changeovers-bcast"));
    EXPECT_TRUE(names.contains("model-a_b"));
}

TEST(Figures, FileIsCompleteByItself) {
    const ReportRun run;
    run.decide(true);
    const ReportData data = gather(run.folder());
    for (const NamedFigure& named : figures_of(data)) {
        const std::string svg = svg_file(named.draw());
        EXPECT_TRUE(svg.starts_with("<?xml")) << named.name;
        EXPECT_TRUE(contains(svg, "<style>")) << named.name;
        EXPECT_TRUE(contains(svg, "<title>")) << named.name;
        EXPECT_FALSE(contains(svg, "nan")) << named.name;
        EXPECT_FALSE(contains(svg, "inf")) << named.name;
    }
}

TEST(Figures, LinesOfAllAlgorithms) {
    const ReportRun run;
    const ReportData data = gather(run.folder());
    const auto figures = figures_of(data);
    const auto curves = std::find_if(figures.begin(), figures.end(),
                                     [](const NamedFigure& f) { return f.kind == FigureKind::curves; });
    const Figure figure = curves->draw();
    for (const char* algorithm : {"default", "binomial", "scatter_ring_allgather"}) {
        EXPECT_TRUE(contains(figure.body, std::string("data-line=\"") + algorithm + "\""));
    }
    EXPECT_LT(figure.body.find("data-line=\"binomial\""), figure.body.find("data-line=\"default\""))
        << "the default is drawn last, on top";
}

TEST(Tables, TimesInMicrosecondsWithPredictions) {
    const ReportRun run;
    const ReportData data = gather(run.folder());
    const std::vector<Table> tables = tables_of(data);
    const Table& times = find_table(tables, "times");
    EXPECT_EQ(times.rows(), 9U);
    const TableGroup& binomial = times.groups[0];
    EXPECT_EQ(binomial.key[0], "eth");
    EXPECT_EQ(binomial.key[6], "binomial");
    EXPECT_EQ(binomial.rows[1][0], 4096);
    EXPECT_EQ(binomial.rows[1][1], 30);
    EXPECT_TRUE(binomial.rows[1][5].is_number());
    for (const Table& table : tables) {
        for (const TableGroup& group : table.groups) {
            for (const std::vector<tuner::Json>& row : group.rows) {
                EXPECT_EQ(group.key.size() + row.size(), table.columns.size()) << table.name;
            }
        }
    }
}

TEST(Markdown, ShortAndSafe) {
    const ReportRun run;
    run.decide(true);
    const std::string text = markdown_summary(gather(run.folder()));
    EXPECT_TRUE(contains(text, "**+44%**"));
    EXPECT_TRUE(contains(text, "| eth | 2x2 | bcast | 2000 to 10000 | scatter\\_ring\\_allgather |"));
    EXPECT_TRUE(contains(text, "\\<i\\>"));
    EXPECT_LT(text.size(), 4000U);
    EXPECT_EQ(markdown_text("a|b\nc"), "a\\|b c");
}

TEST(WriteReport, DefaultFileAndWrongUse) {
    const ReportRun run;
    ReportOptions options;
    options.folder = run.folder();
    write_report(options);
    EXPECT_TRUE(tuner::read_file(run.folder() + "/report.html").starts_with("<!DOCTYPE html>"));
    options.format = "pdf";
    EXPECT_THROW(write_report(options), tuner::Error);
    options.format = "svg";
    options.figure = "no such figure";
    try {
        write_report(options);
        FAIL() << "an unknown figure";
    } catch (const tuner::Error& error) {
        EXPECT_TRUE(contains(error.what(), "changeovers-bcast")) << "it lists those that there are";
    }
}

}  // namespace
