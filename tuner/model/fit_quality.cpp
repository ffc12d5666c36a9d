// SPDX-License-Identifier: MIT
#include "fit_quality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace tuner {

namespace {

struct Halves {
    Cells fitted;
    Cells held_out;
};

// Every second size of each cell except its ends: the model is to interpolate, not to extrapolate.
Halves halves_of(const Cells& cells, const std::string& network) {
    Halves halves;
    for (const auto& [key, cell] : cells) {
        if (key.network != network) {
            continue;
        }
        std::size_t number = 0;
        for (const auto& [bytes, times] : cell.times) {
            const bool is_last = bytes == cell.times.rbegin()->first;
            Cells& half = number++ % 2 == 1 && !is_last ? halves.held_out : halves.fitted;
            half[key].times[bytes] = times;
        }
    }
    return halves;
}

double median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return models::median(values);
}

}  // namespace

std::vector<HeldOut> held_out_errors(const Cells& cells, const std::string& network,
                                     const models::Parameters& shape) {
    const Halves halves = halves_of(cells, network);
    std::optional<Prediction> model = Prediction::of(halves.fitted, network, shape);
    std::optional<Prediction> textbook = Prediction::of(halves.fitted, network, {}, View::ranks_only);
    if (!model || !textbook) {
        return {};
    }
    std::vector<HeldOut> result;
    for (const auto& [key, cell] : halves.held_out) {
        std::vector<double> errors;
        std::vector<double> textbook_errors;
        for (const auto& [bytes, times] : cell.times) {
            for (const auto& [algorithm, time] : times) {
                const auto predicted = model->seconds(key.collective, algorithm, key.layout, bytes);
                const auto by_book = textbook->seconds(key.collective, algorithm, key.layout, bytes);
                if (predicted && by_book) {  // the same times for both
                    errors.push_back(std::abs(*predicted / time.time.median_seconds - 1));
                    textbook_errors.push_back(std::abs(*by_book / time.time.median_seconds - 1));
                }
            }
        }
        if (!errors.empty()) {
            result.push_back({key.layout, key.collective, errors.size(), median_of(std::move(errors)),
                              median_of(std::move(textbook_errors))});
        }
    }
    return result;
}

std::string without_model(const Cells& cells, const std::string& network,
                          const std::vector<Prediction::Explained>& explained) {
    std::map<std::string, std::set<std::string>> names;  // by collective
    for (const auto& [key, cell] : cells) {
        for (const auto& [bytes, times] : cell.times) {
            for (const auto& [algorithm, time] : times) {
                if (key.network == network && algorithm != default_algorithm) {
                    names[key.collective].insert(algorithm);
                }
            }
        }
    }
    for (const Prediction::Explained& time : explained) {
        names[time.cell.collective].erase(time.algorithm);
    }
    std::string text;
    for (const auto& [collective, algorithms] : names) {
        if (!algorithms.empty()) {
            text += fmt::format("{}{} {}", text.empty() ? "" : "; ", collective, fmt::join(algorithms, ", "));
        }
    }
    return text;
}

std::string held_out_table(const std::vector<HeldOut>& errors) {
    if (errors.empty()) {
        return "";
    }
    std::string text = fmt::format(
        "\nfitted to every second size, errors at the others:\n{:<10} {:<24} {:>6} {:>8} {:>10}\n", "layout",
        "collective", "times", "model", "textbook");
    for (const HeldOut& row : errors) {
        text += fmt::format("{:<10} {:<24} {:>6} {:>7.1f}% {:>9.1f}%\n", to_string(row.layout),
                            row.collective, row.times, 100 * row.median_error, 100 * row.textbook_error);
    }
    return text;
}

}  // namespace tuner
