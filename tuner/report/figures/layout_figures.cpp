// SPDX-License-Identifier: MIT
// Maps of layouts: nodes x ranks on a node, a row of maps for each of a few sizes. On the left the algorithm
// of the rule and what the rule is based on, on the right its gain.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "axes.hpp"
#include "layout_blocks.hpp"
#include "palette.hpp"
#include "units.hpp"

namespace tuner::report {

namespace {

constexpr double figure_width = 760;
constexpr double map_left = 40;
constexpr double map_gap = 26;
constexpr double most_map_width = (figure_width - map_left - map_gap - 8) / 2;
constexpr double most_field_width = 56;
constexpr double captions_height = 20;
constexpr double heading_height = 18;
constexpr double small_font_size = 9.5;

// Whole units if possible: sharp edges and short numbers
double field_width_of(std::size_t columns) {
    const double width = std::min(most_field_width, most_map_width / static_cast<double>(columns));
    return width >= 4 ? std::floor(width) : width;
}

double field_height_of(std::size_t rows) {
    return rows <= 6 ? 18 : rows <= 10 ? 14 : rows <= 16 ? 11 : 8;
}

// Where everything is
struct MapGeometry {
    double field_width;
    double field_height;
    double columns;
    double rows;
    double panels;

    explicit MapGeometry(const LayoutMap& map)
        : field_width(field_width_of(map.nodes.size())),
          field_height(field_height_of(map.ppn.size())),
          columns(static_cast<double>(map.nodes.size())),
          rows(static_cast<double>(map.ppn.size())),
          panels(static_cast<double>(map.sizes.size())) {}

    double width() const { return columns * field_width; }
    double height() const { return rows * field_height; }
    std::array<double, 2> lefts() const { return {map_left, map_left + width() + map_gap}; }
    double top(std::size_t size) const {
        return captions_height + heading_height + static_cast<double>(size) * (height() + heading_height + 6);
    }
    double bottom(std::size_t size) const { return top(size) + height(); }
    double x(std::size_t nodes) const { return static_cast<double>(nodes) * field_width; }  // from its left
    double y(std::size_t size, std::size_t ppn) const {  // of the lower edge
        return bottom(size) - static_cast<double>(ppn) * field_height;
    }
};

std::string path_of(const Blocks& blocks, const MapGeometry& at, double left) {
    std::string data;
    for (const Block& block : blocks) {
        const double from = at.x(block.first_nodes);
        const double width = at.x(block.end_nodes) - from;
        data +=
            fmt::format("M{},{}h{}V{}h{}z", number(left + from), number(at.y(block.size, block.first_ppn)),
                        number(width), number(at.y(block.size, block.end_ppn)), number(-width));
    }
    return data;
}

struct BasisText {
    const char* basis;
    const char* text;
    bool is_hatched;
};
constexpr BasisText basis_texts[] = {
    {"measured", "measured on this layout", false},
    {"model", "predicted: beyond the largest measured size", true},
    {"between", "predicted: between measured layouts", false},
    {"beyond", "predicted: beyond the measured layouts", true},
};

const BasisText& basis_of(const Rule& rule) {
    const auto* found = std::find_if(std::begin(basis_texts), std::end(basis_texts),
                                     [&](const BasisText& row) { return row.basis == rule.basis; });
    return found == std::end(basis_texts) ? basis_texts[0] : *found;
}

double gain_to_show(const LayoutMap& map, const Rule& rule) {
    return 1 + (is_proven(map, rule) ? rule.verified_gain : rule.expected_gain);
}

std::string proof_of(const LayoutMap& map, const Rule& rule) {
    if (!is_proven(map, rule)) {
        return "proven gain: none, not verified";
    }
    const std::string tests = tests_of(rule);
    return fmt::format("proven gain: {} ({} to {}){}", percent_label(1 + rule.verified_gain),
                       percent_label(1 + rule.verified_interval.low),
                       percent_label(1 + rule.verified_interval.high), tests.empty() ? "" : ", " + tests);
}

// For tooltips: a line for each fact
std::string facts_of(const LayoutMap& map, const Rule& rule) {
    return fmt::format("rule: {}\non {}, {}\nbasis: {}\nexpected gain: {}\n{}", rule.algorithm,
                       to_string(rule.where), size_range(rule), basis_of(rule).text,
                       percent_label(1 + rule.expected_gain), proof_of(map, rule));
}

void open_tip(Drawing& drawing, std::string_view text) {
    drawing.open("data-tip=\"\"");
    drawing.title(text);
}

void draw_empty(Drawing& drawing, const MapGeometry& at, const char* classes, const char* text,
                const Blocks& blocks) {
    open_tip(drawing, text);
    for (const double left : at.lefts()) {
        drawing.path(path_of(blocks, at, left), fmt::format("class=\"{}\"", classes));
    }
    drawing.close();
}

// Whole maps, below all others: what is not covered has no rule
Blocks all_fields(const LayoutMap& map) {
    Blocks blocks;
    for (std::size_t size = 0; size < map.sizes.size(); ++size) {
        blocks.push_back({size, 0, map.nodes.size(), 0, map.ppn.size()});
    }
    return blocks;
}

void draw_rule(Drawing& drawing, const LayoutMap& map, const MapGeometry& at, const Rule& rule,
               const Blocks& blocks) {
    const std::string algorithms = path_of(blocks, at, at.lefts()[0]);
    open_tip(drawing, facts_of(map, rule));
    drawing.path(algorithms, fmt::format("class=\"{} fill\"", colour_class(rule.algorithm)));
    if (basis_of(rule).is_hatched) {
        drawing.path(algorithms, "class=\"hatch\"");
    }
    drawing.path(path_of(blocks, at, at.lefts()[1]),
                 fmt::format("class=\"{}{}\"", gain_class(gain_to_show(map, rule)),
                             is_proven(map, rule) ? "" : " pale"));
    drawing.close();
}

void draw_fields(Plot& plot, const LayoutMap& map, const MapGeometry& at,
                 const std::map<int, Blocks>& blocks) {
    draw_empty(plot.drawing, at, "empty", "no rule: the library's own choice", all_fields(map));
    if (const auto found = blocks.find(no_job); found != blocks.end()) {
        draw_empty(plot.drawing, at, "unknown",
                   "no job: one rank, or more ranks than the cluster has room for", found->second);
    }
    for (const auto& [look, of_look] : blocks) {
        if (look > LayoutMap::no_rule) {
            draw_rule(plot.drawing, map, at, map.rules[static_cast<std::size_t>(look)], of_look);
        }
    }
}

// Between the fields: dashes of lines that are as thick as a map is high or wide, a tenth of the bytes
void draw_field_lines(Drawing& drawing, const LayoutMap& map, const MapGeometry& at) {
    constexpr double thin = 0.7;
    std::string across;
    std::string up;
    for (std::size_t size = 0; size < map.sizes.size(); ++size) {
        for (const double left : at.lefts()) {
            across += fmt::format("M{},{}h{}", number(left), number(at.top(size) + at.height() / 2),
                                  number(at.width() + thin));
            up += fmt::format("M{},{}v{}", number(left + at.width() / 2), number(at.top(size)),
                              number(at.height() + thin));
        }
    }
    const auto draw = [&](const std::string& data, double thickness, double step) {
        drawing.path(data,
                     fmt::format("class=\"field-line\" stroke-width=\"{}\" stroke-dasharray=\"{} {:.4g}\"",
                                 number(thickness), thin, step - thin));
    };
    draw(across, at.height(), at.field_width);
    draw(up, at.width(), at.field_height);
}

void draw_measured_dots(Drawing& drawing, const LayoutMap& map, const MapGeometry& at) {
    std::vector<Point> dots;
    for (std::size_t size = 0; size < map.sizes.size(); ++size) {
        for (std::size_t ppn = 0; ppn < map.ppn.size(); ++ppn) {
            for (std::size_t nodes = 0; nodes < map.nodes.size(); ++nodes) {
                const MapField field = {size, ppn, nodes};
                const Rule* rule = map.rule(field);
                if (rule == nullptr ? map.is_measured(field) : rule->basis == "measured") {
                    dots.push_back(
                        {map_left + at.x(nodes) + at.field_width / 2, at.y(size, ppn) - at.field_height / 2});
                }
            }
        }
    }
    if (!dots.empty()) {
        draw_dots(drawing, dots);
    }
}

// For names: the first rule that has the same algorithm and hatching. Measured fields have a dot instead.
int algorithm_look_of(const LayoutMap& map, const MapField& field) {
    const Rule* rule = map.rule(field);
    if (rule == nullptr || rule->basis == "measured") {
        return LayoutMap::no_rule;
    }
    const auto first = std::find_if(map.rules.begin(), map.rules.end(), [&](const Rule& other) {
        return other.basis != "measured" && other.algorithm == rule->algorithm &&
               basis_of(other).is_hatched == basis_of(*rule).is_hatched;
    });
    return static_cast<int>(first - map.rules.begin());
}

using TextInBlock = std::function<std::string(const Rule& rule, double width)>;  // that fits

// Once for each rule and size, in its largest block if it fits there
void draw_texts(Drawing& drawing, const MapGeometry& at, double left, const Rule& rule, const Blocks& blocks,
                const TextInBlock& text_in) {
    std::map<std::size_t, Block> largest;  // by size
    for (const Block& block : blocks) {
        const auto [found, is_new] = largest.emplace(block.size, block);
        if (!is_new && block.fields() > found->second.fields()) {
            found->second = block;
        }
    }
    for (const auto& [size, block] : largest) {
        const double bottom = at.y(size, block.first_ppn);
        const double top = at.y(size, block.end_ppn);
        const double width = at.x(block.end_nodes) - at.x(block.first_nodes);
        const std::string text = bottom - top < font_size ? "" : text_in(rule, width);
        if (!text.empty()) {
            drawing.text({left + at.x(block.first_nodes) + width / 2, (bottom + top) / 2 + 3}, "", text);
        }
    }
}

void draw_all_texts(Drawing& drawing, const LayoutMap& map, const MapGeometry& at,
                    const std::map<int, Blocks>& blocks) {
    const auto draw = [&](std::size_t column, const std::map<int, Blocks>& of, const TextInBlock& text_in) {
        for (const auto& [look, of_look] : of) {
            if (look > LayoutMap::no_rule) {
                draw_texts(drawing, at, at.lefts()[column], map.rules[static_cast<std::size_t>(look)],
                           of_look, text_in);
            }
        }
    };
    draw(0, blocks_of(map, algorithm_look_of),
         [](const Rule& rule, double width) { return fitting_name(rule.algorithm, width); });
    draw(1, blocks, [&](const Rule& rule, double width) {
        const std::string gain = percent_label(gain_to_show(map, rule));
        return text_width(gain, small_font_size) <= width ? gain : "";
    });
}

// Labels of an axis that do not touch each other: powers of two before others
std::vector<std::size_t> steps_with_label(const std::vector<CountStep>& steps, double step_length,
                                          const std::function<double(const CountStep&)>& label_length) {
    std::vector<std::size_t> chosen;
    for (const bool is_power : {true, false}) {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const bool is_one =
                steps[i].first == steps[i].last && (steps[i].first & (steps[i].first - 1)) == 0;
            const bool has_room = std::all_of(chosen.begin(), chosen.end(), [&](std::size_t other) {
                const double distance = step_length * static_cast<double>(other > i ? other - i : i - other);
                return distance > (label_length(steps[i]) + label_length(steps[other])) / 2;
            });
            if (is_one == is_power && has_room) {
                chosen.push_back(i);
            }
        }
    }
    return chosen;
}

void draw_axes(Drawing& drawing, const LayoutMap& map, const MapGeometry& at) {
    const auto row_labels =
        steps_with_label(map.ppn, at.field_height, [](const CountStep&) { return font_size; });
    for (std::size_t size = 0; size < map.sizes.size(); ++size) {
        drawing.label({map_left, at.top(size) - 5}, Anchor::start, "ink",
                      bytes_text(map.sizes[size]) + " bytes");
        drawing.label({map_left - 5, at.top(size) - 5}, Anchor::end, "ink small", "ppn");
        drawing.open("class=\"ink small\" text-anchor=\"end\"");
        for (const std::size_t ppn : row_labels) {
            drawing.text({map_left - 5, at.y(size, ppn) - at.field_height / 2 + 4}, "",
                         to_string(map.ppn[ppn]));
        }
        drawing.close();
    }
    const double bottom = at.bottom(map.sizes.size() - 1);
    const auto label_of = [&](const CountStep& step) {  // a step without room says where it starts
        const std::string whole = to_string(step);
        return text_width(whole, small_font_size) <= at.field_width ? whole : std::to_string(step.first);
    };
    const auto label_width = [&](const CountStep& step) {
        return text_width(label_of(step), small_font_size) + 4;
    };
    for (const double left : at.lefts()) {
        drawing.open("class=\"ink small\" text-anchor=\"middle\"");
        for (const std::size_t nodes : steps_with_label(map.nodes, at.field_width, label_width)) {
            drawing.text({left + at.x(nodes) + at.field_width / 2, bottom + 12}, "",
                         label_of(map.nodes[nodes]));
        }
        drawing.close();
        drawing.label({left + at.width() / 2, bottom + 25}, Anchor::middle, "ink small", "nodes");
    }
}

void draw_captions(Drawing& drawing, const LayoutMap& map, const MapGeometry& at) {
    const bool has_proof = std::any_of(map.rules.begin(), map.rules.end(),
                                       [&](const Rule& rule) { return is_proven(map, rule); });
    const char* captions[] = {"algorithm", has_proof ? "proven gain" : "expected gain"};
    for (std::size_t i = 0; i < std::size(captions); ++i) {
        drawing.label({at.lefts()[i], 14}, Anchor::start, "ink title", captions[i]);
    }
}

void add_gain_key(Plot& plot, const LayoutMap& map, const std::set<const Rule*>& shown) {
    std::set<std::string> classes;
    bool has_pale = false;
    for (const Rule* rule : shown) {
        classes.insert(gain_class(gain_to_show(map, *rule)));
        has_pale |= !is_proven(map, *rule);
    }
    for (std::size_t i = 0; i < gain_steps().size(); ++i) {
        if (const std::string name = fmt::format("g{}", i); classes.contains(name)) {
            const std::string label = gain_steps()[i].label;
            plot.add_key(KeyEntry::Kind::box, name, label.starts_with("loss") ? label : "gain " + label);
        }
    }
    if (has_pale) {
        plot.add_key(KeyEntry::Kind::box, "cd pale", "pale: expected, not verified");
    }
}

void add_map_key(Plot& plot, const LayoutMap& map, const std::map<int, Blocks>& blocks) {
    std::set<const Rule*> shown;
    std::set<std::string> algorithms;
    for (const auto& [look, of_look] : blocks) {
        if (look > LayoutMap::no_rule) {
            shown.insert(&map.rules[static_cast<std::size_t>(look)]);
            algorithms.insert(map.rules[static_cast<std::size_t>(look)].algorithm);
        }
    }
    plot.figure.key = algorithm_key(algorithms, KeyEntry::Kind::box);
    plot.add_key(KeyEntry::Kind::dot, "", "measured");
    const auto has_basis = [&](bool is_hatched) {
        return std::any_of(shown.begin(), shown.end(), [&](const Rule* rule) {
            return rule->basis != "measured" && basis_of(*rule).is_hatched == is_hatched;
        });
    };
    if (has_basis(false)) {
        plot.add_key(KeyEntry::Kind::box, "cd pale", "no dot: between what was measured");
    }
    if (has_basis(true)) {
        plot.add_key(KeyEntry::Kind::hatched_box, "cd pale", "hatched: beyond what was measured");
    }
    plot.add_key(KeyEntry::Kind::box, "empty", "no rule: the library's own choice");
    if (blocks.contains(no_job)) {
        plot.add_key(KeyEntry::Kind::box, "unknown", "no such job");
    }
    add_gain_key(plot, map, shown);
}

// What the page's script needs to name the field under the pointer
std::string attributes_of(const LayoutMap& map, const MapGeometry& at) {
    const auto names = [](const std::vector<CountStep>& steps) {
        Json list = Json::array();
        std::transform(steps.begin(), steps.end(), std::back_inserter(list),
                       [](const CountStep& step) { return to_string(step); });
        return list;
    };
    Json bottoms = Json::array();
    for (std::size_t size = 0; size < map.sizes.size(); ++size) {
        bottoms.push_back(at.bottom(size));
    }
    const Json grid = {{"lefts", at.lefts()},       {"bottoms", bottoms},
                       {"width", at.field_width},   {"height", at.field_height},
                       {"nodes", names(map.nodes)}, {"ppn", names(map.ppn)},
                       {"bytes", map.sizes},        {"mapping", to_string(map.mapping)}};
    return fmt::format("data-kind=\"layouts\" data-grid=\"{}\"", escaped(grid.dump()));
}

}  // namespace

Figure draw_layout_map(const LayoutMap& map) {
    const MapGeometry at(map);
    const double bottom = at.bottom(map.sizes.size() - 1);
    Plot plot(fmt::format("{} on {}: which rule on which layout{}", map.collective, map.network,
                          mapping_with(", ", map)),
              figure_width, bottom + 32, {map_left, at.lefts()[1] + at.width(), at.top(0), bottom});
    const std::map<int, Blocks> blocks = blocks_of(map, look_of);
    draw_captions(plot.drawing, map, at);
    draw_axes(plot.drawing, map, at);
    draw_fields(plot, map, at, blocks);
    plot.drawing.open("class=\"over\"");
    draw_field_lines(plot.drawing, map, at);
    draw_measured_dots(plot.drawing, map, at);
    plot.drawing.open("class=\"halo small\" text-anchor=\"middle\"");
    draw_all_texts(plot.drawing, map, at, blocks);
    plot.drawing.close();
    plot.drawing.close();
    add_map_key(plot, map, blocks);
    return plot.finish(attributes_of(map, at));
}

}  // namespace tuner::report
