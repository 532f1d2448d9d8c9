// Many event readers of one daemon, which do nothing but read.
// usage: event-readers RUN-FOLDER COUNT   prints "ready" when all are answered, and on SIGUSR1
//        "LEAST MOST KINDS": the events that the readers have had, progress aside, by those who had the least and
//        the most of them, and how many different rows of them there are: 1 where all have had the same in the same order.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// An event's line has some 600 bytes.
enum { LONGEST = 16 << 10 };

struct reader {
    int socket;
    bool is_answered;
    long events;
    uint64_t hash;
    size_t kept; // bytes of a line that has not ended
    char line[LONGEST];
};

static void die(const char *what) {
    perror(what);
    exit(1);
}

static int open_reader(int folder) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/stored.sock", folder);
    int result = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (result < 0 || connect(result, (struct sockaddr *)&address, sizeof address) < 0) die("connect");
    static const char request[] = "GET /v1/events HTTP/1.1\r\nHost: stored\r\n\r\n";
    if (send(result, request, sizeof request - 1, MSG_NOSIGNAL) != sizeof request - 1) die("send");
    fcntl(result, F_SETFL, O_NONBLOCK);
    return result;
}

static void take(struct reader *reader, const char *line, size_t size) {
    static const char data[] = "data: ", progress[] = "\"activity\":\"transferring\"";
    if (size < sizeof data - 1 || memcmp(line, data, sizeof data - 1) != 0) return;
    if (memmem(line, size, progress, sizeof progress - 1)) return;
    reader->events++;
    // FNV-1a
    for (size_t place = 0; place < size; place++) reader->hash = (reader->hash ^ (uint8_t)line[place]) * 0x100000001b3;
}

// false at the end
static bool read_in(struct reader *reader) {
    static char bytes[256 << 10];
    ssize_t count = recv(reader->socket, bytes, sizeof bytes, 0);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    if (count == 0) return false;
    reader->is_answered = true;
    const char *start = bytes, *end = bytes + count, *newline;
    while ((newline = memchr(start, '\n', end - start))) {
        size_t size = newline - start;
        if (reader->kept) {
            if (reader->kept + size > LONGEST) die("an event is too long");
            memcpy(reader->line + reader->kept, start, size);
            take(reader, reader->line, reader->kept + size);
            reader->kept = 0;
        } else {
            take(reader, start, size);
        }
        start = newline + 1;
    }
    if (reader->kept + (end - start) > LONGEST) die("an event is too long");
    memcpy(reader->line + reader->kept, start, end - start);
    reader->kept += end - start;
    return true;
}

static void tell(const struct reader *readers, int count) {
    long least = readers[0].events, most = 0;
    int kinds = 0;
    for (int reader = 0; reader < count; reader++) {
        if (readers[reader].events < least) least = readers[reader].events;
        if (readers[reader].events > most) most = readers[reader].events;
        bool is_new = true;
        for (int other = 0; other < reader && is_new; other++) is_new = readers[other].hash != readers[reader].hash;
        kinds += is_new;
    }
    printf("%ld %ld %d\n", least, most, kinds);
    fflush(stdout);
}

int main(int count, char **words) {
    if (count != 3) {
        fprintf(stderr, "usage: event-readers RUN-FOLDER COUNT\n");
        return 2;
    }
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    int folder = open(words[1], O_PATH), all = atoi(words[2]);
    if (folder < 0 || all < 1) die(words[1]);

    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    int asked = signalfd(-1, &signals, SFD_CLOEXEC), poller = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    epoll_ctl(poller, EPOLL_CTL_ADD, asked, &event);
    struct reader *readers = calloc(all, sizeof *readers);
    if (!readers) die("calloc");
    for (int reader = 0; reader < all; reader++) {
        readers[reader] = (struct reader){.socket = open_reader(folder), .hash = 0xcbf29ce484222325};
        event.data.ptr = &readers[reader];
        epoll_ctl(poller, EPOLL_CTL_ADD, readers[reader].socket, &event);
    }
    int answered = 0, open = all;
    while (open > 0) {
        struct epoll_event ready[256];
        int number = epoll_wait(poller, ready, 256, -1);
        for (int place = 0; place < number; place++) {
            struct reader *reader = ready[place].data.ptr;
            if (!reader) {
                struct signalfd_siginfo which;
                if (read(asked, &which, sizeof which) > 0) tell(readers, all);
                continue;
            }
            bool was_answered = reader->is_answered;
            if (!read_in(reader)) {
                close(reader->socket);
                open--;
            } else if (reader->is_answered && !was_answered && ++answered == all) {
                printf("ready\n");
                fflush(stdout);
            }
        }
    }
    return 0;
}
