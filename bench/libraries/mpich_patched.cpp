// SPDX-License-Identifier: MIT
// The patched MPICH: is asked what each position means, what a call would do, and what the last one did.
#include "mpich.hpp"
#include "mpich_device.hpp"

#if __has_include(<mpix_coll.h>)
#include <mpix_coll.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace bench {

namespace {

constexpr const char* enable_variable = "MPIR_CVAR_COLL_TUNING_ENABLE";

// Some chunks have -1 for what 0 says as well: one chunk
int in_range(const MPIX_Coll_param_t& parameter) {
    return std::clamp(parameter.value, parameter.min, parameter.max);
}

class Query {
  public:
    Query(MPI_Comm comm, const MPIX_Coll_layout_t* layout) {
        if (MPIX_Coll_query_create(comm, layout, &query_) != MPI_SUCCESS) {
            throw std::runtime_error("MPIX_Coll_query_create failed");
        }
    }
    ~Query() { MPIX_Coll_query_free(&query_); }
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;

    // `device`: what it composes the call of
    MPIX_Coll_choice_t ask(const PlannedCall& call, MPIX_Coll_choice_t* device = nullptr) const {
        const MPIX_Coll_call_t question = {
            MPIX_Coll_query_collective(call.pattern->name.c_str()), static_cast<MPI_Aint>(call.count),
            call.elements->datatype, call.elements->operation, call.in_place ? MPIX_COLL_CALL_IN_PLACE : 0};
        MPIX_Coll_choice_t choice = {};
        MPIX_Coll_query_call(query_, &question, device, &choice);
        return choice;
    }

  private:
    MPIX_Coll_query_t* query_ = nullptr;
};

class PatchedMpich : public Mpich {
  public:
    explicit PatchedMpich(MPI_Comm comm)
        : Mpich(comm),
          query_(comm, nullptr),
          tuning_(enable_variable),
          default_is_tuned_(std::getenv(enable_variable) != nullptr && tuning_.read() != 0) {
        if (MpichDevice::is_here()) {
            device_.emplace(comm);
        }
    }

    std::string version() const override { return version_line() + "; changeover patches"; }

    std::string tuning_file() const override {
        const char* file = std::getenv("MPIR_CVAR_COLL_TUNING_FILE");
        return file && std::string(file) != "none" ? file : "";
    }

    std::vector<std::string> algorithms(const Pattern& pattern) override {
        std::vector<std::string> names = Mpich::algorithms(pattern);
        if (device_) {
            const std::vector<std::string> composed = device_->algorithms(pattern);
            names.insert(names.end(), composed.begin(), composed.end());
        }
        return names;
    }

    std::optional<std::string> refusal(const PlannedCall& call, const std::string& algorithm) override {
        if (is_composed(algorithm)) {
            return refusal_of_layers(call, algorithm);
        }
        if (algorithm == tuned_algorithm) {
            return tuning_file().empty() ? std::optional<std::string>(
                                               "there is no tuning file; name one with "
                                               "MPIR_CVAR_COLL_TUNING_FILE")
                                         : std::nullopt;
        }
        return Mpich::refusal(call, algorithm);
    }

    // All other algorithms are without the file, also where one calls another inside; the default, and
    // mock-ups, which are made of it, have it in a job that turns the file on by name
    MPI_Comm choose(const Pattern& pattern, const std::string& algorithm) override {
        const bool tuned = algorithm == tuned_algorithm;
        const bool composed = is_composed(algorithm);
        tuning_.write(tuned || (default_is_tuned_ && algorithm == default_algorithm) ? 1 : 0);
        if (device_) {
            device_->choose_none();
        }
        const MPI_Comm comm = Mpich::choose(pattern, tuned || composed ? default_algorithm : algorithm);
        if (device_ && tuned) {
            device_->tell_all();
        }
        if (composed) {
            choose_layers(pattern, models::parse_device_layers(algorithm));
        }
        return comm;
    }

    std::string canonical(const Pattern& pattern, const std::string& algorithm) override {
        return is_composed(algorithm)
                   ? models::to_string(with_library_values(pattern, models::parse_device_layers(algorithm)))
                   : Mpich::canonical(pattern, algorithm);
    }

    std::string last_used(const Pattern& pattern) const override {
        const int collective = MPIX_Coll_query_collective(pattern.name.c_str());
        MPIX_Coll_choice_t choice = {};
        MPIX_Coll_query_last(comm(), collective, &choice);
        if (choice.algorithm == nullptr) {
            return "none";
        }
        if (auto layers = device_ ? device_->last_used(pattern, choice.algorithm) : std::nullopt) {
            add_last_parameters(pattern, *layers);
            return models::to_string(*layers);
        }
        std::map<std::string, int> values;
        MPIX_Coll_param_t parameter = {};
        for (int i = 0; MPIX_Coll_query_last_param(comm(), collective, i, &parameter) == MPI_SUCCESS; ++i) {
            values[parameter.name] = in_range(parameter);
        }
        return parameters().name_with(choice.algorithm, short_name(choice.algorithm), values);
    }

  private:
    bool is_composed(const std::string& algorithm) const { return device_ && models::has_layers(algorithm); }

    std::optional<std::string> refusal_of_layers(const PlannedCall& call, const std::string& algorithm) {
        try {
            const models::DeviceLayers layers = models::parse_device_layers(algorithm);
            if (const auto problem = device_->problem_with(call, layers)) {
                return problem;
            }
            if (call.count == 0 && call.pattern->has_message) {
                return "an empty message is not sent: no algorithm runs";
            }
            for (const std::string& function : functions_in_node(*call.pattern, layers)) {
                if (const auto problem = parameters().refusal(function, parameters_of(layers), call)) {
                    return problem;
                }
            }
            if (const auto problem = refusal_between_nodes(call, layers)) {
                return problem;
            }
            return would_compose(call, layers)
                       ? std::nullopt
                       : std::optional<std::string>("a precondition of the composition fails for this call");
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
    }

    // An algorithm that was chosen before may have turned the device off
    bool would_compose(const PlannedCall& call, const models::DeviceLayers& layers) {
        const Switch& s = switch_of(*call.pattern);
        const int before = s.device.read();
        s.device.write(s.device_default);
        device_->choose(*call.pattern, layers);
        MPIX_Coll_choice_t device = {};
        query_.ask(call, &device);
        device_->choose_none();
        s.device.write(before);
        return device.source == MPIX_COLL_SOURCE_FORCED;
    }

    // Of the library, for the ways inside of nodes that have parameters
    static std::vector<std::string> functions_in_node(const Pattern& pattern,
                                                      const models::DeviceLayers& layers) {
        std::vector<std::string> functions;
        if (layers.in_node == models::release_gather) {
            for (const char* part : models::find_composition(pattern.name, layers.composition)->in_node) {
                functions.push_back("MPIDI_POSIX_mpi_" + std::string(part) + "_release_gather");
            }
        }
        return functions;
    }

    // As each part of the last call has used them
    void add_last_parameters(const Pattern& pattern, models::DeviceLayers& used) const {
        if (used.in_node != models::release_gather) {
            return;
        }
        const models::Composition& composition = *models::find_composition(pattern.name, used.composition);
        for (const std::string& key : device_->told_parameters()) {
            std::string value;
            for (const char* part : composition.in_node) {
                const std::string of_part = device_->last_parameter(composition, part, key, parameters());
                if (!of_part.empty()) {
                    value = value.empty() || value == of_part ? of_part : "several";
                }
            }
            if (value.empty()) {  // this rank is alone on its node, and cannot say
                value = chosen_value(pattern, key);
            }
            if (!value.empty()) {
                used.parameters.emplace_back(key, value);
            }
        }
    }

    // As the library writes it; empty: it was not chosen
    std::string chosen_value(const Pattern& pattern, const std::string& key) const {
        if (!device_->chosen()) {
            return "";
        }
        const models::DeviceLayers chosen = with_library_values(pattern, *device_->chosen());
        const auto found = std::find_if(chosen.parameters.begin(), chosen.parameters.end(),
                                        [&](const auto& parameter) { return parameter.first == key; });
        return found == chosen.parameters.end() ? "" : found->second;
    }

    static models::AlgorithmName parameters_of(const models::DeviceLayers& layers) {
        models::AlgorithmName name(layers.in_node);
        name.parameters = layers.parameters;
        return name;
    }

    // As the library writes the values
    models::DeviceLayers with_library_values(const Pattern& pattern, models::DeviceLayers layers) const {
        for (const std::string& function : functions_in_node(pattern, layers)) {
            for (auto& [key, text] : layers.parameters) {
                text = parameters().value_text(function, key, text).value_or(text);
            }
        }
        return layers;
    }

    // Asked as for a communicator with one rank on each node
    std::optional<std::string> refusal_between_nodes(const PlannedCall& call,
                                                     const models::DeviceLayers& layers) {
        if (layers.between.empty()) {
            return std::nullopt;
        }
        const Switch& s = switch_of(*call.pattern);
        const int nodes = device_->nodes().nodes;
        if (nodes < 2 || !s.positions.contains(layers.between)) {
            return nodes < 2 ? "there is one node: nothing is sent between nodes"
                             : "there is no algorithm '" + layers.between + "' between nodes";
        }
        const MPIX_Coll_layout_t roots = {nodes, 0, 0, 0};
        s.variable.write(s.positions.at(layers.between));
        const MPIX_Coll_choice_t choice = Query(comm(), &roots).ask(call);
        s.variable.write(0);
        return choice.source == MPIX_COLL_SOURCE_FORCED
                   ? std::nullopt
                   : std::optional<std::string>("a precondition of " + layers.between +
                                                " fails between the nodes");
    }

    void choose_layers(const Pattern& pattern, const models::DeviceLayers& layers) {
        if (!layers.between.empty()) {
            const Switch& s = switch_of(pattern);
            s.variable.write(s.positions.at(layers.between));
        }
        device_->choose(pattern, layers);
        for (const std::string& function : functions_in_node(pattern, layers)) {
            parameters().choose_also(function, parameters_of(layers));
        }
    }

    std::optional<std::string> failed_precondition(const PlannedCall& call, const std::string& algorithm,
                                                   const Switch& s) override {
        s.variable.write(s.positions.at(algorithm));
        const MPIX_Coll_choice_t choice = query_.ask(call);
        s.variable.write(0);
        if (choice.source == MPIX_COLL_SOURCE_FORCED) {
            return std::nullopt;
        }
        return "a precondition fails for this call; MPICH would run " + short_name(choice.algorithm) +
               " instead";
    }

    // Every algorithm is legal for one of these: a power of two of ranks, alone on their nodes or not, in
    // place or not
    std::map<std::string, int> find_positions(const Pattern& pattern,
                                              const ControlVariable& variable) override {
        const MPIX_Coll_layout_t layouts[] = {{8, 0, 0, 0}, {8, 0, 4, 0}};
        constexpr int more_than_there_are = 40;
        std::map<std::string, int> positions;
        for (const MPIX_Coll_layout_t& layout : layouts) {
            const Query query(comm(), &layout);
            for (const bool in_place : {false, true}) {
                const PlannedCall call = {&pattern, &find_elements("byte", "sum"), 1024, in_place};
                for (int position = 0; position < more_than_there_are; ++position) {
                    variable.write(position);
                    const MPIX_Coll_choice_t choice = query.ask(call);
                    if (choice.source == MPIX_COLL_SOURCE_FORCED) {
                        const std::string name = short_name(choice.algorithm);
                        positions[name] = position;
                        functions_[{pattern.name, name}] = choice.algorithm;
                    }
                }
            }
        }
        variable.write(0);
        return positions;
    }

    std::vector<MpichParameter> read_parameters(const std::string& function) override {
        std::vector<MpichParameter> parameters;
        MPIX_Coll_param_t parameter = {};
        for (int i = 0; MPIX_Coll_query_param(function.c_str(), i, &parameter) == MPI_SUCCESS; ++i) {
            MpichParameter& added = parameters.emplace_back(
                MpichParameter{parameter.name, in_range(parameter), parameter.min, parameter.max});
            for (int value = parameter.min; parameter.value_names != nullptr && value <= parameter.max;
                 ++value) {
                added.value_names.emplace_back(parameter.value_names[value - parameter.min]);
            }
        }
        return parameters;
    }

    void write_parameter(const std::string& function, const std::string& name, int value) override {
        if (MPIX_Coll_set_param(function.c_str(), name.c_str(), value) != MPI_SUCCESS) {
            throw std::runtime_error("MPIX_Coll_set_param failed for " + name + " of " + function);
        }
    }

    // As the library calls it
    std::string function_of(const Pattern& pattern, const std::string& algorithm) override {
        switch_of(pattern);  // finds them
        const auto found = functions_.find({pattern.name, algorithm});
        return found == functions_.end() ? std::string() : found->second;
    }

    Query query_;
    ControlVariable tuning_;
    bool default_is_tuned_;
    std::optional<MpichDevice> device_;                                     // none: it composes nothing
    std::map<std::pair<std::string, std::string>, std::string> functions_;  // by pattern and short name
};

}  // namespace

extern const Backend mpich_patched;
const Backend mpich_patched = {
    .is_here = [] { return true; },
    .make = [](MPI_Comm comm) -> std::unique_ptr<Library> { return std::make_unique<PatchedMpich>(comm); },
};

}  // namespace bench

#else

namespace bench {

extern const Backend mpich_patched;
const Backend mpich_patched = {.is_here = [] { return false; }, .make = nullptr};

}  // namespace bench

#endif
