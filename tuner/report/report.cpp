// SPDX-License-Identifier: MIT
#include "report.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>

#include "error.hpp"
#include "figures.hpp"
#include "files.hpp"
#include "markdown.hpp"
#include "output.hpp"
#include "process.hpp"

namespace tuner::report {

namespace {

constexpr const char* png_program = "rsvg-convert";
constexpr double seconds_to_convert = 60;

Figure figure_named(const ReportData& data, const std::string& name) {
    std::vector<std::string> names;
    for (const NamedFigure& figure : figures_of(data)) {
        if (figure.name == name) {
            return figure.draw();
        }
        names.push_back(figure.name);
    }
    std::string list;
    for (const std::string& known : names) {
        list += "\n  " + known;
    }
    throw usage_error(
        (name.empty() ? "name a figure with --figure:" : "there is no figure '" + name + "'; one of:") +
        list);
}

// Writes the file; twice as many dots as units, for screens of today
void convert_to_png(const std::string& svg, const std::string& file) {
    const Command command{{png_program, "--zoom", "2", "--output", file}, {}};
    std::optional<Process> process;
    try {
        process.emplace(command, new_token());
    } catch (const Error&) {
        throw failure(std::string(png_program) +
                      " is not installed (Debian: librsvg2-bin); install it, or use --format svg");
    }
    const Deadline deadline = in_seconds(seconds_to_convert);
    const bool is_written = process->write(svg, deadline);
    process->close_input();
    const std::optional<ExitStatus> status = process->wait(deadline);
    if (!is_written || !status || status->code != 0 || status->signal != 0) {
        throw failure(fmt::format("{} {}; use --format svg", to_shell(command),
                                  status ? "failed: " + to_string(*status) : "did not end"));
    }
}

std::string png_of(const std::string& svg) {
    std::string name = (std::filesystem::temp_directory_path() / "changeover-XXXXXX").string();
    const int file = mkstemp(name.data());
    if (file < 0) {
        throw failure("cannot make a temporary file " + name +
                      "; set TMPDIR to a directory that can be written to");
    }
    close(file);
    std::string png;
    try {
        convert_to_png(svg, name);
        png = read_file(name);
    } catch (...) {
        std::filesystem::remove(name);
        throw;
    }
    std::filesystem::remove(name);
    return png;
}

std::string html(const ReportData& data, const ReportOptions& options) {
    return html_page(data, options.others);
}
std::string svg(const ReportData& data, const ReportOptions& options) {
    return svg_file(figure_named(data, options.figure));
}
std::string png(const ReportData& data, const ReportOptions& options) {
    return png_of(svg(data, options));
}
std::string markdown(const ReportData& data, const ReportOptions&) {
    return markdown_summary(data);
}

struct Format {
    const char* name;
    bool has_figure;
    std::string (*write)(const ReportData& data, const ReportOptions& options);
};
constexpr Format formats[] = {
    {"html", false, html}, {"svg", true, svg}, {"png", true, png}, {"md", false, markdown}};

}  // namespace

std::vector<std::string> report_formats() {
    std::vector<std::string> names;
    std::transform(std::begin(formats), std::end(formats), std::back_inserter(names),
                   [](const Format& format) { return format.name; });
    return names;
}

void write_report(const ReportOptions& options) {
    const auto* format = std::find_if(std::begin(formats), std::end(formats),
                                      [&](const Format& f) { return f.name == options.format; });
    if (format == std::end(formats)) {
        throw usage_error("there is no format '" + options.format + "'; " +
                          suggestion(options.format, report_formats()));
    }
    if (!options.figure.empty() && !format->has_figure) {
        throw usage_error("--figure is for --format svg and png");
    }
    if (!options.others.empty() && options.format != "html") {
        throw usage_error("--trace is for --format html; changeover trace --figure writes a single one");
    }
    const std::string text = format->write(gather(options.folder, options.against), options);
    std::string file = options.file;
    if (file.empty() && options.format == "html") {
        file = options.folder + "/report.html";
    }
    write_output(file, text);
    if (!file.empty()) {
        print_note("{} is written\n", file);
    }
}

}  // namespace tuner::report
