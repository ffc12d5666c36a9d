// SPDX-License-Identifier: MIT
#include "recorded_arrivals.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>

namespace bench {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* remedy = "write it again: changeover trace TRACE --arrivals FILE";
constexpr double longest_delay_us = 60e6;

void require(bool is_right, const std::string& otherwise) {
    if (!is_right) {
        throw std::domain_error(otherwise);
    }
}

std::vector<std::vector<double>> delays_from(const Json& json, std::size_t ranks) {
    std::vector<std::vector<double>> delays;
    for (const Json& call : json) {
        std::vector<double> of_ranks;
        for (const Json& delay : call) {
            const double us = delay.get<double>();
            require(
                us >= 0 && us <= longest_delay_us,
                fmt::format("'delays_us': expected numbers from 0 to {:g}, got {}", longest_delay_us, us));
            of_ranks.push_back(1e-6 * us);
        }
        require(of_ranks.size() == ranks,
                fmt::format("'delays_us': expected {} ranks in each call, got {}", ranks, of_ranks.size()));
        delays.push_back(std::move(of_ranks));
    }
    require(!delays.empty(), "'delays_us' is empty");
    return delays;
}

double distance(double bytes, double wanted) {
    return std::abs(std::log2(bytes + 1) - std::log2(wanted + 1));
}

std::string plural(std::size_t count, const char* name) {
    return fmt::format("{} {}{}", count, name, count == 1 ? "" : "s");
}

// Lines of one file, and those of them that would fit
class Classes {
  public:
    explicit Classes(const CallClass& wanted) : wanted_(wanted) {}

    void read(const Json& json, bool is_first) {
        if (is_first) {
            require(json.is_object() && json.value("type", "") == "arrivals" && json.value("version", 0) == 1,
                    "it does not begin with arrivals of version 1");
            return;
        }
        const auto collective = json.at("collective").get<std::string>();
        const int ranks = json.at("ranks").get<int>();
        require(ranks > 0, fmt::format("'ranks': expected a number above 0, got {}", ranks));
        others_.insert(fmt::format("{} of {} ranks", collective, ranks));
        const double away = distance(json.at("bytes").get<double>(), static_cast<double>(wanted_.bytes));
        if (collective == wanted_.collective && ranks == wanted_.ranks &&
            (nearest_.delays.empty() || away < nearest_away_)) {
            nearest_.delays = delays_from(json.at("delays_us"), static_cast<std::size_t>(ranks));
            nearest_.name = fmt::format("{} of {} bytes, {}", collective, json.at("bytes").get<std::size_t>(),
                                        plural(nearest_.delays.size(), "call"));
            nearest_away_ = away;
        }
    }

    RecordedCalls nearest(const std::string& name) const {
        if (nearest_.delays.empty()) {
            throw std::invalid_argument(fmt::format(
                "{} has no calls of {} by {} ranks; there are: {}; start as many ranks, or record a program "
                "that makes such calls",
                name, wanted_.collective, wanted_.ranks, fmt::join(others_, ", ")));
        }
        return nearest_;
    }

  private:
    CallClass wanted_;
    std::set<std::string> others_;
    RecordedCalls nearest_;
    double nearest_away_ = 0;
};

std::string text_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string reason = in.is_open() ? "it is empty or cannot be read" : std::strerror(errno);
    std::ostringstream all;
    all << in.rdbuf();  // of a folder: nothing
    if (all.str().empty()) {
        throw std::invalid_argument(
            fmt::format("{}: {}; write it with: changeover trace TRACE --arrivals FILE", file, reason));
    }
    return all.str();
}

void broadcast(std::string& text, MPI_Comm comm) {
    unsigned long long bytes = text.size();
    MPI_Bcast(&bytes, 1, MPI_UNSIGNED_LONG_LONG, 0, comm);
    text.resize(bytes);
    MPI_Bcast(text.data(), static_cast<int>(bytes), MPI_CHAR, 0, comm);
}

void broadcast(RecordedCalls& calls, std::size_t ranks, MPI_Comm comm) {
    broadcast(calls.name, comm);
    unsigned long long number = calls.delays.size();
    MPI_Bcast(&number, 1, MPI_UNSIGNED_LONG_LONG, 0, comm);
    calls.delays.resize(number);
    for (std::vector<double>& call : calls.delays) {
        call.resize(ranks);
        MPI_Bcast(call.data(), static_cast<int>(ranks), MPI_DOUBLE, 0, comm);
    }
}

}  // namespace

RecordedCalls nearest_calls(const std::string& text, const std::string& name, const CallClass& wanted) {
    Classes classes(wanted);
    std::istringstream lines(text);
    std::string line;
    for (std::size_t number = 1; std::getline(lines, line); ++number) {
        try {
            classes.read(Json::parse(line), number == 1);
        } catch (const std::exception& error) {  // of the JSON library, too
            throw std::invalid_argument(
                fmt::format("{}: line {} cannot be read: {}; {}", name, number, error.what(), remedy));
        }
    }
    return classes.nearest(name);
}

RecordedCalls recorded_calls(const std::string& file, const CallClass& wanted, MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    std::string problem;
    RecordedCalls calls;
    if (rank == 0) {
        try {
            calls = nearest_calls(text_of(file), file, wanted);
        } catch (const std::invalid_argument& error) {
            problem = error.what();
        }
    }
    broadcast(problem, comm);
    if (!problem.empty()) {
        throw std::invalid_argument(problem);
    }
    broadcast(calls, static_cast<std::size_t>(wanted.ranks), comm);
    return calls;
}

double usual_width(const RecordedCalls& calls) {
    std::vector<double> widths;
    for (const std::vector<double>& call : calls.delays) {
        widths.push_back(*std::max_element(call.begin(), call.end()));
    }
    const auto middle = widths.begin() + static_cast<std::ptrdiff_t>(widths.size() / 2);
    std::nth_element(widths.begin(), middle, widths.end());
    return *middle;
}

}  // namespace bench
