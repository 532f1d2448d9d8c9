// A far-away server: passes TCP connections on, each byte later by half of the round trip, as many at once as come.
// What a connection costs in round trips is kept: its first bytes are not read before a handshake would be over.
// usage: delay TO-PORT ROUND-TRIP-MS   listens on 127.0.0.1, prints its port, and on SIGUSR1
//        "connections UP-BYTES DOWN-BYTES" so far.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// More is left to the kernel, so that nothing grows without end; far more than what is on its way at once.
enum { PIECE = 256 << 10, MOST_ON_THE_WAY = 256 << 20 };

struct chunk {
    struct chunk *next;
    struct end *to;
    int64_t due;
    size_t size, sent; // a size of 0 is the end of the stream
    char bytes[];
};

struct queue {
    struct chunk *first, **last;
};

// One end of a connection that is passed on; what comes in here goes out at the other.
struct end {
    int socket;
    bool is_client, has_begun, has_ended, is_broken;
    size_t on_the_way;      // bytes read here and not yet written at the other end
    struct queue unwritten; // what was due and found no room
    struct end *other;
    int holders; // chunks that name it
    int64_t begins;
    struct end *next_to_begin;
};

static int poller;
static struct queue under_way = {.last = &under_way.first};
static struct end *to_begin, **last_to_begin = &to_begin;
static long connections, up, down;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void die(const char *what) {
    perror(what);
    exit(1);
}

static void watch(struct end *end) {
    bool reads = end->has_begun && !end->has_ended && end->on_the_way < MOST_ON_THE_WAY;
    struct epoll_event event = {
        .events = (reads ? EPOLLIN : 0) | (end->unwritten.first ? EPOLLOUT : 0), .data.ptr = end};
    epoll_ctl(poller, EPOLL_CTL_MOD, end->socket, &event);
}

static void push(struct queue *queue, struct chunk *chunk) {
    chunk->next = NULL;
    *queue->last = chunk;
    queue->last = &chunk->next;
}

static struct chunk *pop(struct queue *queue) {
    struct chunk *chunk = queue->first;
    queue->first = chunk->next;
    if (!queue->first) queue->last = &queue->first;
    return chunk;
}

static void drop(struct chunk *chunk) {
    chunk->to->other->on_the_way -= chunk->size;
    chunk->to->holders--;
    free(chunk);
}

static void break_off(struct end *end) {
    for (int side = 0; side < 2; side++, end = end->other) {
        if (end->is_broken) continue;
        end->is_broken = true;
        close(end->socket);
        while (end->unwritten.first) drop(pop(&end->unwritten));
    }
}

// Frees a pair that is broken off and named by nobody.
static void release(struct end *end) {
    if (!end->is_broken || end->holders || end->other->holders || !end->has_begun || !end->other->has_begun) return;
    free(end->other);
    free(end);
}

// false where there is no room yet
static bool write_out(struct chunk *chunk) {
    struct end *to = chunk->to;
    if (chunk->size == 0) {
        shutdown(to->socket, SHUT_WR);
        // The pair is done with when both directions are.
        if (to->has_ended) break_off(to);
        return true;
    }
    while (chunk->sent < chunk->size) {
        ssize_t count = send(to->socket, chunk->bytes + chunk->sent, chunk->size - chunk->sent, MSG_NOSIGNAL);
        if (count < 0) {
            if (errno == EAGAIN) return false;
            if (errno == EINTR) continue;
            break_off(to);
            return true;
        }
        chunk->sent += count;
    }
    return true;
}

static void arrive(struct chunk *chunk) {
    struct end *to = chunk->to;
    if (to->is_broken) {
        drop(chunk);
        release(to);
        return;
    }
    if (to->unwritten.first || !write_out(chunk)) {
        push(&to->unwritten, chunk);
        watch(to);
        return;
    }
    drop(chunk);
    if (to->is_broken) {
        release(to);
    } else {
        watch(to->other);
    }
}

static void read_in(struct end *end, int64_t delay) {
    static char bytes[PIECE];
    ssize_t count = recv(end->socket, bytes, sizeof bytes, 0);
    if (count < 0) {
        if (errno == EAGAIN || errno == EINTR) return;
        break_off(end);
        return release(end);
    }
    if (count == 0) end->has_ended = true;
    *(end->is_client ? &up : &down) += count;
    struct chunk *chunk = malloc(sizeof *chunk + count);
    if (!chunk) die("malloc");
    *chunk = (struct chunk){.to = end->other, .due = now() + delay, .size = count};
    memcpy(chunk->bytes, bytes, count);
    end->other->holders++;
    end->on_the_way += count;
    push(&under_way, chunk);
    watch(end);
}

static struct end *new_end(int socket, bool is_client) {
    struct end *end = calloc(1, sizeof *end);
    if (!end) die("calloc");
    int yes = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    fcntl(socket, F_SETFL, O_NONBLOCK);
    *end = (struct end){.socket = socket, .is_client = is_client};
    end->unwritten.last = &end->unwritten.first;
    struct epoll_event event = {.events = 0, .data.ptr = end};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, socket, &event) < 0) die("epoll_ctl");
    return end;
}

static void accept_one(int listener, const struct sockaddr_in *target, int64_t round_trip) {
    int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (client < 0) return;
    int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    // On this machine it is made or refused at once.
    if (server < 0 || connect(server, (const struct sockaddr *)target, sizeof *target) < 0) {
        close(client);
        if (server >= 0) close(server);
        return;
    }
    connections++;
    struct end *a = new_end(client, true), *b = new_end(server, false);
    a->other = b;
    b->other = a;
    b->has_begun = true;
    watch(b);
    a->begins = now() + round_trip;
    *last_to_begin = a;
    last_to_begin = &a->next_to_begin;
}

int main(int count, char **words) {
    if (count != 3) {
        fprintf(stderr, "usage: delay TO-PORT ROUND-TRIP-MS\n");
        return 2;
    }
    struct sockaddr_in target = {.sin_family = AF_INET, .sin_port = htons(atoi(words[1]))};
    target.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int64_t round_trip = atoll(words[2]) * 1000000;

    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, size) < 0 || listen(listener, 1024) < 0) die("listen");
    getsockname(listener, (struct sockaddr *)&address, &size);

    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    int asked = signalfd(-1, &signals, SFD_CLOEXEC);
    poller = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &listener};
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
    event.data.ptr = &asked;
    epoll_ctl(poller, EPOLL_CTL_ADD, asked, &event);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);

    while (true) {
        int64_t time = now();
        // Both lists are in the order of time, for each waits as long as the one before it.
        while (under_way.first && under_way.first->due <= time) arrive(pop(&under_way));
        while (to_begin && to_begin->begins <= time) {
            struct end *end = to_begin;
            to_begin = end->next_to_begin;
            if (!to_begin) last_to_begin = &to_begin;
            end->has_begun = true;
            if (end->is_broken) {
                release(end);
            } else {
                watch(end);
            }
        }
        int64_t next = INT64_MAX;
        if (under_way.first) next = under_way.first->due;
        if (to_begin && to_begin->begins < next) next = to_begin->begins;
        int64_t wait = next - time;
        struct timespec limit = {.tv_sec = wait / 1000000000, .tv_nsec = wait % 1000000000};
        // One at a time: an event may free what another one names.
        if (epoll_pwait2(poller, &event, 1, next == INT64_MAX ? NULL : &limit, NULL) < 1) continue;
        if (event.data.ptr == &listener) {
            accept_one(listener, &target, round_trip);
        } else if (event.data.ptr == &asked) {
            struct signalfd_siginfo which;
            if (read(asked, &which, sizeof which) > 0) printf("%ld %ld %ld\n", connections, up, down);
            fflush(stdout);
        } else {
            struct end *end = event.data.ptr;
            if (event.events & EPOLLOUT) {
                while (end->unwritten.first) {
                    if (!write_out(end->unwritten.first)) break;
                    if (end->is_broken) break;
                    drop(pop(&end->unwritten));
                }
                if (!end->is_broken) {
                    watch(end);
                    watch(end->other);
                }
            } else if (end->has_begun && (event.events & EPOLLIN)) {
                read_in(end, round_trip / 2);
            } else if (event.events & (EPOLLHUP | EPOLLERR)) {
                // Both directions are over for this one; what is under way to the other still arrives.
                if (!end->has_begun || end->has_ended || event.events & EPOLLERR) {
                    break_off(end);
                } else {
                    read_in(end, round_trip / 2);
                }
            }
            if (end->is_broken) release(end);
        }
    }
}
