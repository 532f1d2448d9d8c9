// The least that a program must do to ask the daemon: sends a request to its socket, and prints the body of the response.
// usage: ask-daemon SOCKET PATH
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int count, char **words) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (count != 3 || strlen(words[1]) >= sizeof address.sun_path) return 2;
    strcpy(address.sun_path, words[1]);
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(connection, (struct sockaddr *)&address, sizeof address)) return perror("connect"), 1;
    if (dprintf(connection, "GET %s HTTP/1.1\r\nHost: stored\r\nConnection: close\r\n\r\n", words[2]) < 0) return perror("send"), 1;
    static char bytes[1 << 20];
    size_t filled = 0;
    char *body = NULL;
    ssize_t more;
    while ((more = recv(connection, bytes + filled, sizeof bytes - 1 - filled, 0)) > 0) {
        filled += more;
        bytes[filled] = 0;
        if (!body && (body = strstr(bytes, "\r\n\r\n"))) body += 4;
    }
    if (more < 0 || filled == sizeof bytes - 1) return fprintf(stderr, "the response broke off or is too long\n"), 1;
    if (!body || strncmp(bytes, "HTTP/1.1 200", 12)) return fprintf(stderr, "%.80s\n", bytes), 1;
    size_t size = bytes + filled - body;
    return fwrite(body, 1, size, stdout) != size;
}
