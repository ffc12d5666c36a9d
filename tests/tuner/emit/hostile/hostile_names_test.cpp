// SPDX-License-Identifier: MIT
// Every format with names, paths and notes that would like to be code, whatever reading a configuration would
// have refused: the emitted files are executed by real interpreters, and say what harmless names say.
#include <functional>

#include "command.hpp"
#include "emit.hpp"
#include "emitted_text.hpp"
#include "error.hpp"
#include "hostile_texts.hpp"
#include "real_interpreters.hpp"

namespace {

using namespace tuner;

constexpr const char* checked_variable =
    "MPIR_CVAR_ALLGATHER_LONG_MSG_SIZE";  // of the layout 4x1 in example_config
const Layout flat_layout{4, 1};

class HostileNames : public Interpreters {};

// Names come from JSON, which is UTF-8; paths may be anything.
std::string name_of(const std::string& text) {
    return is_not_utf8(text) ? "harmless" : text;
}

// The text wherever a configuration has room for one, beside rules that are in order
Config config_full_of(const std::string& text) {
    Config config = example_config();
    config.created = config.run = config.library = text;
    config.fingerprint = {{"machine", text}, {text, text}};
    config.notes = {text};
    Rule rule = example_rule(flat_layout, name_of(text), 1, 100, "binomial");
    rule.operation = rule.basis = name_of(text);
    config.rules.push_back(rule);
    config.rules.push_back(example_rule(flat_layout, "reduce", 1, 100, name_of(text)));
    for (Rule& each : config.rules) {
        each.network = name_of(text);
    }
    return config;
}

std::string lines_without_comments(const std::string& text) {
    std::istringstream lines(text);
    std::string rest;
    for (std::string line; std::getline(lines, line);) {
        line = line.substr(0, line.find('#'));
        if (line.find_first_not_of(' ') != std::string::npos) {
            rest += line + "\n";
        }
    }
    return rest;
}

TEST_F(HostileNames, EnvSetsThresholdsAndNothingElse) {
    const std::string wanted =
        lines_without_comments(emit_env(config_full_of("harmless"), {"", flat_layout}));
    ASSERT_TRUE(contains(wanted, std::string("export ") + checked_variable + "=19997\n"));
    Texts emitted;
    for (const std::string& text : hostile_texts()) {
        emitted.push_back(emit_env(config_full_of(text), {"", flat_layout}));
        EXPECT_EQ(lines_without_comments(emitted.back()), wanted);
    }
    EXPECT_EQ(source_in_sh(emitted, checked_variable), Texts(emitted.size(), "19997"));
}

TEST_F(HostileNames, ModuleSetsThresholdsAndNothingElse) {
    const std::string wanted =
        lines_without_comments(emit_module(config_full_of("harmless"), {"", flat_layout}));
    Texts emitted;
    for (const std::string& text : hostile_texts()) {
        emitted.push_back(emit_module(config_full_of(text), {"", flat_layout}));
        EXPECT_EQ(lines_without_comments(emitted.back()), wanted);
    }
    EXPECT_EQ(load_in_tcl(emitted, checked_variable, "C.UTF-8"), Texts(emitted.size(), "19997"));
}

// The names of network and files come back as they were
TEST_F(HostileNames, ModuleGivesNetworkAndFileBack) {
    Texts networks;
    Texts files;
    Texts with_tuning_file;
    Texts with_selection_file;
    for (const std::string& text : hostile_texts()) {
        if (text.find('/') != std::string::npos) {
            continue;  // a folder that is not there
        }
        const std::string file = (folder / (text + ".json")).string();
        if (is_not_utf8(text)) {
            EXPECT_THROW(emit_module(example_config(), {"", {}, "", false, file}), Error);
            continue;
        }
        std::ofstream(file) << "{}";
        networks.push_back(text);
        files.push_back(file);
        with_tuning_file.push_back(emit_module(config_full_of(text), {text, {}, "", false, file}));
        with_selection_file.push_back(emit_module(config_full_of(text), {"", {}, file}));
    }
    EXPECT_GE(files.size(), 30U);
    for (const char* locale : {"C", "C.UTF-8"}) {
        EXPECT_EQ(load_in_tcl(with_tuning_file, "MPIR_CVAR_COLL_TUNING_FILE", locale), files);
        EXPECT_EQ(load_in_tcl(with_tuning_file, "MPIR_CVAR_COLL_TUNING_NETWORK", locale), networks);
        EXPECT_EQ(load_in_tcl(with_selection_file, "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", locale),
                  files);
    }
}

TEST_F(HostileNames, JsonIsJson) {
    for (const std::string& text : hostile_texts()) {
        const Config config = config_full_of(text);
        const std::string stock = emit_mpich_stock(config, {});
        EXPECT_EQ(stock.find("*/"), stock.find("*/\n{")) << "the comment ends where the tree begins";
        Json tree;
        EXPECT_NO_THROW(tree = Json::parse(stock, nullptr, true, true)) << stock.substr(0, 2000);
        EXPECT_EQ(tree.dump().find("canary"), std::string::npos);
        const Json file = Json::parse(emit_mpich(config, {}));
        EXPECT_EQ(file.at("mpir").size(), config.rules.size());
        EXPECT_EQ(file.at("mpir").at(0).at("network"), name_of(text));
        EXPECT_EQ(file.at("networks"), (Json{{name_of(text), Json::object()}}));
    }
    Config config = example_config();
    config.rules[0].network = "\xff";
    EXPECT_THROW(emit_mpich(config, {}), Error);
}

TEST_F(HostileNames, OpenMpiReadsNumbersOnly) {
    const auto emitted = [](const std::string& text) {
        Config config = config_full_of(text);
        config.algorithm_values = {{"bcast", {{name_of(text), 3}}}};
        config.rules.push_back(example_rule(flat_layout, "bcast", 1, 19999, name_of(text)));
        config.rules.back().network = name_of(text);
        return emit_openmpi(config, {"", flat_layout});
    };
    const std::string wanted = lines_without_comments(emitted("harmless"));
    ASSERT_EQ(wanted.find_first_not_of("0123456789 \n"), std::string::npos) << wanted;
    for (const std::string& text : hostile_texts()) {
        EXPECT_EQ(lines_without_comments(emitted(text)), wanted);
    }
}

TEST_F(HostileNames, OpenMpiParametersAreTwoLines) {
    for (const std::string& text : hostile_texts()) {
        try {
            const std::string emitted =
                emit_openmpi_params(config_full_of(text), {"", {}, "/rules/" + text + ".conf"});
            const std::size_t second = emitted.find("\ncoll_tuned_dynamic_rules_filename = ");
            EXPECT_EQ(emitted.substr(second),
                      "\ncoll_tuned_dynamic_rules_filename = /rules/" + text + ".conf\n");
            EXPECT_EQ(lines_with(emitted, "\n"), lines_with(emitted, "\n#") + 3) << emitted;
        } catch (const Error& error) {
            EXPECT_TRUE(contains(error.what(), "cannot be put into a parameter file"));
        }
    }
}

}  // namespace
