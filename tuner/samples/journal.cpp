// SPDX-License-Identifier: MIT
#include "journal.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <utility>

#include "error.hpp"
#include "files.hpp"

namespace tuner {

namespace {

constexpr int format_version = 1;
constexpr const char* manifest_name = "manifest.json";
constexpr const char* samples_name = "samples.jsonl";
constexpr const char* lock_name = "lock";

int take_lock(const std::filesystem::path& folder) {
    const std::filesystem::path path = folder / lock_name;
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0) {
        throw failure(fmt::format("{} cannot be opened: {}; check the path and its permissions",
                                  path.string(), std::strerror(errno)));
    }
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
        char holder[32] = {};
        [[maybe_unused]] const ssize_t n = pread(file, holder, sizeof(holder) - 1, 0);
        close(file);
        throw failure(fmt::format("the run {} is in use by process {}; wait for it, or name another --run",
                                  folder.string(), *holder ? std::string(holder) : "unknown"));
    }
    // for people only: the lock is what counts, so a full disk does not matter here
    const std::string id = std::to_string(getpid());
    [[maybe_unused]] const bool shown =
        ftruncate(file, 0) == 0 && pwrite(file, id.data(), id.size(), 0) == static_cast<ssize_t>(id.size());
    return file;
}

Json to_json(const Manifest& m) {
    return {{"format", "changeover run"},
            {"version", format_version},
            {"created", m.created},
            {"command_line", m.command_line},
            {"seed", m.seed},
            {"cluster", m.cluster},
            {"plan", m.plan},
            {"environment", m.environment},
            {"fingerprint", m.fingerprint}};
}

Manifest read_manifest(const std::filesystem::path& folder) {
    const std::filesystem::path path = folder / manifest_name;
    if (!std::filesystem::exists(path)) {
        throw usage_error(
            fmt::format("{} is not a run: it has no {}; check the path", folder.string(), manifest_name));
    }
    try {
        const Json json = Json::parse(read_file(path));
        if (const Json version = json.at("version"); version != format_version) {
            throw usage_error(
                fmt::format("{} has format version {}, and this program reads version {}; use the "
                            "version of changeover that wrote it",
                            path.string(), version.dump(), format_version));
        }
        return {json.at("created").get<std::string>(),
                json.at("command_line").get<std::vector<std::string>>(),
                json.at("seed").get<std::uint64_t>(),
                json.at("cluster"),
                json.at("plan"),
                json.at("environment"),
                json.at("fingerprint")};
    } catch (const Json::exception& error) {
        throw usage_error(
            fmt::format("{} is damaged: {}; restore it, or start a new run", path.string(), error.what()));
    }
}

// The lines of samples.jsonl that count: everything up to the end of the last whole group
class Loader {
  public:
    Loader(const std::string& text, const std::string& path, RunData& run)
        : text_(text), path_(path), run_(run) {}

    void load() {
        std::size_t at = 0;
        for (std::size_t number = 1; at < text_.size(); ++number) {
            const std::size_t end = text_.find('\n', at);
            if (end == std::string::npos) {
                break;
            }
            take_line(std::string_view(text_).substr(at, end - at), number);
            at = end + 1;
            if (missing_ == 0) {
                whole_bytes_ = at;
                whole_cases_ = run_.cases.size();
            }
        }
        run_.cases.resize(whole_cases_);
        run_.torn_bytes = text_.size() - whole_bytes_;
        run_.last_group = run_.cases.empty() ? 0 : run_.cases.back().group;
    }

  private:
    void take_line(std::string_view line, std::size_t number) {
        try {
            std::vector<double> samples;
            Json head = parse_line(line, samples);
            const std::string type = head.at("type").get<std::string>();
            if (type == "case") {
                run_.cases.push_back(record_from_head(head, std::move(samples)));
                count(run_.cases.back().group, head);
            } else if (type == "event" && missing_ == 0) {
                head.at("event").get<std::string>();
                run_.events.push_back(std::move(head));
            } else {
                throw std::invalid_argument("a line of type '" + type + "' is not allowed here");
            }
        } catch (const std::exception& error) {
            throw usage_error(fmt::format("{}, line {} is damaged: {}; remove that line, or start a new run",
                                          path_, number, error.what()));
        }
    }

    void count(std::uint64_t group, const Json& head) {
        if (missing_ == 0) {
            group_ = group;
            missing_ = head.at("of").get<std::size_t>();
        }
        if (group != group_ || missing_ == 0) {
            throw std::invalid_argument(fmt::format("group {} is not complete", group_));
        }
        --missing_;
    }

    const std::string& text_;
    const std::string& path_;
    RunData& run_;
    std::uint64_t group_ = 0;
    std::size_t missing_ = 0;  // cases of the group
    std::size_t whole_bytes_ = 0;
    std::size_t whole_cases_ = 0;
};

// A new run needs a folder with nothing in it but what a killed `create` left
void refuse_unless_free(const std::filesystem::path& folder) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (name != lock_name && !name.starts_with("." + std::string(manifest_name))) {
            throw usage_error(
                fmt::format("{} is not empty; name a new or empty directory with --run", folder.string()));
        }
    }
}

}  // namespace

RunData load_run(const std::filesystem::path& folder) {
    RunData run;
    run.manifest = read_manifest(folder);
    const std::filesystem::path path = folder / samples_name;
    if (std::filesystem::exists(path)) {
        const std::string name = path.string();
        const std::string text = read_file(path);
        Loader(text, name, run).load();
    }
    return run;
}

void forget_stale(RunData& run) {
    for (const Json& event : run.events) {
        if (event.at("event") != "stale") {
            continue;
        }
        std::erase_if(run.cases, [&](const CaseRecord& record) {
            const bool is_of_cell = to_string(record.layout) == event.at("layout") &&
                                    record.collective == event.at("collective") &&
                                    record.operation == event.at("operation");
            return record.group <= event.at("last_group").get<std::uint64_t>() &&
                   record.network == event.at("network") && (is_of_cell || record.stage == Stage::network);
        });
    }
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

Journal::Journal(std::filesystem::path folder, int lock) : folder_(std::move(folder)), lock_(lock) {}

Journal::Journal(Journal&& other) noexcept
    : folder_(std::move(other.folder_)),
      lock_(std::exchange(other.lock_, -1)),
      samples_(std::exchange(other.samples_, -1)),
      last_group_(other.last_group_) {}

Journal::~Journal() {
    for (const int file : {samples_, lock_}) {
        if (file >= 0) {
            close(file);
        }
    }
}

Journal Journal::create(const std::filesystem::path& folder, Manifest manifest) {
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem) {
        throw usage_error(fmt::format("the directory {} cannot be created: {}; name another one with --run",
                                      folder.string(), problem.message()));
    }
    refuse_unless_free(folder);  // before anything is written there
    Journal journal(folder, take_lock(folder));
    refuse_unless_free(folder);  // somebody else may have had the lock
    manifest.created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    write_file_atomically(folder / manifest_name, to_json(manifest).dump(2) + "\n");
    journal.open_samples();
    return journal;
}

Journal Journal::resume(const std::filesystem::path& folder, RunData& run) {
    read_manifest(folder);  // before anything is written to a folder that is not ours
    Journal journal(folder, take_lock(folder));
    run = load_run(folder);
    journal.open_samples();
    struct stat about = {};
    if (run.torn_bytes > 0 &&
        (fstat(journal.samples_, &about) != 0 ||
         ftruncate(journal.samples_, about.st_size - static_cast<off_t>(run.torn_bytes)) != 0)) {
        throw failure(fmt::format("the incomplete end of {} cannot be removed: {}; check its permissions",
                                  (folder / samples_name).string(), std::strerror(errno)));
    }
    journal.last_group_ = run.last_group;
    return journal;
}

void Journal::open_samples() {
    const std::filesystem::path path = folder_ / samples_name;
    samples_ = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (samples_ < 0 || !sync_folder(folder_)) {
        throw failure(fmt::format("{} cannot be opened: {}; check its permissions", path.string(),
                                  std::strerror(errno)));
    }
}

void Journal::append_text(const std::string& lines) {
    struct stat before = {};
    const bool known = fstat(samples_, &before) == 0;
    ssize_t n = 0;
    do {
        n = write(samples_, lines.data(), lines.size());
    } while (n < 0 && errno == EINTR);
    if (n == static_cast<ssize_t>(lines.size()) && fdatasync(samples_) == 0) {
        return;
    }
    const int reason =
        n < 0 || n == static_cast<ssize_t>(lines.size()) ? errno : ENOSPC;  // a part was written
    const bool restored = known && ftruncate(samples_, before.st_size) == 0;
    throw failure(
        fmt::format("{} cannot be written: {}; what was measured before is kept{}; free disk space, then run "
                    "the same command again to resume",
                    (folder_ / samples_name).string(), std::strerror(reason),
                    restored ? "" : " (an incomplete end is removed on resuming)"));
}

void Journal::append(std::span<CaseRecord> group) {
    if (group.empty()) {
        return;
    }
    std::string lines;
    for (CaseRecord& record : group) {
        record.group = last_group_ + 1;
        lines += to_line(record, group.size()) + "\n";
    }
    append_text(lines);
    ++last_group_;
}

void Journal::append_event(const std::string& name, const Json& fields) {
    const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
    Json event = {{"type", "event"}, {"event", name}, {"time", now.count()}};
    event.update(fields);
    append_text(event.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

void Journal::job_started(const OpenJob& job) {
    append_event("job_started", {{"token", job.token},
                                 {"network", job.network},
                                 {"nodes", job.layout.nodes},
                                 {"ppn", job.layout.ppn},
                                 {"mapping", to_string(job.layout.mapping)}});
}

void Journal::job_ended(const std::string& token, const std::string& how, const Json& counters) {
    Json fields = {{"token", token}, {"how", how}};
    if (counters.is_object()) {
        fields.update(counters);
    }
    append_event("job_ended", fields);
}

}  // namespace tuner
