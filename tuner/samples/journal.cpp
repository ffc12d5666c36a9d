// SPDX-License-Identifier: MIT
#include "journal.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <utility>

#include "error.hpp"
#include "files.hpp"

namespace tuner {

namespace {

constexpr const char* damaged_name = "samples.damaged";

// The command line is for people, and may have any bytes. What is read again must not change on the way.
std::string manifest_text(const Manifest& m, const std::filesystem::path& path) {
    const Json command_line = m.command_line;
    const Json json = {
        {"format", "changeover run"},
        {"version", run_format_version},
        {"created", m.created},
        {"command_line", parse_json(command_line.dump(-1, ' ', false, Json::error_handler_t::replace))},
        {"seed", m.seed},
        {"cluster", m.cluster},
        {"plan", m.plan},
        {"environment", m.environment},
        {"fingerprint", m.fingerprint}};
    try {
        return json.dump(2) + "\n";
    } catch (const Json::exception& error) {
        throw usage_error(fmt::format(
            "{} cannot be written: a name or path in the cluster or the plan is not UTF-8 ({}); rename it",
            path.string(), error.what()));
    }
}

// A new run needs a folder with nothing in it but what a killed `create` left
void refuse_unless_free(const std::filesystem::path& folder) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (name != RunLock::file_name && !name.starts_with("." + std::string(manifest_name))) {
            throw usage_error(
                fmt::format("{} is not empty; name a new or empty directory with --run", folder.string()));
        }
    }
}

}  // namespace

Journal::Journal(std::filesystem::path folder) : folder_(std::move(folder)), lock_(folder_) {}

Journal::Journal(Journal&& other) noexcept
    : folder_(std::move(other.folder_)),
      lock_(std::move(other.lock_)),
      samples_(std::exchange(other.samples_, -1)),
      last_group_(other.last_group_) {}

Journal::~Journal() {
    if (samples_ >= 0) {
        close(samples_);
    }
}

Journal Journal::create(const std::filesystem::path& folder, Manifest manifest) {
    require_utf8(folder);
    manifest.created = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    const std::string text = manifest_text(manifest, folder / manifest_name);
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem) {
        throw usage_error(fmt::format("the directory {} cannot be created: {}; name another one with --run",
                                      folder.string(), problem.message()));
    }
    refuse_unless_free(folder);  // before anything is written there
    Journal journal(folder);
    refuse_unless_free(folder);  // somebody else may have had the lock
    remove_temporary_files(folder);
    write_file_atomically(folder / manifest_name, text);
    journal.open_samples();
    return journal;
}

Journal Journal::resume(const std::filesystem::path& folder, RunData& run) {
    load_manifest(folder);  // before anything is written to a folder that is not ours
    Journal journal(folder);
    run = load_run(folder);
    remove_temporary_files(folder);
    journal.open_samples();
    journal.last_group_ = run.last_group;
    journal.cut_off(run);
    return journal;
}

void Journal::open_samples() {
    const std::filesystem::path path = folder_ / samples_name;
    samples_ = open_file(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW);
    if (samples_ < 0 || !sync_folder(folder_)) {
        throw failure(errno == ELOOP
                          ? fmt::format("{} is a symbolic link; replace it by the file itself, since a run "
                                        "writes to its own folder only",
                                        path.string())
                          : fmt::format("{} cannot be opened: {}; check its permissions", path.string(),
                                        std::strerror(errno)));
    }
}

// An incomplete group is nothing that anybody could miss
void Journal::cut_off(const RunData& run) {
    if (run.torn_bytes == 0) {
        return;
    }
    if (!run.damage.empty()) {
        keep_damaged(run);
    }
    struct stat about = {};
    if (fstat(samples_, &about) != 0 ||
        ftruncate(samples_, about.st_size - static_cast<off_t>(run.torn_bytes)) != 0 ||
        !sync_file(samples_)) {
        throw failure(fmt::format("the incomplete end of {} cannot be removed: {}; check its permissions",
                                  (folder_ / samples_name).string(), std::strerror(errno)));
    }
    if (!run.damage.empty()) {
        append_event("recovered",
                     {{"damage", run.damage}, {"bytes", run.torn_bytes}, {"kept_in", damaged_name}});
    }
}

// Added to what may be there of an earlier damage
void Journal::keep_damaged(const RunData& run) {
    const std::filesystem::path path = folder_ / damaged_name;
    const std::string text = read_regular_file(folder_ / samples_name);
    const int file = open_file(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW);
    const bool kept = file >= 0 &&
                      write_all(file, std::string_view(text).substr(text.size() - run.torn_bytes)) &&
                      sync_file(file) && sync_folder(folder_);
    const int reason = errno;
    if (file >= 0) {
        close(file);
    }
    if (!kept) {
        throw failure(fmt::format(
            "{} cannot be written: {}; it is to keep the damaged end of {} ({}); free disk space, or check "
            "the permissions",
            path.string(), std::strerror(reason), samples_name, run.damage));
    }
}

void Journal::append_text(const std::string& lines) {
    struct stat before = {};
    const bool known = fstat(samples_, &before) == 0;
    if (known && write_all(samples_, lines) && sync_file(samples_)) {
        return;
    }
    const int reason = errno;
    const bool restored = known && ftruncate(samples_, before.st_size) == 0;
    throw failure(
        fmt::format("{} cannot be written: {}; what was measured before is kept{}; {}, then run the same "
                    "command again to resume",
                    (folder_ / samples_name).string(), std::strerror(reason),
                    restored ? "" : " (an incomplete end is removed on resuming)",
                    is_disk_full(reason) ? "free disk space" : "check the disk"));
}

void Journal::append(std::span<CaseRecord> group) {
    if (group.empty()) {
        return;
    }
    std::string lines;
    for (CaseRecord& record : group) {
        record.group = last_group_ + 1;
        lines += with_checksum(to_line(record, group.size())) + "\n";
    }
    append_text(lines);
    ++last_group_;
}

void Journal::append_event(const std::string& name, const Json& fields) {
    const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
    Json event = {{"type", "event"}, {"event", name}, {"time", now.count()}};
    event.update(fields);
    append_text(with_checksum(event.dump(-1, ' ', false, Json::error_handler_t::replace)) + "\n");
}

void Journal::job_started(const OpenJob& job) {
    Json fields = {{"token", job.token}, {"network", job.network}};
    add_layout(fields, job.layout);
    append_event("job_started", fields);
}

void Journal::job_ended(const std::string& token, const std::string& how, const Json& counters) {
    Json fields = {{"token", token}, {"how", how}};
    if (counters.is_object()) {
        fields.update(counters);
    }
    append_event("job_ended", fields);
}

}  // namespace tuner
