// SPDX-License-Identifier: MIT
#include "options.hpp"

#include <map>
#include <stdexcept>

#include "sizes.hpp"

namespace bench {

namespace {

const std::map<std::string, StartMode> starts = {{"auto", StartMode::automatic},
                                                 {"window", StartMode::window},
                                                 {"barrier", StartMode::barrier},
                                                 {"dissemination", StartMode::dissemination}};
const std::map<std::string, Metric> metrics = {
    {"last", Metric::last_finish}, {"root", Metric::root}, {"mean", Metric::mean}, {"median", Metric::median},
    {"min", Metric::min},          {"max", Metric::max},   {"span", Metric::span}};
const std::map<std::string, Order> orders = {{"random", Order::random}, {"pairs", Order::pairs}};

// How an option of the table is added; `member` names the variable that it sets
using Add = CLI::Option*(CLI::App& app, const char* name, Options& options, const char* help);

template <auto member>
CLI::Option* flag(CLI::App& app, const char* name, Options& options, const char* help) {
    return app.add_flag(name, member(options), help);
}

template <auto member>
CLI::Option* value(CLI::App& app, const char* name, Options& options, const char* help) {
    return app.add_option(name, member(options), help)->capture_default_str();
}

template <auto member>
CLI::Option* without_default(CLI::App& app, const char* name, Options& options, const char* help) {
    return app.add_option(name, member(options), help);
}

template <auto member>
CLI::Option* list(CLI::App& app, const char* name, Options& options, const char* help) {
    CLI::Option* option =
        app.add_option(name, member(options), help)->delimiter(',')->allow_extra_args(false);
    return member(options).empty() ? option : option->capture_default_str();
}

template <auto member, const auto& names>
CLI::Option* choice(CLI::App& app, const char* name, Options& options, const char* help) {
    // without the numbers of the enumerators in the help
    return app.add_option(name, member(options), help)
        ->transform(CLI::CheckedTransformer(names).description(""))
        ->type_name("TEXT");
}

struct Row {
    const char* group;
    const char* name;
    Add* add;
    const char* help;
};

constexpr const char* what = "What to measure";
constexpr const char* overlap = "Overlap with computation";
constexpr const char* how_long = "When to stop";
constexpr const char* how = "How to measure";
constexpr const char* output = "Output";

#define MEMBER(path)           \
    [](Options & o) -> auto& { \
        return o.path;         \
    }

// clang-format off
constexpr Row rows[] = {
    {what, "--sizes", value<MEMBER(sizes)>,
     "message sizes: 64, 4Ki, a comma-separated list, or a range 1Ki:512Ki:x2"},
    {what, "--algorithms", list<MEMBER(algorithms)>,
     "comma-separated algorithms; all, default (the library's own choice), tuned (its choice with the job's "
     "tuning file)"},
    {what, "--datatype", value<MEMBER(request.datatype)>, "byte, int, float or double"},
    {what, "--operation", value<MEMBER(request.operation)>,
     "sum (MPI_SUM), user (user-defined and commutative) or ordered (user-defined and not commutative)"},
    {what, "--root", value<MEMBER(root)>, "root rank, or rotate"},
    {what, "--in-place", flag<MEMBER(request.in_place)>, "use MPI_IN_PLACE"},
    {what, "--peer", without_default<MEMBER(request.peer)>,
     "exchange: rank that exchanges messages with the root"},
    {what, "--link", without_default<MEMBER(request.link)>,
     "exchange: choose the peer: within (first rank on the root's node), between (first rank on another node) "
     "or slowest (the pair with the longest round trip)"},
    {what, "--pairs", without_default<MEMBER(pairs)>,
     "exchange: several pairs at the same time: halves (rank p with p + n/2), or a file with two ranks a line"},
    {what, "--parameter", list<MEMBER(parameters)>,
     "exchange: comma-separated parameters such as messages=8,delay_us=50 (see --list)"},
    {what, "--refine", without_default<MEMBER(request.refine)>,
     "measure up to this many more sizes, where interpolation between the measured sizes is worst"},

    {overlap, "--overlap", flag<MEMBER(overlap)>,
     "nonblocking collective: measure how much of it overlaps with computation"},
    {overlap, "--scheme", list<MEMBER(schemes)>,
     "computation: time (a fixed time; shows the overhead of the calls), work (a fixed amount of work; shows "
     "everything that delays it)"},
    {overlap, "--test-interval", list<MEMBER(intervals)>,
     "comma-separated bytes between two calls of MPI_Test; 0: no call; search: find the best interval"},

    {how_long, "--precision", value<MEMBER(session.settings.precision)>,
     "stop when half the 95% confidence interval of the median is below this fraction of the median"},
    {how_long, "--trimmed-mean", flag<MEMBER(session.settings.trimmed_mean_rule)>,
     "apply --precision to the standard error of the 25% trimmed mean (rule of SKaMPI)"},
    {how_long, "--min-repetitions", value<MEMBER(session.settings.limits.min_repetitions)>,
     "minimum number of repetitions of a case"},
    {how_long, "--max-repetitions", value<MEMBER(session.settings.limits.max_repetitions)>,
     "maximum number of repetitions of a case"},
    {how_long, "--max-seconds", value<MEMBER(session.settings.limits.max_seconds)>, "maximum time of a case"},
    {how_long, "--warm-up", value<MEMBER(session.settings.warm_up)>,
     "calls before the first timed repetition (1 to 1000); two where a call takes more than 50 ms"},

    {how, "--start", choice<MEMBER(session.settings.start), starts>,
     "start of a repetition: auto (window if there is a core for each rank), window (at one moment of the "
     "global clock), barrier (MPI_Barrier) or dissemination (a barrier of the benchmark)"},
    {how, "--order", choice<MEMBER(request.order), orders>,
     "order of repetitions: random, or pairs (of two algorithms: repetition k of one is next to repetition k of "
     "the other)"},
    {how, "--calls-in-a-row", value<MEMBER(request.calls_in_a_row)>,
     "collective: calls after one common start, with nothing between; the time is that of all divided by "
     "their number"},
    {how, "--arrival", without_default<MEMBER(arrival)>,
     "collective: how ranks arrive, as PATTERN or PATTERN:WIDTH: together, one-late, one-early, ascending, "
     "descending, random, half, by-node (ranks start with delays up to WIDTH times the time of the call; "
     "default 1; times are from the last arrival) or back-to-back (10 calls in a row). Patterns joined by + "
     "take turns"},
    {how, "--arrival-from", without_default<MEMBER(request.arrival_from)>,
     "collective: ranks arrive as in calls of a recorded program; a file of `changeover trace --arrivals`"},
    {how, "--communicators", value<MEMBER(communicators)>,
     "collective: world, or what calls at the same time: rows:R or columns:C of a grid of the ranks, such as "
     "rows:2; times are from the common start to the last finish of all"},
    {how, "--metric", choice<MEMBER(session.settings.metric), metrics>,
     "time of a repetition: last (common start to last finish), root, mean, median, min, max or span"},
    {how, "--cold", flag<MEMBER(session.settings.cold_cache)>, "flush the caches before each call"},
    {how, "--clock", value<MEMBER(session.clock)>, "auto, tsc, monotonic_raw or mpi_wtime"},
    {how, "--sync", value<MEMBER(session.sync)>, "clock synchronisation: auto, tree, linear or shared"},
    {how, "--interface", without_default<MEMBER(interface)>, "network interface for MPI, such as eth1"},
    {how, "--host-suffix", without_default<MEMBER(session.host_suffix)>,
     "use the network interface with the address of the host name plus this suffix, such as -ib"},
    {how, "--seed", value<MEMBER(session.settings.seed)>, "seed for the order of repetitions"},
    {how, "--memory", without_default<MEMBER(memory)>,
     "maximum memory of a rank, such as 512Mi (default: from the memory available on the node)"},

    {output, "--format", value<MEMBER(format)>, "table, json or csv"},
    {output, "--ranks", flag<MEMBER(session.settings.keep_ranks)>,
     "also print each rank: its median finish; with json, its start and finish in every repetition"},
    {output, "--processes", without_default<MEMBER(processes)>,
     "also print the distribution of finish times of each rank (each) or of sets of ranks (0-3,8/4-7)"},
    {output, "--serve", flag<MEMBER(serve)>,
     "read requests from standard input and answer in JSON (see bench/README.md)"},
    {output, "--list", flag<MEMBER(list)>,
     "print message size, algorithms and parameters of the collective, or of all, and exit"},
    {output, "--version", flag<MEMBER(version)>,
     "print version, MPI library and the file of the library, and exit; alone, and without mpiexec"},
};
// clang-format on

int rank_from(const std::string& text) {
    std::size_t end = 0;
    const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    const int rank = is_number ? std::stoi(text, &end) : 0;
    if (!is_number || end != text.size()) {
        throw std::invalid_argument("--root: expected a rank or 'rotate', got '" + text + "'");
    }
    return rank;
}

// NAME=NUMBER
std::pair<std::string, double> parameter_from(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string number = equals == std::string::npos ? "" : text.substr(equals + 1);
    std::size_t end = 0;
    double value = 0;
    if (!number.empty() && std::string("0123456789.").find(number[0]) != std::string::npos) {
        value = std::stod(number, &end);
    }
    if (end == 0 || end != number.size()) {
        throw std::invalid_argument("--parameter: expected NAME=NUMBER such as messages=8, got '" + text +
                                    "'");
    }
    return {text.substr(0, equals), value};
}

void interpret_what(Options& o) {
    o.request.algorithms = o.algorithms;
    o.request.sizes = models::parse_sizes(o.sizes);
    if (const Pattern* pattern = find_pattern(o.request.collective); pattern && !pattern->has_message) {
        o.request.sizes = {0};
    }
    o.request.all_pairs = o.pairs == "halves";
    if (!o.pairs.empty() && !o.request.all_pairs) {
        o.request.pairs = read_pairs(o.pairs, MPI_COMM_WORLD);
    }
    if (!o.arrival.empty()) {
        o.request.arrival = models::parse_arrivals(o.arrival);
    } else if (!o.request.arrival_from.empty()) {
        o.request.arrival = models::parse_arrivals("recorded");
    }
    o.request.communicators = models::parse_communicators(o.communicators);
    o.request.rotate_root = o.root == "rotate";
    o.request.root = o.request.rotate_root ? 0 : rank_from(o.root);
    for (const std::string& text : o.parameters) {
        o.request.parameters.insert(parameter_from(text));
    }
    if (o.overlap) {
        o.request.overlap = overlap_plan(o.schemes, o.intervals);
    }
}

}  // namespace

void define(CLI::App& app, Options& options) {
    app.add_option("collective", options.request.collective,
                   "collective or exchange to measure: " + pattern_names());
    for (const Row& row : rows) {
        row.add(app, row.name, options, row.help)->group(row.group);
    }
    app.get_option("--format")->check(CLI::IsMember({"table", "json", "csv"}));
    app.get_option("--warm-up")->check(CLI::Range(1, 1000));
}

void interpret(Options& o, int argc, const char* const* argv) {
    if (o.request.collective.empty() && !o.serve && !o.list) {
        throw std::invalid_argument("name a collective or an exchange: " + pattern_names());
    }
    interpret_what(o);
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    o.process_sets = parse_process_sets(o.processes, ranks);
    o.session.memory_limit = o.memory.empty() ? 0 : models::parse_size(o.memory);
    for (int i = 0; i < argc; ++i) {
        o.session.command_line += (i ? " " : "") + std::string(argv[i]);
    }
}

}  // namespace bench
