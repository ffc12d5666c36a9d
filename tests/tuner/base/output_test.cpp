// SPDX-License-Identifier: MIT
// What is printed arrives, or is an error; what is told may be lost. In children, whose descriptors are
// closed.
#include "output.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>

#include "error.hpp"
#include "files.hpp"
#include "small_disk.hpp"

namespace {

using namespace tuner;

// The exit status of a child that does this; -1: it was killed
int status_of_child(const std::function<int()>& function) {
    std::fflush(stdout);  // else the child writes it, too
    const pid_t child = fork();
    if (child == 0) {
        int status = 99;
        try {
            status = function();
        } catch (...) {
        }
        _exit(status);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void redirect(int stream, const char* path) {
    const int file = open(path, O_WRONLY);
    dup2(file, stream);
    close(file);
}

// Of write_data, empty if there is none
std::string data_error() {
    try {
        print_data("{}\n", 42);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(StandardStreams, AreNeverGivenToAFile) {
    const TemporaryFolder folder;
    const auto path = folder.path / "journal";
    const int status = status_of_child([&] {
        for (const int stream : {0, 1, 2}) {
            close(stream);
        }
        reserve_standard_streams();
        const int file = open(path.c_str(), O_CREAT | O_WRONLY, 0600);
        write_note("progress");
        const bool told = data_error().starts_with("cannot write to standard output: Bad file descriptor");
        char byte = 0;
        return file > 2 && told && read(0, &byte, 1) < 0 ? 0 : 1;
    });
    EXPECT_EQ(status, 0);
    EXPECT_EQ(read_file(path), "");
}

TEST(StandardStreams, StayAsTheyAre) {
    const TemporaryFolder folder;
    const auto path = folder.path / "output";
    EXPECT_EQ(status_of_child([&] {
                  close(1);
                  const int file = open(path.c_str(), O_CREAT | O_WRONLY, 0600);
                  reserve_standard_streams();
                  print_data("{}\n", 42);
                  return file == 1 ? 0 : 1;
              }),
              0);
    EXPECT_EQ(read_file(path), "42\n");
}

TEST(Data, ThatIsLostIsAnError) {
    EXPECT_EQ(status_of_child([] {
                  redirect(1, "/dev/full");
                  return data_error() ==
                                 "cannot write to standard output: No space left on device; free disk "
                                 "space and run the same command again"
                             ? 0
                             : 1;
              }),
              0);
}

TEST(Data, IsAnErrorIfSomebodyElsesPrintingWasLost) {
    EXPECT_EQ(status_of_child([] {
                  redirect(1, "/dev/full");
                  std::fputs("buffered", stdout);
                  try {
                      write_data("");
                  } catch (const Error&) {
                      return 0;
                  }
                  return 1;
              }),
              0);
}

// also when the reader of a pipe has gone
TEST(Notes, NeverThrow) {
    EXPECT_EQ(status_of_child([] {
                  signal(SIGPIPE, SIG_IGN);
                  redirect(2, "/dev/full");
                  print_note("{}\n", "lost");
                  int ends[2];
                  if (pipe(ends) != 0) {
                      return 1;
                  }
                  dup2(ends[1], 2);
                  close(ends[0]);
                  print_note("{}\n", "lost");
                  return 0;
              }),
              0);
}

}  // namespace
