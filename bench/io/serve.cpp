// SPDX-License-Identifier: MIT
#include "serve.hpp"

#include <unistd.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "measure_and_print.hpp"
#include "request_json.hpp"

namespace bench {

namespace {

using Json = nlohmann::ordered_json;

// A launcher passes standard input on through a pipe of 64 KiB, and hydra gives up when it is full.
constexpr std::size_t longest_line = std::size_t{32} << 10;

// Reads standard input by lines of bounded length. A longer one is skipped to its end.
class LineReader {
  public:
    enum class Result { line, too_long, end };
    Result next(std::string& line) {
        line.clear();
        bool too_long = false;
        for (;;) {
            for (; position_ < length_; ++position_) {
                const char c = buffer_[position_];
                if (c == '\n') {
                    ++position_;
                    return too_long ? Result::too_long : Result::line;
                }
                if (line.size() < longest_line) {
                    line += c;
                } else {
                    too_long = true;
                }
            }
            const ssize_t n = read(STDIN_FILENO, buffer_, sizeof(buffer_));
            if (n <= 0) {
                return line.empty() ? Result::end : Result::line;
            }
            position_ = 0;
            length_ = static_cast<std::size_t>(n);
        }
    }

  private:
    char buffer_[4096];
    std::size_t position_ = 0;
    std::size_t length_ = 0;
};

// The same text on all ranks; false at the end of the input
bool broadcast_line(LineReader& reader, int rank, std::string& line, std::string& problem) {
    long length = 0;
    if (rank == 0) {
        const auto result = reader.next(line);
        length = result == LineReader::Result::end        ? -1
                 : result == LineReader::Result::too_long ? -2
                                                          : static_cast<long>(line.size());
    }
    MPI_Bcast(&length, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    problem = length == -2 ? "a request is at most 32 KiB long" : "";
    if (length < 0) {
        return length == -2;
    }
    line.resize(static_cast<std::size_t>(length));
    MPI_Bcast(line.data(), static_cast<int>(length), MPI_CHAR, 0, MPI_COMM_WORLD);
    return true;
}

void answer(Session& session, const Json& json, Settings settings, const std::string& id, Printer& printer) {
    const Request request = request_from(json, settings);
    measure_and_print(session, request, groups_of(request, session), settings, printer, id);
    if (session.rank() == 0) {
        printer.done(id);
    }
}

}  // namespace

void serve(Session& session, const Settings& settings, Printer& printer) {
    LineReader reader;
    std::string line;
    std::string problem;
    while (broadcast_line(reader, session.rank(), line, problem)) {
        std::string id;
        try {
            if (!problem.empty()) {
                throw std::invalid_argument(problem);
            }
            if (line.find_first_not_of(" \t\r") == std::string::npos) {
                continue;
            }
            const Json json = Json::parse(line);
            id = json.is_object() && json.contains("id") ? json.at("id").dump() : "";
            answer(session, json, settings, id, printer);
            continue;
        } catch (const Json::parse_error& error) {
            problem = std::string("the request is not JSON: ") + error.what();
        } catch (const std::invalid_argument& error) {
            problem = error.what();
        }
        if (session.rank() == 0) {
            printer.error(problem, id);
        }
    }
}

}  // namespace bench
