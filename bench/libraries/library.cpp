// SPDX-License-Identifier: MIT
#include "library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <climits>

#include "mock_ups.hpp"

namespace bench {

extern const Backend mpich_patched, mpich_stock, openmpi, any_library;

namespace {

// One row for each library; the first one that is here is taken
const std::array backends = {&mpich_patched, &mpich_stock, &openmpi, &any_library};

// Patterns with ways of their own to make a call are none of the library's business, and neither are
// mock-ups: it chooses the algorithms of their calls.
class WithPatternVariants : public Library {
  public:
    WithPatternVariants(MPI_Comm comm, std::unique_ptr<Library> library)
        : comm_(comm), library_(std::move(library)) {
        MPI_Comm_size(comm, &ranks_);
    }

    std::string version() const override { return library_->version(); }
    std::string tuning_file() const override { return library_->tuning_file(); }
    bool can_switch() const override { return library_->can_switch(); }
    std::vector<std::string> algorithms(const Pattern& pattern) override {
        return pattern.is_exchange() ? names_of(pattern) : library_->algorithms(pattern);
    }
    std::string canonical(const Pattern& pattern, const std::string& algorithm) override {
        return pattern.is_exchange() || models::is_mock_up(algorithm)
                   ? algorithm
                   : library_->canonical(pattern, algorithm);
    }
    std::map<std::string, int> values(const Pattern& pattern) override {
        return pattern.is_exchange() ? std::map<std::string, int>() : library_->values(pattern);
    }
    std::optional<std::string> refusal(const PlannedCall& call, const std::string& algorithm) override {
        if (models::is_mock_up(algorithm)) {
            return refusal_of_mock_up(call, algorithm);
        }
        if (!call.pattern->is_exchange()) {
            return library_->refusal(call, algorithm);
        }
        const std::vector<std::string> names = names_of(*call.pattern);
        if (std::find(names.begin(), names.end(), algorithm) != names.end()) {
            return std::nullopt;
        }
        std::string known;
        for (const std::string& name : names) {
            known += (known.empty() ? "" : ", ") + name;
        }
        return "there is no '" + algorithm + "'; " + call.pattern->name + " has: " + known;
    }
    MPI_Comm choose(const Pattern& pattern, const std::string& algorithm) override {
        mock_up_ = models::is_mock_up(algorithm) ? algorithm : "";
        return pattern.is_exchange()
                   ? comm_
                   : library_->choose(pattern, mock_up_.empty() ? algorithm : default_algorithm);
    }
    std::optional<std::string> try_call(const std::function<void()>& call) override {
        return library_->try_call(call);
    }
    std::string last_used(const Pattern& pattern) const override {
        return pattern.is_exchange() || !mock_up_.empty() ? mock_up_ : library_->last_used(pattern);
    }

  private:
    static std::vector<std::string> names_of(const Pattern& pattern) {
        return {pattern.variants.begin(), pattern.variants.end()};
    }
    std::optional<std::string> refusal_of_mock_up(const PlannedCall& call, const std::string& name) const {
        const MockUp* mock_up = find_mock_up(*call.pattern, name);
        if (mock_up == nullptr) {
            return "there is no '" + name + "'; the mock-ups of " + call.pattern->name +
                   " are: " + mock_up_names(*call.pattern);
        }
        if (mock_up->why_not != nullptr && !mock_up->why_not().empty()) {
            return std::string(mock_up->why_not());
        }
        if (call.in_place) {
            return "a mock-up has separate buffers; omit in_place";
        }
        if (call.count < mock_up->fewest_elements) {
            return "this mock-up needs a message of at least " + std::to_string(mock_up->fewest_elements) +
                   " elements";
        }
        constexpr auto largest_count = static_cast<std::size_t>(INT_MAX);
        if (2 * call.count > largest_count / static_cast<std::size_t>(ranks_)) {
            return "the mock-up counts more elements than an int can hold; use a smaller message";
        }
        return std::nullopt;
    }

    MPI_Comm comm_;
    int ranks_ = 0;
    std::string mock_up_;  // that was chosen last; empty: something else
    std::unique_ptr<Library> library_;
};

}  // namespace

std::string version_line() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(text, &length);
    std::string line(text);  // not by its length: Open MPI counts the terminating null character
    std::replace(line.begin(), line.end(), '\t', ' ');
    while (!line.empty() && line.back() == '\n') {
        line.pop_back();
    }
    std::replace(line.begin(), line.end(), '\n', ';');
    return line;
}

std::string library_file() {
    Dl_info info = {};
    void* const function = dlsym(RTLD_DEFAULT, "MPI_Get_library_version");
    return function != nullptr && dladdr(function, &info) != 0 ? info.dli_fname : "";
}

std::string version_text() {
    return "changeover-bench " CHANGEOVER_VERSION "\n" + version_line() + "\n" + library_file() + "\n";
}

std::string Library::device() const {
    const std::string text = version();
    const std::string key = "MPICH Device:";
    const auto at = text.find(key);
    if (at == std::string::npos) {
        return {};
    }
    const auto begin = text.find_first_not_of(' ', at + key.size());
    return text.substr(begin, text.find(';', begin) - begin);
}

void prepare_library() {
    for (const Backend* backend : backends) {
        if (backend->prepare != nullptr) {
            backend->prepare();
        }
    }
}

std::unique_ptr<Library> make_library(MPI_Comm comm) {
    const auto here = std::find_if(backends.begin(), backends.end(),
                                   [](const Backend* backend) { return backend->is_here(); });
    return std::make_unique<WithPatternVariants>(comm, (*here)->make(comm));
}

}  // namespace bench
