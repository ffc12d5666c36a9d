// SPDX-License-Identifier: MIT
#include "mpich_parameters.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "sizes.hpp"

namespace bench {

namespace {

constexpr const char* chunk_size = "chunk_size";
constexpr const char* tree_type = "tree_type";

// What `algorithms` offers; any other value can be asked for by name
constexpr std::array offered_ks = {2, 4, 8};
constexpr std::array offered_trees = {"kary", "knomial_1"};  // knomial_2 has the same shape as knomial_1
constexpr std::array offered_chunks = {"16Ki", "64Ki"};

std::string text_of(const MpichParameter& parameter, int value) {
    if (!parameter.value_names.empty()) {
        return parameter.value_names[static_cast<std::size_t>(value - parameter.min)];
    }
    const auto bytes = static_cast<std::size_t>(value);
    return parameter.name.ends_with("_size") && parameter.name != "batch_size" ? models::size_text(bytes)
                                                                               : std::to_string(value);
}

// Nothing: it is not possible
std::optional<int> value_of(const MpichParameter& parameter, const std::string& text) {
    if (!parameter.value_names.empty()) {
        for (int value = parameter.min; value <= parameter.max; ++value) {
            if (text == parameter.value_names[static_cast<std::size_t>(value - parameter.min)]) {
                return value;
            }
        }
        return std::nullopt;
    }
    try {
        const std::size_t number = models::parse_size(text);
        const bool is_possible = number >= static_cast<std::size_t>(parameter.min) &&
                                 number <= static_cast<std::size_t>(parameter.max);
        return is_possible ? std::optional(static_cast<int>(number)) : std::nullopt;
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
}

std::string possible_values(const MpichParameter& parameter) {
    if (parameter.value_names.empty()) {
        return "from " + std::to_string(parameter.min) +
               (parameter.max < 1000 ? " to " + std::to_string(parameter.max) : " upwards");
    }
    std::string names;
    for (int value = parameter.min; value <= parameter.max; ++value) {
        names += (names.empty() ? "" : ", ") +
                 parameter.value_names[static_cast<std::size_t>(value - parameter.min)];
    }
    return "one of " + names;
}

const MpichParameter* find(const std::vector<MpichParameter>& parameters, const std::string& name) {
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const MpichParameter& p) { return name == p.name; });
    return found == parameters.end() ? nullptr : &*found;
}

std::string suffix(const MpichParameter& parameter, int value) {
    return value == parameter.value ? "" : ":" + parameter.name + "=" + text_of(parameter, value);
}

}  // namespace

const std::vector<MpichParameter>& MpichParameters::parameters_of(const std::string& function) {
    if (const auto found = known_.find(function); found != known_.end()) {
        return found->second;
    }
    // some algorithms share a variable, which must be as in the beginning
    const auto chosen = chosen_;
    choose_none();
    std::vector<MpichParameter>& parameters = known_[function] = source_.read_parameters(function);
    for (const auto& [other, name] : chosen) {
        choose_also(other, name);
    }
    return parameters;
}

std::vector<std::string> MpichParameters::variants(const std::string& function, const std::string& algorithm,
                                                   int ranks) {
    const std::vector<MpichParameter>& parameters = parameters_of(function);
    std::vector<std::string> names = {algorithm};
    const auto add = [&](const std::string& name) {
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            names.push_back(name);
        }
    };
    const MpichParameter* k = find(parameters, "k");
    const MpichParameter* tree = find(parameters, tree_type);
    std::vector<std::string> kinds = {algorithm};
    if (tree != nullptr) {
        kinds.clear();
        for (const char* name : offered_trees) {
            kinds.push_back(algorithm + suffix(*tree, *value_of(*tree, name)));
        }
    }
    for (const std::string& kind : kinds) {
        add(kind);
        for (const int value : offered_ks) {
            if (k != nullptr && value <= ranks) {
                add(kind + suffix(*k, value));
            }
        }
    }
    // a pipeline is for messages that are long: it wants few children, not many
    if (const MpichParameter* chunk = find(parameters, chunk_size)) {
        for (const char* value : offered_chunks) {
            add(algorithm + suffix(*chunk, *value_of(*chunk, value)));
        }
    }
    return names;
}

std::optional<std::string> MpichParameters::refusal(const std::string& function,
                                                    const models::AlgorithmName& name,
                                                    const PlannedCall& call) {
    const std::vector<MpichParameter>& parameters = parameters_of(function);
    const std::size_t bytes = call.count * call.elements->size;
    const bool commutes = std::string(call.elements->operation_name) != "ordered";
    for (const auto& [key, text] : name.parameters) {
        const MpichParameter* parameter = find(parameters, key);
        if (parameter == nullptr) {
            std::string known;
            for (const MpichParameter& p : parameters) {
                known += (known.empty() ? "" : ", ") + p.name;
            }
            return "there is no parameter '" + key + "'; " + name.algorithm +
                   (known.empty() ? " has none" : " has: " + known);
        }
        const std::optional<int> value = value_of(*parameter, text);
        if (!value) {
            return key + ": expected " + possible_values(*parameter) + ", got '" + text + "'";
        }
        if (key == chunk_size && *value > 0) {
            if (bytes <= static_cast<std::size_t>(*value)) {
                return "the message is not longer than a chunk: it would be sent in one piece";
            }
            if (static_cast<std::size_t>(*value) < call.elements->size) {
                return "a chunk is smaller than an element";
            }
        }
    }
    const MpichParameter* tree = find(parameters, tree_type);
    if (tree == nullptr || !call.pattern->combines || commutes) {
        return std::nullopt;
    }
    const auto named = std::find_if(name.parameters.begin(), name.parameters.end(),
                                    [](const auto& parameter) { return parameter.first == tree_type; });
    const std::string kind = named == name.parameters.end() ? text_of(*tree, tree->value) : named->second;
    if (kind != "knomial_1") {
        return "for operations that do not commute, MPICH uses tree_type=knomial_1; name it explicitly";
    }
    return std::nullopt;
}

void MpichParameters::choose_none() {
    const auto chosen = std::exchange(chosen_, {});
    for (const auto& [function, name] : chosen) {
        for (const auto& [key, text] : name.parameters) {
            source_.write_parameter(function, key, find(parameters_of(function), key)->value);
        }
    }
}

void MpichParameters::choose(const std::string& function, const models::AlgorithmName& name) {
    choose_none();
    choose_also(function, name);
}

void MpichParameters::choose_also(const std::string& function, const models::AlgorithmName& name) {
    const std::vector<MpichParameter>& parameters = parameters_of(function);
    chosen_.emplace_back(function, name);
    for (const auto& [key, text] : name.parameters) {
        source_.write_parameter(function, key, *value_of(*find(parameters, key), text));
    }
}

std::optional<std::string> MpichParameters::value_text(const std::string& function,
                                                       const std::string& parameter,
                                                       const std::string& value) {
    const MpichParameter* found = find(parameters_of(function), parameter);
    const std::optional<int> number = found == nullptr ? std::nullopt : value_of(*found, value);
    return number ? std::optional(text_of(*found, *number)) : std::nullopt;
}

std::optional<std::string> MpichParameters::value_text(const std::string& function,
                                                       const std::string& parameter, int value) {
    const MpichParameter* found = find(parameters_of(function), parameter);
    return found == nullptr ? std::nullopt : std::optional(text_of(*found, value));
}

std::string MpichParameters::canonical(const std::string& function, const models::AlgorithmName& name) {
    std::string result = name.algorithm;
    for (const MpichParameter& parameter : parameters_of(function)) {
        for (const auto& [key, text] : name.parameters) {
            if (key == parameter.name) {
                result += suffix(parameter, value_of(parameter, text).value_or(parameter.value));
            }
        }
    }
    return result;
}

std::string MpichParameters::name_with(const std::string& function, const std::string& algorithm,
                                       const std::map<std::string, int>& values) {
    std::string result = algorithm;
    for (const MpichParameter& parameter : parameters_of(function)) {
        if (const auto found = values.find(parameter.name); found != values.end()) {
            result += suffix(parameter, found->second);
        }
    }
    return result;
}

}  // namespace bench
