// SPDX-License-Identifier: MIT
#include "keep_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "extra_memory.hpp"
#include "mpi_library.hpp"
#include "units.hpp"

namespace tuner {

namespace {

constexpr std::size_t largest_message = std::size_t{1} << 40;  // of a rule without an end
// Up to here, gather also copies a rank's own block: a size above may need less
constexpr std::size_t last_short_gather = 1023;

struct LeftOut {
    std::size_t bytes = 0;  // from here on
    std::optional<std::size_t> memory;
};

Layout largest_of(const Rule& rule, const Extent& extent) {
    if (const std::optional<Layout> single = rule.where.single()) {
        return *single;
    }
    Layout layout;
    layout.nodes = std::min(rule.where.nodes.last, std::max(extent.nodes, rule.where.nodes.first));
    layout.ppn = std::min(rule.where.ppn.last, std::max(extent.ppn, rule.where.ppn.first));
    return layout;
}

class Trimmed {
  public:
    Trimmed(const Rule& rule, const Layout& layout, std::size_t limit)
        : rule_(rule), layout_(layout), limit_(limit) {}

    bool fits(std::size_t bytes) const {
        const std::size_t also = std::clamp(last_short_gather, rule_.from_bytes, bytes);
        return needs_little(bytes) && needs_little(also);
    }
    // The rule fits at its first size
    std::size_t last_size() const {
        std::size_t fits_here = rule_.from_bytes;
        std::size_t beyond =
            rule_.to_bytes == no_end ? std::max(largest_message, fits_here + 1) : rule_.to_bytes;
        if (fits(beyond)) {
            return rule_.to_bytes;
        }
        while (beyond - fits_here > 1) {
            const std::size_t middle = fits_here + (beyond - fits_here) / 2;
            (fits(middle) ? fits_here : beyond) = middle;
        }
        return fits_here;
    }

  private:
    bool needs_little(std::size_t bytes) const {
        const std::optional<std::size_t> memory = most_memory(rule_, layout_, bytes);
        return memory && *memory <= limit_;
    }

    const Rule& rule_;
    const Layout& layout_;
    std::size_t limit_;
};

}  // namespace

std::optional<std::size_t> most_memory(const Rule& rule, const Layout& layout, std::size_t bytes) {
    return models::most_extra_memory(rule.collective, rule.algorithm, placement_of(layout), bytes);
}

void keep_memory(Cells& cells, std::size_t limit, std::vector<std::string>& notes) {
    if (limit == 0) {
        return;
    }
    std::map<std::pair<std::string, std::string>, LeftOut> all;
    for (auto& [key, cell] : cells) {
        const models::RankPlacement placement = placement_of(key.layout);
        for (auto& [bytes, times] : cell.times) {
            for (auto time = times.begin(); time != times.end();) {
                const std::string& algorithm = time->first;
                const auto memory = models::most_extra_memory(key.collective, algorithm, placement, bytes);
                if (algorithm == default_algorithm || (memory && *memory <= limit)) {
                    ++time;
                    continue;
                }
                LeftOut& out =
                    all.try_emplace({key.collective, algorithm}, LeftOut{bytes, memory}).first->second;
                if (bytes < out.bytes) {
                    out = {bytes, memory};
                }
                cell.missing[bytes][algorithm] =
                    "it needs more memory than is allowed, or it is not known how much";
                time = times.erase(time);
            }
        }
    }
    for (const auto& [of, out] : all) {
        notes.push_back(fmt::format("{} {} is left out from {} on (--max-memory {}): {}", of.first, of.second,
                                    bytes_text(out.bytes), bytes_text(limit),
                                    out.memory
                                        ? fmt::format("it allocates {} on a rank", memory_text(*out.memory))
                                        : "how much it allocates is not known"));
    }
}

void trim_to_memory(std::vector<Rule>& rules, std::size_t limit, const Extent& extent,
                    std::vector<std::string>& notes) {
    if (limit == 0) {
        return;
    }
    std::erase_if(rules, [&](Rule& rule) {
        const Layout layout = largest_of(rule, extent);
        const Trimmed trimmed(rule, layout, limit);
        const std::string name = fmt::format("{} {} on {}, {}", rule.collective, rule.algorithm,
                                             to_string(rule.where), size_range(rule));
        if (!trimmed.fits(rule.from_bytes)) {
            notes.push_back(name + " was dropped: it would need more memory than is allowed");
            return true;
        }
        const std::size_t last = trimmed.last_size();
        if (last != rule.to_bytes) {
            rule.to_bytes = last;
            notes.push_back(fmt::format("{} ends at {}: above, it would need more memory than is allowed",
                                        name, bytes_text(last)));
        }
        return false;
    });
}

}  // namespace tuner
