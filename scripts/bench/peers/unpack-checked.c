// Unpacks one ZIP of directories and files, checks that both headers of each entry agree and its CRC, and hashes each file for a
// receipt: the least that the same work takes. The archive's names and headers are believed, as only the inputs of this benchmark are.
// usage: unpack-checked ARCHIVE FOLDER: prints the number of files and bytes.
#include <fcntl.h>
#include <libdeflate.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST = 8 << 20, PREFIX = sizeof "pack/" - 1 };

static void require(int is_true, const char *what) {
    if (is_true) return;
    fprintf(stderr, "unpack-checked: %s: %m\n", what);
    exit(1);
}

static unsigned little(const unsigned char *at, int bytes) { return bytes ? at[0] | little(at + 1, bytes - 1) << 8 : 0; }

// Returns the directory that has the file of this path, and `path` begins with its name there.
static int directory_of(char **path) {
    static int open_directory = -1;
    static char open_name[256];
    char *slash = strrchr(*path, '/');
    if (!slash) return AT_FDCWD;
    *slash = 0;
    // The files of a directory are next to one another.
    if (open_directory < 0 || strcmp(open_name, *path)) {
        close(open_directory);
        require(mkdir(*path, 0755) == 0, *path);
        open_directory = open(*path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        require(open_directory >= 0, *path);
        strcpy(open_name, *path);
    }
    *path = slash + 1;
    return open_directory;
}

int main(int count, char **words) {
    if (count != 3) return 2;
    struct stat status;
    int archive = open(words[1], O_RDONLY | O_CLOEXEC);
    require(archive >= 0 && fstat(archive, &status) == 0 && status.st_size >= 22, words[1]);
    const unsigned char *bytes = mmap(NULL, status.st_size, PROT_READ, MAP_SHARED | MAP_POPULATE, archive, 0);
    require(bytes != MAP_FAILED && chdir(words[2]) == 0, words[2]);
    const unsigned char *end = bytes + status.st_size - 22, *entry = bytes + little(end + 16, 4);
    require(little(end, 4) == 0x06054b50, "end record");
    struct libdeflate_decompressor *inflater = libdeflate_alloc_decompressor();
    EVP_MD_CTX *digest = EVP_MD_CTX_new();
    EVP_MD *sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    unsigned char *contents = malloc(LARGEST), found[EVP_MAX_MD_SIZE];
    require(inflater && digest && sha256 && contents, "memory");
    unsigned entries = little(end + 10, 2);
    unsigned long long all = 0;
    for (unsigned each = 0; each < entries; each++) {
        unsigned packed = little(entry + 20, 4), size = little(entry + 24, 4), length = little(entry + 28, 2);
        const unsigned char *local = bytes + little(entry + 42, 4);
        char name[256], *path = name + PREFIX;
        require(length > PREFIX && length < sizeof name && size <= LARGEST && little(entry + 10, 2) == 8, "entry");
        require(!memcmp(local + 6, entry + 8, 22) && !memcmp(local + 30, entry + 46, length), "local header");
        memcpy(name, entry + 46, length);
        name[length] = 0;
        const unsigned char *from = local + 30 + length + little(local + 28, 2);
        require(libdeflate_deflate_decompress(inflater, from, packed, contents, size, NULL) == 0, name);
        require(libdeflate_crc32(0, contents, size) == little(entry + 16, 4), name);
        require(EVP_DigestInit_ex2(digest, sha256, NULL) && EVP_DigestUpdate(digest, contents, size)
            && EVP_DigestFinal_ex(digest, found, NULL), name);
        int folder = directory_of(&path);
        int file = openat(folder, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
        require(file >= 0 && write(file, contents, size) == (ssize_t)size && close(file) == 0, path);
        all += size;
        entry += 46 + length + little(entry + 30, 2) + little(entry + 32, 2);
    }
    printf("%u files, %llu bytes\n", entries, all);
    return 0;
}
