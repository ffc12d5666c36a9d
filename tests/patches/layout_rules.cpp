// SPDX-License-Identifier: MIT
// Communicators of one layout share what was found of the rules for it. With the file of
// layout_rules_test.sh:
//   layout_rules dup TIMES      duplicates MPI_COMM_WORLD, for counting instructions
//   layout_rules check          made-up communicators of 100 layouts come and go; each gets its own rules
#include <mpi.h>
#include <valgrind/callgrind.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>

#include "question.hpp"

namespace {

constexpr int special_ranks = 64;  // have a rule of their own, for short messages
constexpr int common_rules = 60000;
constexpr int first_common_size = 1000;

void duplicate(int times) {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);  // the first one may find the rules
    MPI_Comm_free(&copy);
    CALLGRIND_START_INSTRUMENTATION;
    for (int i = 0; i < times; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        MPI_Comm_free(&copy);
    }
    CALLGRIND_STOP_INSTRUMENTATION;
}

std::string rule_for(const Question& question, int bytes) {
    const char* rule = question.ask(Question::call_of("bcast", bytes)).rule;
    return rule == nullptr ? "none" : rule;
}

// How many answers are wrong
int check_layout(const Question& question, int ranks, int common) {
    const std::string special = ranks <= special_ranks ? "/mpir/" + std::to_string(ranks - 1) : "none";
    return (rule_for(question, first_common_size / 2) != special) +
           (rule_for(question, first_common_size + common) !=
            "/mpir/" + std::to_string(special_ranks + common));
}

// Ten at a time; most are made again after nobody used them, some after they had to make room
int check() {
    struct Live {
        std::unique_ptr<Question> question;
        int ranks = 0;
    };
    std::mt19937 random(1);
    std::array<Live, 10> live;
    int wrong = 0;
    for (int i = 0; i < 300; ++i) {
        Live& next = live[random() % live.size()];
        next.question.reset();
        next.ranks = 1 + static_cast<int>(random() % 100);
        const int nodes = 1 + static_cast<int>(random() % static_cast<unsigned>(next.ranks));
        next.question = std::make_unique<Question>(MPIX_Coll_layout_t{next.ranks, 0, nodes, i % 2});
        for (const Live& each : live) {
            if (each.question) {
                wrong += check_layout(*each.question, each.ranks, static_cast<int>(random() % common_rules));
            }
        }
    }
    return wrong;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2 || MPI_Init(&argc, &argv) != MPI_SUCCESS) {
        std::fprintf(stderr, "usage: layout_rules dup TIMES | check\n");
        return 2;
    }
    int wrong = 0;
    if (argc > 2) {
        duplicate(std::atoi(argv[2]));
    } else {
        wrong = check();
        std::printf("%d wrong\n", wrong);
    }
    MPI_Finalize();
    return wrong == 0 ? 0 : 1;
}
