// SPDX-License-Identifier: MIT
// Templates of launchers: what becomes of placeholders, every mistake, and a real launcher described by one.
#include "launcher_template.hpp"

#include <gtest/gtest.h>

#include "cluster_file.hpp"
#include "error.hpp"
#include "process.hpp"

namespace {

using namespace tuner;

const std::string good_template = R"({
    "hosts": [{"name": "n[1-2]", "slots": 2}],
    "launcher": {"kind": "template", "program": "run",
                 "arguments": ["-w", "{hosts}", "-n{ranks}/{ppn}", "{environment}", "{network}", "{program}", "{}"],
                 "round_robin_arguments": ["{host_slots}", "{nodes}", "{network}", "{program}"],
                 "environment_arguments": ["-x", "{name}"]},
    "networks": [{"name": "a", "environment": {"A": "1"}, "launcher_arguments": ["-v", "-v"]}, {"name": "b"}],
    "layouts": [{"nodes": 2, "ppn": 2}, {"nodes": 2, "ppn": 2, "mapping": "round-robin"}]
})";

Cluster cluster_with_template(const std::string& text) {
    return cluster_from(CheckedJson::parse(text, "c.json"));
}

TEST(LauncherTemplate, FillsInPlaceholders) {
    const Cluster cluster = cluster_with_template(good_template);
    const auto line = [&](std::size_t network, std::size_t layout) {
        return to_shell(
            launch_command(cluster, cluster.networks[network], cluster.layouts[layout], {"/b", "-s"}));
    };
    EXPECT_EQ(line(0, 0), "A=1 run -w n1,n2 -n4/2 -x A -x CHANGEOVER_JOB -v -v /b -s '{}'");
    EXPECT_EQ(line(1, 0), "run -w n1,n2 -n4/2 -x CHANGEOVER_JOB /b -s '{}'");
    EXPECT_EQ(line(1, 1), "run n1:2,n2:2 2 /b -s");
    EXPECT_EQ(cluster_from(CheckedJson(to_json(cluster), "manifest.json")), cluster);
}

TEST(LauncherTemplate, StartsFewerRanksOnTheLastNode) {
    Json json = Json::parse(good_template);
    json["layouts"] = {{{"nodes", 2}, {"ppn", 2}, {"ranks", 3}},
                       {{"nodes", 2}, {"ppn", 2}, {"ranks", 3}, {"mapping", "round-robin"}}};
    const Cluster cluster = cluster_with_template(json.dump());
    const auto line = [&](std::size_t layout) {
        return to_shell(launch_command(cluster, cluster.networks[1], cluster.layouts[layout], {"/b"}));
    };
    EXPECT_EQ(line(0), "run -w n1,n2 -n3/2 -x CHANGEOVER_JOB /b '{}'");
    EXPECT_EQ(line(1), "run n1:2,n2:1 2 /b");
    EXPECT_EQ(cluster_from(CheckedJson(to_json(cluster), "manifest.json")), cluster);
}

TEST(LauncherTemplate, NamesEveryMistake) {
    struct Mistake {
        const char* pointer;
        Json value;
        const char* message;
    };
    const Json no_rr = {
        {"kind", "template"}, {"program", "run"}, {"arguments", {"{host_slots}", "{network}", "{program}"}}};
    const Json uneven = Json::array({Json{{"nodes", 2}, {"ppn", 2}, {"ranks", 3}}});
    const Mistake mistakes[] = {
        {"/launcher/arguments/1", "{host}",
         "launcher.arguments[1]: '{host}' is not a placeholder; did you mean '{hosts}'?"},
        {"/launcher/arguments/1", "n1",
         "launcher.arguments: no argument says where to start ranks; use {hosts}"},
        {"/launcher/arguments/2", "-v", "launcher.arguments: no argument says how many ranks to start"},
        {"/launcher/arguments/5", "-v", "launcher.arguments: \"{program}\" must appear exactly once"},
        {"/launcher/arguments/0", "{program}", "\"{program}\" must appear exactly once"},
        {"/launcher/arguments/5", "x{program}",
         "launcher.arguments[5]: '{program}' stands for several arguments"},
        {"/launcher/arguments/3", "-v", "\"{environment}\" among the arguments and the key"},
        {"/launcher/arguments/4", "-w", "the network a has launcher_arguments; say where they belong"},
        {"/launcher/environment_arguments/1", "{ranks}", "'{ranks}' is not a placeholder"},
        {"/launcher/environment_arguments/1", "A", "\"{name}\" is missing"},
        {"/launcher/arguments", "run", "launcher.arguments: expected a list"},
        {"/launcher/args", 1, "launcher: there is no key 'args'"},
        {"/launcher", no_rr, "the layout 2x2 round-robin needs the key \"round_robin_arguments\""},
        {"/layouts", uneven, "launcher: the layout 2x2-1 has fewer ranks on its last node; use {host_slots}"},
        {"/launcher", {{"kind", "template"}, {"program", "run"}}, "launcher: the key 'arguments' is missing"},
        {"/launcher", {{"kind", "template"}}, "launcher: the key 'program' is missing"},
    };
    for (const Mistake& mistake : mistakes) {
        Json json = Json::parse(good_template);
        if (mistake.value == uneven) {
            json["launcher"]["arguments"][2] = "-N{ppn}";  // as many on each node
        }
        json[Json::json_pointer(mistake.pointer)] = mistake.value;
        try {
            cluster_with_template(json.dump());
            ADD_FAILURE() << mistake.pointer << " = " << mistake.value << " was accepted";
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            EXPECT_NE(std::string(error.what()).find(mistake.message), std::string::npos)
                << mistake.pointer << " = " << mistake.value << ": " << error.what();
        }
    }
}

TEST(LauncherTemplate, StartsJobsWithARealLauncher) {
    Json json = Json::parse(good_template);
    json["launcher"] = {
        {"kind", "template"},
        {"program", MPIEXEC},
        {"arguments", {"-launcher", "fork", "-hosts", "{host_slots}", "-n", "{ranks}", "{program}"}}};
    json.erase("networks");
    json["layouts"].erase(1);
    const Cluster cluster = cluster_with_template(json.dump());
    Process process(launch_command(cluster, cluster.networks[0], cluster.layouts[0],
                                   {"/bin/sh", "-c", "echo $PMI_SIZE $CHANGEOVER_JOB"}),
                    new_token());
    int ranks = 0;
    for (std::string line; process.read_line(line, in_seconds(30)) == Process::Read::line; ++ranks) {
        EXPECT_EQ(line, "4 " + process.token());
    }
    EXPECT_EQ(ranks, 4);
}

}  // namespace
