// SPDX-License-Identifier: MIT
#include "report.hpp"

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>

#include "command.hpp"
#include "error.hpp"
#include "figures.hpp"
#include "files.hpp"
#include "markdown.hpp"

namespace tuner::report {

namespace {

constexpr const char* png_program = "rsvg-convert";
constexpr int command_not_found = 127;  // of a shell

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
    throw wrong_use((name.empty() ? "which figure? Name one with --figure:"
                                  : "there is no figure '" + name + "'; one of:") +
                    list);
}

// Twice as many dots as units, for screens of today
std::string png_of(const std::string& svg) {
    std::string name = (std::filesystem::temp_directory_path() / "changeover-XXXXXX").string();
    const int file = mkstemp(name.data());
    if (file < 0) {
        throw failure("cannot make a temporary file " + name +
                      "; set TMPDIR to a folder that can be written to");
    }
    close(file);
    const std::string command = to_shell({{png_program, "--zoom", "2", "--output", name}, {}});
    std::FILE* pipe = popen(command.c_str(), "w");
    const bool is_written = pipe != nullptr && std::fwrite(svg.data(), 1, svg.size(), pipe) == svg.size();
    const int status = pipe == nullptr ? -1 : pclose(pipe);
    const std::string png = status == 0 && is_written ? read_file(name) : "";
    std::filesystem::remove(name);
    if (WIFEXITED(status) && WEXITSTATUS(status) == command_not_found) {
        throw failure(std::string(png_program) +
                      " is not installed (Debian: librsvg2-bin); install it, or take --format svg");
    }
    if (png.empty()) {
        throw failure(fmt::format("{} failed with status {}; take --format svg", command, status));
    }
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
        throw wrong_use("there is no format '" + options.format + "'; " +
                        suggestion(options.format, report_formats()));
    }
    if (!options.figure.empty() && !format->has_figure) {
        throw wrong_use("--figure is for --format svg and png");
    }
    if (!options.others.empty() && options.format != "html") {
        throw wrong_use("--trace is for --format html; changeover trace --figure writes a single one");
    }
    const std::string text = format->write(gather(options.folder, options.against), options);
    std::string file = options.file;
    if (file.empty() && options.format == "html") {
        file = options.folder + "/report.html";
    }
    if (file.empty()) {
        std::fwrite(text.data(), 1, text.size(), stdout);
        return;
    }
    write_file_atomically(file, text);
    fmt::print(stderr, "{} is written\n", file);
}

}  // namespace tuner::report
