// SPDX-License-Identifier: MIT
#include "run_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <stdexcept>

#include "error.hpp"
#include "files.hpp"

namespace tuner {

namespace {

// What readers of an event rely on
struct EventKeys {
    const char* event;
    std::vector<const char*> texts;
    std::vector<const char*> counts;
    bool has_layout = false;
    bool has_header = false;
    std::vector<const char*> lists = {};  // of texts
};
const EventKeys known_events[] = {
    {"job_started", {"token", "network"}, {}, true},
    {"job_ended", {"token"}, {}},
    {"job_header", {}, {}, false, true},
    {layout_chosen_event, {}, {}, true},
    {budget_extended_event, {}, {"seconds", "added"}},
    {"stale", {"network", "layout", "collective", "operation"}, {"last_group"}, true},
    {network_changed_event, {"network"}, {"last_group"}, false, false, {"moved"}},
};

// What readers of a job's header rely on; older benchmarks leave some of it out
struct HeaderKey {
    const char* pointer;
    bool (Json::*is_right)() const noexcept;
    const char* expected;
};
constexpr HeaderKey header_keys[] = {
    {"", &Json::is_object, "an object"},
    {"/library", &Json::is_string, "a string"},
    {"/machines", &Json::is_number, "a number"},
    {"/algorithm_values", &Json::is_object, "an object"},
    {"/network", &Json::is_object, "an object"},
    {"/network/evidence", &Json::is_string, "a string"},
    {"/network/nodes", &Json::is_array, "an array"},
};

void check_header(const Json& header) {
    for (const HeaderKey& key : header_keys) {
        const Json::json_pointer place(key.pointer);
        if (header.contains(place) && !(header.at(place).*key.is_right)()) {
            throw std::invalid_argument(fmt::format("/header{} of a job is not {}, but {}", key.pointer,
                                                    key.expected, header.at(place).type_name()));
        }
    }
}

void check_event(const Json& event) {
    const auto name = event.at("event").get<std::string>();
    const auto* known = std::find_if(std::begin(known_events), std::end(known_events),
                                     [&](const EventKeys& row) { return name == row.event; });
    if (known == std::end(known_events)) {
        return;
    }
    for (const char* key : known->texts) {
        event.at(key).get_ref<const std::string&>();
    }
    for (const char* key : known->counts) {
        if (!event.at(key).is_number_unsigned()) {
            throw std::invalid_argument(fmt::format("'{}' of the event '{}' is not a count", key, name));
        }
    }
    for (const char* key : {"number", "of"}) {  // journals of version 0.1 do not have them
        if (event.contains(key) && !event.at(key).is_number_unsigned()) {
            throw std::invalid_argument(fmt::format("'{}' of the event '{}' is not a count", key, name));
        }
    }
    for (const char* key : known->lists) {
        event.at(key).get<std::vector<std::string>>();
    }
    if (known->has_layout) {
        layout_from(event);
    }
    if (known->has_header) {
        check_header(event.at("header"));
    }
}

struct Line {
    std::string type;
    Json head;
    std::vector<double> samples;
};

// Lines have a checksum since version 0.2; behind the first one that has, all have
class LineReader {
  public:
    Line read(std::string_view text) {
        const bool is_checked = has_checksum(text);
        if (has_checksums_ && !is_checked) {
            throw std::invalid_argument("its checksum is missing");
        }
        Line line;
        line.head = parse_line(text, line.samples);
        line.type = line.head.at("type").get<std::string>();
        if (line.type == "event") {
            check_event(line.head);
        } else if (line.type != "case") {
            throw std::invalid_argument("a line of type '" + line.type + "' is not allowed here");
        }
        has_checksums_ = is_checked;
        return line;
    }

  private:
    bool has_checksums_ = false;
};

// The cases of a group stand behind each other
class GroupCounter {
  public:
    bool is_whole() const { return missing_ == 0; }

    void count(const Json& head) {
        const auto group = whole_number(head.at("group"));
        if (missing_ == 0) {
            group_ = group;
            missing_ = whole_number(head.at("of"));
        }
        if (group != group_ || missing_ == 0) {
            throw std::invalid_argument(fmt::format("group {} is not complete", group_));
        }
        --missing_;
    }

  private:
    std::uint64_t group_ = 0;
    std::size_t missing_ = 0;
};

// Calls `take` for each line that has an end, until it returns false
template <class Take>
void for_each_line(std::string_view text, Take take) {
    for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string_view::npos; at = end + 1) {
        if (!take(text.substr(at, end - at), end + 1)) {
            return;
        }
    }
}

// Whether anything in the text was written as a whole. The lines of a damaged group that are left are not.
bool has_whole_part(std::string_view text, LineReader reader) {
    GroupCounter group;
    bool found = false;
    for_each_line(text, [&](std::string_view line, std::size_t) {
        try {
            const Line read = reader.read(line);
            if (read.type == "case") {
                record_from_head(read.head, read.samples);
                group.count(read.head);
            }
            found = group.is_whole() || read.type == "event";
        } catch (const std::exception&) {
            group = {};
        }
        return !found;
    });
    return found;
}

bool is_mark(const Json& event) {
    return event.at("event") == "stale" || event.at("event") == network_changed_event;
}

// Networks and cells that a check found stale are marked by one event each, `number` out of `of`. If it was
// interrupted before the last one, none counts: the next check finds them all again.
void erase_incomplete_marks(std::vector<Json>& events) {
    std::vector<Json> kept;
    std::vector<Json> marks;
    for (Json& event : events) {
        if (!is_mark(event)) {
            kept.push_back(std::move(event));
            continue;
        }
        if (event.value("number", std::size_t{1}) == 1) {
            marks.clear();
        }
        const auto all = event.value("of", std::size_t{1});
        marks.push_back(std::move(event));
        if (marks.size() >= all) {
            std::move(marks.begin(), marks.end(), std::back_inserter(kept));
            marks.clear();
        }
    }
    events = std::move(kept);
}

// The lines that count: everything up to the end of the last whole group
class Loader {
  public:
    Loader(std::string_view text, const std::string& name, RunData& run)
        : text_(text), name_(name), run_(run) {}

    void load() {
        for_each_line(text_, [&](std::string_view line, std::size_t end) {
            ++number_;
            try {
                take(reader_.read(line));
            } catch (const std::exception& error) {
                note_damage(text_.substr(end - line.size() - 1), error.what());
                return false;
            }
            if (group_.is_whole()) {
                whole_bytes_ = end;
                whole_cases_ = run_.cases.size();
            }
            return true;
        });
        run_.cases.resize(whole_cases_);
        run_.torn_bytes = text_.size() - whole_bytes_;
        run_.last_group = run_.cases.empty() ? 0 : run_.cases.back().group;
        erase_incomplete_marks(run_.events);
    }

  private:
    void take(Line line) {
        if (line.type == "case") {
            run_.cases.push_back(record_from_head(line.head, std::move(line.samples)));
            group_.count(line.head);
        } else if (group_.is_whole()) {
            // what it comes after; of a stale cell, the event says it
            line.head.emplace("last_group", run_.cases.empty() ? 0 : run_.cases.back().group);
            run_.events.push_back(std::move(line.head));
        } else {
            throw std::invalid_argument("an event is not allowed inside of a group");
        }
    }

    void note_damage(std::string_view from_there, const std::string& cause) {
        run_.damage = fmt::format("line {} is damaged: {}", number_, cause);
        if (has_whole_part(from_there, reader_)) {
            throw usage_error(fmt::format(
                "{}, {}; restore the file from a copy, or remove all lines of that group from it (what they "
                "hold is then measured again), or start a new run",
                name_, run_.damage));
        }
    }

    std::string_view text_;
    const std::string& name_;
    RunData& run_;
    LineReader reader_;
    GroupCounter group_;
    std::size_t number_ = 0;
    std::size_t whole_bytes_ = 0;
    std::size_t whole_cases_ = 0;
};

bool is_of_marked_cell(const CaseRecord& record, const Json& stale) {
    return to_string(record.layout) == stale.at("layout") && record.collective == stale.at("collective") &&
           record.operation == stale.at("operation");
}

// What their headers say (interfaces, library) is of the network as it was. Jobs that were not ended stay:
// their processes may still be there.
void forget_jobs_of_changed_networks(std::vector<Json>& events) {
    std::map<std::string, std::string> network_of_job;  // by token
    std::set<std::string> ended;
    std::set<std::string> forgotten;
    for (const Json& event : events) {
        const std::string name = event.at("event");
        if (name == "job_started") {
            network_of_job[event.at("token")] = event.at("network");
        } else if (name == "job_ended") {
            ended.insert(event.at("token").get<std::string>());
        } else if (name == network_changed_event) {
            for (const auto& [token, network] : network_of_job) {
                if (network == event.at("network") && ended.contains(token)) {
                    forgotten.insert(token);
                }
            }
        }
    }
    std::erase_if(events, [&](const Json& event) {
        const auto token = event.find("token");
        return token != event.end() && token->is_string() && forgotten.contains(token->get<std::string>());
    });
}

// \xff in place of what a terminal could not show
std::string shown(const std::string& name) {
    std::string text;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        text += byte < 0x80 && std::isprint(byte) ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
    }
    return text;
}

}  // namespace

void require_utf8(const std::filesystem::path& folder) {
    try {
        [[maybe_unused]] const std::string text = Json(folder.string()).dump();
    } catch (const Json::exception&) {
        throw usage_error(
            fmt::format("the path of the run directory '{}' is not UTF-8; name another one with --run",
                        shown(folder.string())));
    }
}

Manifest parse_manifest(std::string_view text, const std::string& name) {
    try {
        const Json json = parse_json(text);
        if (const Json version = json.at("version"); version != run_format_version) {
            throw usage_error(
                fmt::format("{} has format version {}, and this program reads version {}; use the "
                            "version of changeover that wrote it",
                            name, version.dump(), run_format_version));
        }
        return {json.at("created").get<std::string>(),
                json.at("command_line").get<std::vector<std::string>>(),
                whole_number(json.at("seed")),
                json.at("cluster"),
                json.at("plan"),
                json.at("environment"),
                json.at("fingerprint")};
    } catch (const Error&) {
        throw;
    } catch (const std::exception& error) {
        throw usage_error(
            fmt::format("{} is damaged: {}; restore it, or start a new run", name, error.what()));
    }
}

void parse_samples(std::string_view text, const std::string& name, RunData& run) {
    Loader(text, name, run).load();
}

Manifest load_manifest(const std::filesystem::path& folder) {
    require_utf8(folder);
    const std::filesystem::path path = folder / manifest_name;
    if (!std::filesystem::exists(path)) {
        throw usage_error(
            fmt::format("{} is not a run: it has no {}; check the path", folder.string(), manifest_name));
    }
    return parse_manifest(read_regular_file(path), path.string());
}

RunData load_run(const std::filesystem::path& folder) {
    RunData run;
    run.manifest = load_manifest(folder);
    const std::filesystem::path path = folder / samples_name;
    if (std::filesystem::exists(path)) {
        parse_samples(read_regular_file(path), path.string(), run);
    }
    return run;
}

std::vector<CaseRecord> forget_stale(RunData& run) {
    std::vector<CaseRecord> forgotten;
    for (const Json& event : run.events) {
        if (!is_mark(event)) {
            continue;
        }
        const bool is_of_network = event.at("event") == network_changed_event;
        const auto kept =
            std::stable_partition(run.cases.begin(), run.cases.end(), [&](const CaseRecord& record) {
                return !(
                    record.group <= whole_number(event.at("last_group")) &&
                    record.network == event.at("network") &&
                    (is_of_network || record.stage == Stage::network || is_of_marked_cell(record, event)));
            });
        forgotten.insert(forgotten.end(), std::make_move_iterator(kept),
                         std::make_move_iterator(run.cases.end()));
        run.cases.erase(kept, run.cases.end());
    }
    forget_jobs_of_changed_networks(run.events);
    return forgotten;
}

Budget budget_of(const RunData& run, double seconds_of_plan) {
    Budget budget = {seconds_of_plan};
    for (const Json& event : run.events) {
        if (event.at("event") == budget_extended_event) {
            budget.seconds = event.at("seconds").get<double>();
            budget.unused_extension += event.at("added").get<double>();
        } else if (event.at("event") == extension_used_event) {
            budget.unused_extension = 0;
        }
    }
    return budget;
}

std::vector<OpenJob> open_jobs(const RunData& run) {
    std::vector<OpenJob> jobs;
    for (const Json& event : run.events) {
        if (event.at("event") == "job_started") {
            jobs.push_back({event.at("token").get<std::string>(), event.at("network").get<std::string>(),
                            layout_from(event)});
        } else if (event.at("event") == "job_ended") {
            std::erase_if(jobs, [&](const OpenJob& job) { return event.at("token") == job.token; });
        }
    }
    return jobs;
}

}  // namespace tuner
