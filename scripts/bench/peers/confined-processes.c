// Copies itself often; each copy confines itself as store-worker does, with Landlock and seccomp, and ends. Two processes make
// copies side by side. What is left when a confined process for each task does no task.
// usage: confined-processes COUNT DIRECTORY
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// As many calls are allowed.
enum { CALLS = 70 };

static void require(int is_true, const char *what) {
    if (is_true) return;
    perror(what);
    _exit(1);
}

static void confine(int directory) {
    require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no new privileges");
    require(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0, "not dumpable");
    const struct { int resource; rlim_t value; } limits[] = {
        {RLIMIT_DATA, 512 << 20}, {RLIMIT_CPU, 300}, {RLIMIT_FSIZE, 1 << 30}, {RLIMIT_NOFILE, 64}, {RLIMIT_CORE, 0}};
    for (size_t each = 0; each < sizeof limits / sizeof *limits; each++) {
        struct rlimit limit = {limits[each].value, limits[each].value};
        require(setrlimit(limits[each].resource, &limit) == 0, "setrlimit");
    }
    struct landlock_ruleset_attr rights = {.handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1};
    int rules = (int)syscall(SYS_landlock_create_ruleset, &rights, sizeof rights, 0);
    struct landlock_path_beneath_attr beneath = {
        .allowed_access = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR,
        .parent_fd = directory};
    require(rules >= 0 && syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) == 0
                && syscall(SYS_landlock_restrict_self, rules, 0) == 0, "Landlock");
    struct sock_filter program[2 + 2 * CALLS] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
    for (int call = 0; call < CALLS; call++) {
        // Numbers that no call has, but for the one that ends the process.
        program[1 + 2 * call] = (struct sock_filter)BPF_JUMP(
            BPF_JMP | BPF_JEQ | BPF_K, call == 0 ? SYS_exit_group : 10000 + (unsigned)call, 0, 1);
        program[2 + 2 * call] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    program[1 + 2 * CALLS] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    struct sock_fprog filter = {2 + 2 * CALLS, program};
    require(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0, "seccomp");
}

static void copies(int count, int directory) {
    while (count-- > 0) {
        pid_t copy = fork();
        if (copy == 0) {
            confine(directory);
            syscall(SYS_exit_group, 0);
        }
        int status = 1;
        require(copy > 0 && waitpid(copy, &status, 0) == copy && status == 0, "a copy");
    }
}

int main(int count, char **words) {
    if (count != 3) return 2;
    int copied = atoi(words[1]), directory = open(words[2], O_PATH | O_DIRECTORY | O_CLOEXEC), status = 1;
    require(directory >= 0, words[2]);
    pid_t other = fork();
    copies(other == 0 ? copied / 2 : copied - copied / 2, directory);
    if (other == 0) return 0;
    require(other > 0 && waitpid(other, &status, 0) == other && status == 0, "the other process");
    return 0;
}
