// SPDX-License-Identifier: MIT
// A file system without locks, made by a filter of system calls: journal_test has the rest.
#include "run_lock.hpp"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "error.hpp"
#include "small_disk.hpp"

namespace {

using namespace tuner;

// In this process and for ever, flock fails
bool make_flock_fail(int reason) {
    sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_flock, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(reason)),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program = {std::size(filter), filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

enum Seen { right, wrong, locked, no_filter };

Seen seen_with(int reason, const std::filesystem::path& folder) {
    const pid_t child = fork();
    if (child == 0) {
        if (!make_flock_fail(reason)) {
            _exit(no_filter);
        }
        try {
            const RunLock lock(folder);
        } catch (const Error& error) {
            const std::string text = error.what();
            const bool is_right = text.find(std::strerror(reason)) != std::string::npos &&
                                  text.find("its file system has no locks (flock)") != std::string::npos &&
                                  text.find("in use by") == std::string::npos &&
                                  text.find("name a --run on another file system") != std::string::npos;
            _exit(is_right ? right : wrong);
        }
        _exit(locked);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return static_cast<Seen>(WEXITSTATUS(status));
}

TEST(RunLock, SaysThatAFileSystemHasNone) {
    const TemporaryFolder folder;
    for (const int reason : {ENOLCK, ENOSYS, EOPNOTSUPP, EINVAL}) {
        const Seen seen = seen_with(reason, folder.path);
        if (seen == no_filter) {
            GTEST_SKIP() << "this kernel has no filters of system calls";
        }
        EXPECT_EQ(seen, right) << std::strerror(reason);
    }
}

}  // namespace
