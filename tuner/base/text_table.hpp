// SPDX-License-Identifier: MIT
// A table for terminals.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tuner {

// Rows of texts as columns: as wide as their widest text, the first left, the others right
class TextTable {
  public:
    explicit TextTable(std::vector<std::string> heading) : rows_{std::move(heading)} {}
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    bool has_rows() const { return rows_.size() > 1; }
    // The heading first
    const std::vector<std::vector<std::string>>& rows() const { return rows_; }

    std::string text() const {
        std::vector<std::size_t> widths(rows_.front().size(), 0);
        for (const auto& row : rows_) {
            for (std::size_t i = 0; i < row.size(); ++i) {
                widths[i] = std::max(widths[i], row[i].size());
            }
        }
        std::string text;
        for (const auto& row : rows_) {
            std::string line;
            for (std::size_t i = 0; i < row.size(); ++i) {
                line += i == 0 ? fmt::format("  {:<{}}", row[i], widths[i])
                               : fmt::format("  {:>{}}", row[i], widths[i]);
            }
            line.erase(line.find_last_not_of(' ') + 1);
            text += line + "\n";
        }
        return text;
    }

  private:
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace tuner
