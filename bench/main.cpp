// SPDX-License-Identifier: MIT
// changeover-bench: measures every algorithm of a collective, or messages between two ranks, in one job, on a
// synchronised clock.
#include <fmt/core.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <map>

#include "interface.hpp"
#include "output.hpp"
#include "requests.hpp"
#include "session.hpp"
#include "sizes.hpp"
#include "statistics.hpp"

namespace {

using namespace bench;

struct Options {
    Request request;
    std::string sizes = "8:1Mi:x4";
    std::string algorithms = "all";
    std::string root = "0";
    std::string pairs;
    std::vector<std::string> parameters;
    std::string interface;
    std::string format = "table";
    std::string memory;
    int refine = 0;
    bool overlap = false;
    std::vector<std::string> schemes = {"time", "work"};
    std::vector<std::string> intervals = {"0"};
    std::string processes;
    std::vector<ProcessSet> process_sets;
    bool serve = false;
    SessionOptions session;
};

const std::map<std::string, StartMode> starts = {{"auto", StartMode::automatic},
                                                 {"window", StartMode::window},
                                                 {"barrier", StartMode::barrier},
                                                 {"dissemination", StartMode::dissemination}};
const std::map<std::string, Metric> metrics = {
    {"last", Metric::last_finish}, {"root", Metric::root}, {"mean", Metric::mean}, {"median", Metric::median},
    {"min", Metric::min},          {"max", Metric::max},   {"span", Metric::span}};

void define(CLI::App& app, Options& o) {
    Settings& s = o.session.settings;
    app.add_option("collective", o.request.collective, "or exchange: one of " + pattern_names());
    app.add_option("--sizes", o.sizes, "message sizes: 64, 4Ki, a list, or a range 1Ki:512Ki:x2")
        ->group("What")
        ->capture_default_str();
    app.add_option("--algorithms", o.algorithms,
                   "all, default, tuned (by the tuning file of the job), or names; with commas")
        ->group("What")
        ->capture_default_str();
    app.add_option("--datatype", o.request.datatype, "byte, int, float or double")
        ->group("What")
        ->capture_default_str();
    app.add_option("--operation", o.request.operation, "sum, user (commutative) or ordered (not commutative)")
        ->group("What")
        ->capture_default_str();
    app.add_option("--root", o.root, "a rank, or rotate")->group("What")->capture_default_str();
    app.add_flag("--in-place", o.request.in_place, "use MPI_IN_PLACE")->group("What");
    app.add_option("--peer", o.request.peer, "of an exchange: the rank that answers the root")->group("What");
    app.add_option(
           "--link", o.request.link,
           "of an exchange: the first rank within the root's node, or between nodes; slowest: the pair "
           "with the longest round trip")
        ->group("What");
    app.add_option(
           "--pairs", o.pairs,
           "of an exchange: pairs that exchange at once: 'halves' (p and p + n/2) or a file, two ranks "
           "a line")
        ->group("What");
    app.add_option("--parameter", o.parameters, "of an exchange, such as messages=8,delay_us=50")
        ->delimiter(',')
        ->group("What");
    app.add_option("--refine", o.refine,
                   "add up to this many sizes where a line between the measured ones is worst")
        ->group("What");

    app.add_flag("--overlap", o.overlap,
                 "of a nonblocking collective: what it costs while the ranks compute as long as it takes")
        ->group("Overlap");
    app.add_option("--scheme", o.schemes,
                   "compute for a time (overhead of the calls), or a work (everything that delays it)")
        ->delimiter(',')
        ->group("Overlap")
        ->capture_default_str();
    app.add_option("--test-interval", o.intervals,
                   "bytes between two MPI_Test, with commas; 0: none; search: also the best one")
        ->delimiter(',')
        ->group("Overlap")
        ->capture_default_str();

    app.add_option("--precision", s.precision,
                   "stop when half the 95% interval of the median is below this part of it")
        ->group("How long")
        ->capture_default_str();
    app.add_flag("--trimmed-mean", s.trimmed_mean_rule,
                 "SKaMPI's rule: the standard error of the 25% trimmed mean")
        ->group("How long");
    app.add_option("--min-repetitions", s.limits.min_repetitions)->group("How long")->capture_default_str();
    app.add_option("--max-repetitions", s.limits.max_repetitions)->group("How long")->capture_default_str();
    app.add_option("--max-seconds", s.limits.max_seconds, "for each case")
        ->group("How long")
        ->capture_default_str();
    app.add_option("--warm-up", s.warm_up, "calls before anything is timed")
        ->group("How long")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();

    app.add_option("--start", s.start,
                   "auto (window, if there are cores for all ranks), window, barrier or dissemination")
        ->transform(CLI::CheckedTransformer(starts))
        ->group("How");
    app.add_option(
           "--metric", s.metric,
           "time of a repetition: last (common start to last finish), root, mean, median, min, max, span")
        ->transform(CLI::CheckedTransformer(metrics))
        ->group("How");
    app.add_flag("--cold", s.cold_cache, "flush the caches before each call")->group("How");
    app.add_option("--clock", o.session.clock, "auto, tsc, monotonic_raw or mpi_wtime")
        ->group("How")
        ->capture_default_str();
    app.add_option("--sync", o.session.sync, "auto, tree, linear or shared")
        ->group("How")
        ->capture_default_str();
    app.add_option("--interface", o.interface, "network interface that MPI is to use, such as eth1")
        ->group("How");
    app.add_option("--host-suffix", o.session.host_suffix,
                   "MPI is to use the interface with the address of the host's name with this behind")
        ->group("How");
    app.add_option("--seed", s.seed, "of the order of repetitions")->group("How")->capture_default_str();
    app.add_option("--memory", o.memory, "most memory of a rank, e.g. 512Mi (default: by what the node has)")
        ->group("How");

    app.add_option("--format", o.format, "table, json or csv")
        ->check(CLI::IsMember({"table", "json", "csv"}))
        ->group("Output")
        ->capture_default_str();
    app.add_flag("--ranks", s.keep_ranks,
                 "also each rank: its median finish; with json its start and finish in every repetition")
        ->group("Output");
    app.add_option("--processes", o.processes,
                   "distributions of when processes finish: 'each', or sets of ranks such as 0-3,8/4-7")
        ->group("Output");
    app.add_flag("--serve", o.serve, "read requests from standard input, answer in JSON (bench/README.md)")
        ->group("Output");
}

// The parts that have a meaning of their own
void interpret(Options& o, int argc, char** argv) {
    if (o.request.collective.empty() && !o.serve) {
        throw std::invalid_argument("name a collective or an exchange: " + pattern_names());
    }
    o.request.sizes = models::parse_sizes(o.sizes);
    if (const Pattern* pattern = find_pattern(o.request.collective); pattern && !pattern->has_message) {
        o.request.sizes = {0};
    }
    o.request.all_pairs = o.pairs == "halves";
    if (!o.pairs.empty() && !o.request.all_pairs) {
        o.request.pairs = read_pairs(o.pairs, MPI_COMM_WORLD);
    }
    o.request.algorithms = CLI::detail::split(o.algorithms, ',');
    o.request.rotate_root = o.root == "rotate";
    if (!o.request.rotate_root) {
        std::size_t end = 0;
        o.request.root = std::stoi(o.root, &end);
        if (end != o.root.size()) {
            throw std::invalid_argument("--root " + o.root + " is neither a rank nor 'rotate'");
        }
    }
    for (const std::string& text : o.parameters) {
        const std::size_t equals = text.find('=');
        std::size_t end = 0;
        const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
        if (!value.empty() && std::string("0123456789.").find(value[0]) != std::string::npos) {
            o.request.parameters[text.substr(0, equals)] = std::stod(value, &end);
        }
        if (end == 0 || end != value.size()) {
            throw std::invalid_argument("--parameter " + text + " is not NAME=NUMBER, such as messages=8");
        }
    }
    if (o.overlap) {
        o.request.overlap = OverlapPlan{{}, {}, false};
        for (const std::string& scheme : o.schemes) {
            o.request.overlap->schemes.push_back(scheme_named(scheme));
        }
        for (const std::string& interval : o.intervals) {
            if (interval == search_interval_name) {
                o.request.overlap->search_interval = true;
            } else {
                o.request.overlap->intervals.push_back(interval == "0" ? 0 : models::parse_size(interval));
            }
        }
    }
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    o.process_sets = parse_process_sets(o.processes, ranks);
    o.session.memory_limit = o.memory.empty() ? 0 : models::parse_size(o.memory);
    for (int i = 0; i < argc; ++i) {
        o.session.command_line += (i ? " " : "") + std::string(argv[i]);
    }
}

std::unique_ptr<Printer> make_printer(const Options& o) {
    const bool with_ranks = o.session.settings.keep_ranks;
    if (o.serve || o.format == "json") {
        return json_printer(with_ranks, o.process_sets);
    }
    return o.format == "csv" ? csv_printer(with_ranks) : table_printer(with_ranks, o.process_sets);
}

// Rank 0 knows the times and says where to look next; 0: nowhere
std::size_t agree_on_refinement(std::vector<models::TimedSize>& points, std::size_t granularity, double tolerance) {
    std::sort(points.begin(), points.end(), [](const models::TimedSize& a, const models::TimedSize& b) { return a.bytes < b.bytes; });
    unsigned long long next = models::next_refinement(points, granularity, tolerance);
    MPI_Bcast(&next, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
    return next;
}

void measure(Session& session, const std::vector<GroupSpec>& groups, const Options& o, Printer& printer) {
    std::vector<models::TimedSize> points;  // of the first algorithm
    const auto measure_group = [&](const GroupSpec& group) {
        const auto results = session.measure(group, o.session.settings);
        if (session.rank() == 0) {
            printer.group(group, results, "");
            if (!results.front().repetitions.empty()) {
                std::vector<double> seconds;
                for (const Repetition& repetition : results.front().repetitions) {
                    seconds.push_back(repetition.seconds);
                }
                points.push_back({group.bytes, models::summarize(seconds).median});
            }
        }
    };
    for (const GroupSpec& group : groups) {
        measure_group(group);
    }
    for (int i = 0; i < o.refine; ++i) {
        GroupSpec group = groups.front();
        group.bytes = agree_on_refinement(points, group.elements->size, o.session.settings.precision);
        if (group.bytes == 0) {
            break;
        }
        measure_group(group);
    }
}

void measure_overlaps(Session& session, const std::vector<GroupSpec>& groups, const Options& o,
                      Printer& printer) {
    for (const GroupSpec& group : groups) {
        const auto results = measure_overlap(session, group, o.session.settings, *o.request.overlap);
        if (session.rank() == 0) {
            printer.overlap(group, results, "");
        }
    }
}

int run(int argc, char** argv) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    Options options;
    CLI::App app{
        "Measures every algorithm of a collective in one job: repetitions alternate in random order and "
        "start\n"
        "together on a synchronised clock. Run it under mpiexec, e.g.\n"
        "  mpiexec -n 16 changeover-bench bcast --sizes 1Ki:512Ki:x2 --algorithms all\n"};
    define(app, options);
    try {
        app.parse(argc, argv);
        interpret(options, argc, argv);
        const std::unique_ptr<Printer> printer = make_printer(options);
        options.session.settings.keep_ranks |= !options.process_sets.empty();
        Session session(MPI_COMM_WORLD, options.session);
        // a mistake is found before anything is measured
        const std::vector<GroupSpec> groups =
            options.serve ? std::vector<GroupSpec>() : groups_of(options.request, session);
        if (rank == 0) {
            printer->header(session.header());
        }
        if (options.serve) {
            serve(session, options.session.settings, *printer);
        } else if (options.request.overlap) {
            measure_overlaps(session, groups, options, *printer);
        } else {
            measure(session, groups, options, *printer);
        }
        const Retransmits retransmits = read_retransmits(MPI_COMM_WORLD);
        if (rank == 0) {
            printer->end(session.header().retransmits, retransmits);
        }
        return 0;
    } catch (const CLI::ParseError& error) {
        return rank == 0 ? (app.exit(error) == 0 ? 0 : 2) : (error.get_exit_code() == 0 ? 0 : 2);
    } catch (const std::invalid_argument& error) {
        if (rank == 0) {
            fmt::print(stderr, "Error: {}\n", error.what());
        }
        return 2;
    }
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    try {
        bench::choose_interface(bench::interface_choice_of(argc, argv));
        bench::prepare_library();
    } catch (const std::invalid_argument& error) {
        fmt::print(stderr, "Error: {}\n", error.what());
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    int status = 1;
    try {
        status = run(argc, argv);
    } catch (const std::exception& error) {
        // only this rank knows: the others would wait for it
        fmt::print(stderr, "Error: {}\n", error.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_T_finalize();
    MPI_Finalize();
    return status;
}
