// Runs a command, and prints the largest resident memory that it used, in KiB, as the last line.
// A program that is started by a large process seems to use the memory of that one (getrusage(2) counts from before
// execve(2)); this one is small.
// usage: largest-memory COMMAND [ARGUMENT...]
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **words) {
    if (count < 2) return 2;
    pid_t child = fork();
    if (child == 0) {
        execvp(words[1], words + 1);
        perror(words[1]);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) != child) {
        perror("wait4");
        return 1;
    }
    printf("%ld\n", usage.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
