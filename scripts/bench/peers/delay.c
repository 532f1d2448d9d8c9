// A TCP proxy that simulates a distant or slow server in front of one on this machine. It delays every byte by half
// of the round trip. It reads the first bytes of a connection one round trip after it was accepted, because the
// handshake of a real connection would take that long.
// usage: delay TO-PORT ROUND-TRIP-MS [BYTES-A-SECOND]
// It listens on 127.0.0.1 and prints its port. On SIGUSR1 it prints the number of connections accepted so far, of the
// bytes received from clients, of the bytes sent to clients, and of the connections that were open at the same time, at
// most, since the last SIGUSR1.
// BYTES-A-SECOND limits what each connection sends to its client. The limit counts from the beginning of the
// connection and does not start anew with each request, as nginx's limit_rate does: at any time a connection has sent
// at most its age times the rate. While it has nothing to send, it saves up the right to send at most BURST bytes.
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

// MOST_ON_THE_WAY limits the memory of a connection without a rate; it is far more than the clients leave unread.
// SMALLEST_SEND is what a limited connection waits for, so that it does not wake up for each byte.
enum { PIECE = 256 << 10, MOST_ON_THE_WAY = 256 << 20, BURST = 64 << 10, SMALLEST_SEND = 32 << 10 };
static const int64_t SECOND = 1000000000;

struct chunk {
    struct chunk *next;
    struct end *to;
    int64_t due;
    size_t size, sent; // a size of 0 means the end of the stream
    char bytes[];
};

struct queue {
    struct chunk *first, **last;
};

// One of the two sockets of a proxied connection: the client's or the server's. Bytes received from one are sent to
// the other.
struct end {
    int socket;
    bool is_client, has_begun, has_ended, is_closed, is_limited;
    size_t on_the_way;      // bytes received from this socket and not yet sent to the other
    struct queue unwritten; // chunks that are due, but can't be sent yet
    struct end *other;
    int holders; // number of chunks and lists with a pointer to this end
    int64_t begins;
    struct end *next_to_begin;
    int64_t used_until; // at the rate, all bytes sent so far take until this time
    int64_t resumes;    // when is_limited: the time at which the next bytes may be sent
    struct end *next_limited;
    struct end *next_client;
};

static int poller;
static struct queue under_way = {.last = &under_way.first};
static struct end *to_begin, **last_to_begin = &to_begin;
static struct end *clients; // the ends of all clients, until they are closed
static struct end *limited; // the ends that wait because of the rate, in any order
static int64_t rate;        // bytes a second to each client; 0 is no limit
static size_t most_on_the_way = MOST_ON_THE_WAY;
static long connections, up, down, most_open;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

static void die(const char *what) {
    perror(what);
    exit(1);
}

static void watch(struct end *end) {
    bool reads = end->has_begun && !end->has_ended && end->on_the_way < most_on_the_way;
    bool writes = end->unwritten.first && !end->is_limited;
    struct epoll_event event = {.events = (reads ? EPOLLIN : 0) | (writes ? EPOLLOUT : 0), .data.ptr = end};
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

// Returns how many connections are open on the client's side. The state in the kernel decides, because the proxy may
// accept a new connection before it has handled the end of an older one.
static long count_open(void) {
    long count = 0;
    for (struct end *end = clients; end; end = end->next_client) {
        struct tcp_info info;
        socklen_t size = sizeof info;
        if (getsockopt(end->socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 && info.tcpi_state == TCP_ESTABLISHED) {
            count++;
        }
    }
    return count;
}

static void close_pair(struct end *end) {
    struct end **link = &clients, *client = end->is_client ? end : end->other;
    while (*link && *link != client) link = &(*link)->next_client;
    if (*link) *link = client->next_client;
    for (int side = 0; side < 2; side++, end = end->other) {
        if (end->is_closed) continue;
        end->is_closed = true;
        close(end->socket);
        while (end->unwritten.first) drop(pop(&end->unwritten));
    }
}

// Frees both ends of a closed connection once no chunk and no list has a pointer to one of them.
static void release(struct end *end) {
    if (!end->is_closed || end->holders || end->other->holders || !end->has_begun || !end->other->has_begun) return;
    free(end->other);
    free(end);
}

// Returns the time that sending bytes at the rate takes, rounded up.
static int64_t time_for(size_t bytes) {
    return ((int64_t)bytes * SECOND + rate - 1) / rate;
}

// Limits what an end without anything to send, or with a client that does not receive, has saved up to BURST.
static void limit_burst(struct end *end) {
    if (!rate || !end->is_client) return;
    int64_t earliest = now() - time_for(BURST);
    if (end->used_until < earliest) end->used_until = earliest;
}

// Returns how many of the bytes may be sent now; 0 if the end has to wait because of the rate.
static size_t allowed(struct end *to, size_t bytes) {
    if (!rate || !to->is_client) return bytes;
    int64_t saved = now() - to->used_until;
    if (saved >= time_for(bytes)) return bytes;
    size_t least = bytes < SMALLEST_SEND ? bytes : SMALLEST_SEND;
    // Less than the time for the bytes of one chunk, so that the product fits.
    if (saved >= time_for(least)) return saved * rate / SECOND;
    to->resumes = to->used_until + time_for(least);
    to->is_limited = true;
    to->holders++;
    to->next_limited = limited;
    limited = to;
    return 0;
}

// Sends a chunk, and returns false if a part of it can't be sent yet.
static bool write_out(struct chunk *chunk) {
    struct end *to = chunk->to;
    if (chunk->size == 0) {
        shutdown(to->socket, SHUT_WR);
        // The connection is over when both directions have ended.
        if (to->has_ended) close_pair(to);
        return true;
    }
    while (chunk->sent < chunk->size) {
        size_t most = allowed(to, chunk->size - chunk->sent);
        if (most == 0) return false;
        ssize_t count = send(to->socket, chunk->bytes + chunk->sent, most, MSG_NOSIGNAL);
        if (count < 0) {
            if (errno == EAGAIN) return false;
            if (errno == EINTR) continue;
            close_pair(to);
            return true;
        }
        chunk->sent += count;
        if (!to->is_client) continue;
        down += count;
        if (rate) to->used_until += time_for(count);
    }
    return true;
}

static void arrive(struct chunk *chunk) {
    struct end *to = chunk->to;
    if (to->is_closed) {
        drop(chunk);
        release(to);
        return;
    }
    if (!to->unwritten.first) limit_burst(to);
    if (to->unwritten.first || !write_out(chunk)) {
        push(&to->unwritten, chunk);
        watch(to);
        return;
    }
    drop(chunk);
    if (to->is_closed) {
        release(to);
    } else {
        watch(to->other);
    }
}

// Sends the chunks that are due, as far as the socket and the rate allow it.
static void write_due(struct end *end) {
    while (end->unwritten.first) {
        if (!write_out(end->unwritten.first)) break;
        // Closing the connection has freed its chunks.
        if (end->is_closed) return;
        drop(pop(&end->unwritten));
    }
    watch(end);
    watch(end->other);
}

// Continues the ends that were limited and may send again.
static void resume_limited(int64_t time) {
    struct end *end = limited;
    limited = NULL;
    while (end) {
        struct end *next = end->next_limited;
        if (!end->is_closed && end->resumes > time) {
            end->next_limited = limited;
            limited = end;
        } else {
            end->is_limited = false;
            end->holders--;
            if (!end->is_closed) write_due(end);
            if (end->is_closed) release(end);
        }
        end = next;
    }
}

static void read_in(struct end *end, int64_t delay) {
    static char bytes[PIECE];
    ssize_t count = recv(end->socket, bytes, sizeof bytes, 0);
    if (count < 0) {
        if (errno == EAGAIN || errno == EINTR) return;
        close_pair(end);
        return release(end);
    }
    if (count == 0) end->has_ended = true;
    if (end->is_client) up += count;
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
    *end = (struct end){.socket = socket, .is_client = is_client, .used_until = now()};
    end->unwritten.last = &end->unwritten.first;
    struct epoll_event event = {.events = 0, .data.ptr = end};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, socket, &event) < 0) die("epoll_ctl");
    return end;
}

static void accept_one(int listener, const struct sockaddr_in *target, int64_t round_trip) {
    int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (client < 0) return;
    int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    // On this machine, connecting succeeds or fails at once.
    if (server < 0 || connect(server, (const struct sockaddr *)target, sizeof *target) < 0) {
        close(client);
        if (server >= 0) close(server);
        return;
    }
    connections++;
    struct end *a = new_end(client, true), *b = new_end(server, false);
    a->other = b;
    b->other = a;
    a->next_client = clients;
    clients = a;
    long open = count_open();
    if (open > most_open) most_open = open;
    b->has_begun = true;
    watch(b);
    a->begins = now() + round_trip;
    *last_to_begin = a;
    last_to_begin = &a->next_to_begin;
}

int main(int count, char **words) {
    if (count == 4) rate = atoll(words[3]);
    if ((count != 3 && count != 4) || (count == 4 && rate <= 0)) {
        fprintf(stderr, "usage: delay TO-PORT ROUND-TRIP-MS [BYTES-A-SECOND]\n");
        return 2;
    }
    // With a rate, a second's worth.
    if (rate && rate < MOST_ON_THE_WAY) most_on_the_way = rate;
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
        // Both lists are in the order of time, because everything in a list waits equally long.
        while (under_way.first && under_way.first->due <= time) arrive(pop(&under_way));
        while (to_begin && to_begin->begins <= time) {
            struct end *end = to_begin;
            to_begin = end->next_to_begin;
            if (!to_begin) last_to_begin = &to_begin;
            end->has_begun = true;
            if (end->is_closed) {
                release(end);
            } else {
                watch(end);
            }
        }
        resume_limited(time);
        int64_t next = INT64_MAX;
        if (under_way.first) next = under_way.first->due;
        if (to_begin && to_begin->begins < next) next = to_begin->begins;
        for (struct end *end = limited; end; end = end->next_limited) {
            if (end->resumes < next) next = end->resumes;
        }
        int64_t wait = next > time ? next - time : 0;
        struct timespec limit = {.tv_sec = wait / SECOND, .tv_nsec = wait % SECOND};
        // One event at a time, because handling it may free an end that another event points to.
        if (epoll_pwait2(poller, &event, 1, next == INT64_MAX ? NULL : &limit, NULL) < 1) continue;
        if (event.data.ptr == &listener) {
            accept_one(listener, &target, round_trip);
        } else if (event.data.ptr == &asked) {
            struct signalfd_siginfo which;
            if (read(asked, &which, sizeof which) > 0) printf("%ld %ld %ld %ld\n", connections, up, down, most_open);
            fflush(stdout);
            most_open = count_open();
        } else {
            struct end *end = event.data.ptr;
            if (event.events & EPOLLOUT) {
                limit_burst(end);
                write_due(end);
            } else if (end->has_begun && (event.events & EPOLLIN)) {
                read_in(end, round_trip / 2);
            } else if (event.events & (EPOLLHUP | EPOLLERR)) {
                // The socket is closed in both directions; what was received from it is still sent to the other end.
                if (!end->has_begun || end->has_ended || event.events & EPOLLERR) {
                    close_pair(end);
                } else {
                    read_in(end, round_trip / 2);
                }
            }
            if (end->is_closed) release(end);
        }
    }
}
