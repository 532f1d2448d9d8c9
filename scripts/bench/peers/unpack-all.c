// Unpacks many ZIPs with libarchive in one process, each into a folder of its own, and syncs once at the end.
// usage: unpack-all TARGET ZIP...
#define _GNU_SOURCE
#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(struct archive *archive, const char *path) {
    fprintf(stderr, "%s: %s\n", path, archive_error_string(archive));
    return 1;
}

static int copy(struct archive *from, struct archive *to) {
    const void *bytes;
    size_t count;
    la_int64_t offset;
    int result;
    while ((result = archive_read_data_block(from, &bytes, &count, &offset)) == ARCHIVE_OK) {
        if (archive_write_data_block(to, bytes, count, offset) < ARCHIVE_OK) return ARCHIVE_FATAL;
    }
    return result == ARCHIVE_EOF ? ARCHIVE_OK : result;
}

static int unpack(const char *zip, const char *target) {
    struct archive *from = archive_read_new(), *to = archive_write_disk_new();
    archive_read_support_format_zip(from);
    archive_write_disk_set_options(
        to, ARCHIVE_EXTRACT_SECURE_SYMLINKS | ARCHIVE_EXTRACT_SECURE_NODOTDOT | ARCHIVE_EXTRACT_UNLINK);
    if (archive_read_open_filename(from, zip, 128 << 10) != ARCHIVE_OK) return fail(from, zip);
    const char *name = strrchr(zip, '/');
    name = name ? name + 1 : zip;
    struct archive_entry *entry;
    int result;
    while ((result = archive_read_next_header(from, &entry)) == ARCHIVE_OK) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s/%s", target, name, archive_entry_pathname(entry));
        archive_entry_set_pathname(entry, path);
        if (archive_write_header(to, entry) < ARCHIVE_OK || copy(from, to) != ARCHIVE_OK) return fail(to, path);
        if (archive_write_finish_entry(to) < ARCHIVE_OK) return fail(to, path);
    }
    if (result != ARCHIVE_EOF) return fail(from, zip);
    archive_read_free(from);
    archive_write_free(to);
    return 0;
}

int main(int count, char **words) {
    if (count < 3) return 2;
    for (int zip = 2; zip < count; zip++) {
        if (unpack(words[zip], words[1])) return 1;
    }
    int folder = open(words[1], O_RDONLY | O_DIRECTORY);
    if (folder < 0 || syncfs(folder)) {
        perror(words[1]);
        return 1;
    }
    return 0;
}
