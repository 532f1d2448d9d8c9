// The floor: makes as many files of as many bytes as an archive would give, and does nothing else.
// usage: make-files FOLDER FOLDERS FILES SIZE: each of FOLDERS gets FILES files of SIZE bytes.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(const char *what) {
    perror(what);
    return 1;
}

int main(int count, char **words) {
    if (count != 5) return 2;
    int folders = atoi(words[2]), files = atoi(words[3]), size = atoi(words[4]);
    char *bytes = malloc(size);
    if (!bytes) return 1;
    memset(bytes, 'x', size);
    if (chdir(words[1])) return fail(words[1]);
    for (int folder = 0; folder < folders; folder++) {
        char name[32];
        snprintf(name, sizeof name, "%d", folder);
        if (mkdir(name, 0755)) return fail(name);
        int directory = open(name, O_RDONLY | O_DIRECTORY);
        for (int file = 0; file < files; file++) {
            snprintf(name, sizeof name, "%05d.txt", file);
            int made = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL, 0644);
            if (made < 0 || write(made, bytes, size) != size || close(made)) return fail(name);
        }
        close(directory);
    }
    return 0;
}
