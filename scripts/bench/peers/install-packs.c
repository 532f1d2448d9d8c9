// Installs packs into a home whose daemon has ended, as the daemon would, but in one process that nobody asks or watches: the least
// that the same durable work takes. A daemon that is started afterwards finds packs that it could have installed itself.
// usage: install-packs HOME URL CERTIFICATE LIST
//   Fetches catalogue.json to open its connections, prints "warm", and waits for a line on its input, as a running daemon waits for
//   a request. Then it installs the packs of the file LIST, prints "done", and ends with its input. URL is the store's, with a slash
//   at its end; CERTIFICATE is a file to trust, or "-". A line of LIST has a pack's identifier and version, its archive's path, size
//   and SHA-256, and the SHA-256 of the list of its files. No text needs to be escaped in JSON.
//
// An archive is hashed while it is written to a partial file, then checked, unpacked into staging and described by a receipt. Packs
// are committed in groups: a sync of the file system, a rename for each pack, a sync of the packs directory, one transaction. So
// a crash leaves each pack complete or not there at all, and operations without an end, whose plans say what to fetch again.
// There are two threads, each with half of the packs: one can work while the other waits for the disk.
#define _GNU_SOURCE
#include <curl/curl.h>
#include <fcntl.h>
#include <libdeflate.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// Of each thread, transfers at once and connections to the server: both threads together have as many as the daemon.
enum { THREADS = 2, AT_ONCE = 96, CONNECTIONS = 2 };
// A group of the daemon has as many packs. No archive may be larger, nor may a file or a receipt.
enum { GROUP = 128, LARGEST = 8 << 20 };
// Events of each pack; digits of a SHA-256 with the zero at the end.
enum { EVENTS = 7, DIGITS = 65 };

struct pack {
    char *identifier, *version, *path, *sha256, *files_sha256, operation[32], directory[256];
    size_t size, unpacked;
    struct stat receipt;
};

struct transfer {
    CURL *curl;
    EVP_MD_CTX *digest;
    struct pack *pack;
    int file;
    size_t received;
};

static struct worker {
    pthread_t thread;
    CURLM *all;
    struct transfer transfers[AT_ONCE];
    struct pack *next, *group[GROUP];
    int staged;
    struct libdeflate_decompressor *inflater;
    EVP_MD_CTX *digest, *files_digest;
    unsigned char archive[LARGEST], contents[LARGEST];
    char receipt[LARGEST];
} workers[THREADS];

static const char *address, *certificate;
static struct pack *packs, *end_of_packs;
static int partial, archives, staging, installed;
static EVP_MD *sha256;
static sqlite3 *database;
static pthread_mutex_t database_lock = PTHREAD_MUTEX_INITIALIZER, journal_lock = PTHREAD_MUTEX_INITIALIZER;
static struct { int file; long long next; size_t count; char bytes[256 << 10]; } journal;

static void require(int is_true, const char *what) {
    if (is_true) return;
    fprintf(stderr, "install-packs: %s: %m\n", what);
    exit(1);
}

static void finish(EVP_MD_CTX *digest, char text[DIGITS]) {
    unsigned char value[EVP_MAX_MD_SIZE];
    EVP_DigestFinal_ex(digest, value, NULL);
    for (int digit = 0; digit < DIGITS - 1; digit++) text[digit] = "0123456789abcdef"[value[digit / 2] >> (digit % 2 ? 0 : 4) & 15];
    text[DIGITS - 1] = 0;
}

static long long milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static char *time_text(char *text) {
    time_t now = time(NULL);
    struct tm parts;
    return strftime(text, 32, "%FT%TZ", gmtime_r(&now, &parts)) ? text : "";
}

// Writes the gathered events to the journal, where they survive the end of the process; like the daemon's, they are not synced.
static void flush_journal(void) {
    require(write(journal.file, journal.bytes, journal.count) == (ssize_t)journal.count, "journal");
    journal.count = 0;
}

__attribute__((format(printf, 1, 2))) static void publish(const char *format, ...) {
    char now[32];
    va_list values;
    va_start(values, format);
    pthread_mutex_lock(&journal_lock);
    // No event is as long.
    if (sizeof journal.bytes - journal.count < 4096) flush_journal();
    char *to = journal.bytes + journal.count;
    to += sprintf(to, "%lld {", journal.next);
    to += vsprintf(to, format, values);
    to += sprintf(to, ",\"sequence\":%lld,\"time\":\"%s\"}\n", journal.next++, time_text(now));
    journal.count = to - journal.bytes;
    pthread_mutex_unlock(&journal_lock);
    va_end(values);
}

static void publish_state(struct pack *pack, const char *state, const char *activity, size_t received) {
    publish("\"action\":\"install\",\"activity\":\"%s\",\"attempt\":1,\"bytesExpected\":%zu,\"bytesReceived\":%zu,\"error\":null,"
        "\"fraction\":%d,\"kind\":\"sticker\",\"operation\":\"%s\",\"priority\":0,\"productIdentifier\":\"%s\",\"rate\":null,"
        "\"reason\":null,\"reasonCode\":null,\"retryAt\":null,\"secondsLeft\":null,\"source\":null,\"state\":\"%s\","
        "\"store\":\"bench\",\"type\":\"download\"",
        activity, pack->size, received, received == pack->size, pack->operation, pack->identifier, state);
}

static void sql(const char *text) { require(sqlite3_exec(database, text, NULL, NULL, NULL) == SQLITE_OK, text); }

// Changes one row by a statement, which is prepared once, with a value for each letter of `types`: a text or an integer. Returns
// the number in its result, if it has one.
static long long execute(sqlite3_stmt **statement, const char *text, const char *types, ...) {
    va_list values;
    va_start(values, types);
    if (!*statement) sqlite3_prepare_v3(database, text, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
    for (int place = 0; types[place]; place++) {
        if (types[place] == 't') sqlite3_bind_text(*statement, place + 1, va_arg(values, const char *), -1, SQLITE_STATIC);
        else sqlite3_bind_int64(*statement, place + 1, va_arg(values, long long));
    }
    va_end(values);
    long long found = 0;
    int result = sqlite3_step(*statement);
    if (result == SQLITE_ROW) found = sqlite3_column_int64(*statement, 0), result = sqlite3_step(*statement);
    require(result == SQLITE_DONE && sqlite3_changes(database) == 1, sqlite3_errmsg(database));
    sqlite3_reset(*statement);
    return found;
}

// Records all operations in one transaction, before any of them has an effect, and reserves the numbers of their events.
static void begin_operations(void) {
    static sqlite3_stmt *begin, *reserve;
    unsigned long long random;
    require(getentropy(&random, sizeof random) == 0, "getentropy");
    sql("BEGIN IMMEDIATE");
    for (struct pack *pack = packs; pack < end_of_packs; pack++) {
        char plan[2048];
        long long now = milliseconds();
        snprintf(pack->operation, sizeof pack->operation, "%012llx-%016llx", now, (random >> 1) + (pack - packs));
        snprintf(plan, sizeof plan, "{\"filesSHA256\":\"%s\",\"kind\":\"sticker\",\"productIdentifier\":\"%s\",\"sha256\":\"%s\","
            "\"size\":%zu,\"store\":\"bench\",\"url\":\"%s%s\",\"version\":\"%s\"}",
            pack->files_sha256, pack->identifier, pack->sha256, pack->size, address, pack->path, pack->version);
        execute(&begin, "INSERT INTO operations (operation, action, productIdentifier, store, version, startedAt, plan)"
            " VALUES (?, 'install', ?, 'bench', ?, ?, CAST(? AS BLOB))",
            "tttit", pack->operation, pack->identifier, pack->version, now, plan);
    }
    journal.next = execute(&reserve, "UPDATE sequence SET next = next + ? RETURNING next - ?1", "i",
        EVENTS * (long long)(end_of_packs - packs));
    sql("COMMIT");
    for (struct pack *pack = packs; pack < end_of_packs; pack++) publish_state(pack, "Initializing", "queued", 0);
}

static void record(struct pack *pack) {
    static sqlite3_stmt *end, *add;
    char url[1024];
    snprintf(url, sizeof url, "%s%s", address, pack->path);
    execute(&end, "UPDATE operations SET endedAt = ?, outcome = 'finished', plan = NULL WHERE operation = ? AND outcome IS NULL",
        "it", milliseconds(), pack->operation);
    execute(&add, "INSERT INTO packs (directory, productIdentifier, kind, name, version, size, installedAt, store, operation, isHeld,"
        " price, archiveURL, archiveSize, archiveSHA256, receiptIsDamaged, receiptInode, receiptSize, receiptModifiedAt)"
        " VALUES (?, ?2, 'sticker', ?2, ?, ?, ?, 'bench', ?, 0, 'free', ?, ?, ?, 0, ?, ?, ? / 1e9)",
        "tttiittitiii", pack->directory, pack->identifier, pack->version, (long long)pack->unpacked,
        pack->receipt.st_mtim.tv_sec * 1000LL, pack->operation, url, (long long)pack->size, pack->sha256,
        (long long)pack->receipt.st_ino, (long long)pack->receipt.st_size,
        pack->receipt.st_mtim.tv_sec * 1000000000LL + pack->receipt.st_mtim.tv_nsec);
}

static void commit(struct worker *worker) {
    struct pack **last = worker->group + worker->staged, **each;
    if (!worker->staged) return;
    // A pack must be on the disk before its rename, or a power cut leaves one of empty files.
    require(syncfs(staging) == 0, "syncfs");
    for (each = worker->group; each < last; each++) {
        require(renameat2(staging, (*each)->directory, installed, (*each)->directory, RENAME_NOREPLACE) == 0, (*each)->directory);
    }
    require(fsync(installed) == 0, "fsync");
    pthread_mutex_lock(&database_lock);
    sql("BEGIN IMMEDIATE");
    for (each = worker->group; each < last; each++) record(*each);
    sql("COMMIT");
    pthread_mutex_unlock(&database_lock);
    for (each = worker->group; each < last; each++) {
        struct pack *pack = *each;
        // The daemon keeps the archives of installed packs, for the next installation.
        require(renameat(partial, pack->operation, archives, pack->sha256) == 0, pack->sha256);
        publish_state(pack, "Finished", "none", pack->size);
        publish("\"change\":\"installed\",\"held\":false,\"kind\":\"sticker\",\"operation\":\"%s\",\"path\":\"%s\",\"permissions\":[],"
            "\"productIdentifier\":\"%s\",\"size\":%zu,\"state\":[\"Downloaded\",\"Free\"],\"store\":\"bench\",\"type\":\"pack\","
            "\"version\":\"%s\"", pack->operation, pack->directory, pack->identifier, pack->unpacked, pack->version);
    }
    pthread_mutex_lock(&journal_lock);
    flush_journal();
    pthread_mutex_unlock(&journal_lock);
    worker->staged = 0;
}

static void write_file(int folder, const char *name, const void *bytes, size_t size, struct stat *status) {
    int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    require(file >= 0 && write(file, bytes, size) == (ssize_t)size && (!status || fstat(file, status) == 0), name);
    require(close(file) == 0, name);
}

static unsigned little(const unsigned char *at, int bytes) { return bytes ? at[0] | little(at + 1, bytes - 1) << 8 : 0; }

// Unpacks an archive as storehouse writes it: without directories, its entries in the order of their names, one behind the other
// from the first byte on. So no name is there twice, and all readers find the same. Returns the end of the files in the receipt.
static char *unpack(struct worker *worker, struct pack *pack, int target, char *files) {
    const unsigned char *next = worker->archive, *last = next + pack->size - 22;
    require(little(last, 4) == 0x06054b50 && little(last + 16, 4) <= pack->size - 22, "end record");
    const unsigned char *directory = worker->archive + little(last + 16, 4), *entry = directory;
    char name[256], previous[256] = "", digest[DIGITS], line[512];
    EVP_DigestInit_ex2(worker->files_digest, sha256, NULL);
    for (unsigned entries = little(last + 10, 2); entries-- > 0; strcpy(previous, name)) {
        unsigned length = last - entry < 46 ? sizeof name : little(entry + 28, 2);
        require(length < sizeof name && last - entry >= 46 + length && little(entry, 4) == 0x02014b50, "entry");
        unsigned method = little(entry + 10, 2), packed = little(entry + 20, 4), size = little(entry + 24, 4);
        // No extra fields, comments, encryption or data descriptors; of the flags, only the level of compression and UTF-8.
        require(!little(entry + 30, 4) && !(little(entry + 8, 2) & ~0x806) && size <= LARGEST, "kind of entry");
        require(next == worker->archive + little(entry + 42, 4) && directory - next >= 30L + length + packed, "gap or overlap");
        // Both headers say the same.
        require(little(next, 4) == 0x04034b50 && !memcmp(next + 6, entry + 8, 22) && !little(next + 28, 2)
            && !memcmp(next + 30, entry + 46, length), "local header");
        snprintf(name, sizeof name, "%.*s", (int)length, entry + 46);
        // Neither a hidden file, such as a receipt, nor one elsewhere.
        require(strlen(name) == length && name[0] != '.' && !strpbrk(name, "/\\\"") && strcmp(previous, name) < 0, "name");
        const unsigned char *contents = next + 30 + length;
        if (method == 8) {
            size_t used;
            require(libdeflate_deflate_decompress_ex(worker->inflater, contents, packed, worker->contents, size, &used, NULL) == 0
                && used == packed, "deflate");
            contents = worker->contents;
        } else require(method == 0 && packed == size, "method");
        require(libdeflate_crc32(0, contents, size) == little(entry + 16, 4), "checksum");
        EVP_DigestInit_ex2(worker->digest, sha256, NULL);
        EVP_DigestUpdate(worker->digest, contents, size);
        finish(worker->digest, digest);
        EVP_DigestUpdate(worker->files_digest, line, snprintf(line, sizeof line, "%s  %s\n", digest, name));
        write_file(target, name, contents, size, NULL);
        require(files - worker->receipt < LARGEST - 2048, "receipt");
        files += sprintf(files, "%s{\"path\":\"%s\",\"sha256\":\"%s\",\"size\":%u}", *previous ? "," : "", name, digest, size);
        pack->unpacked += size;
        entry += 46 + length;
        next += 30 + length + packed;
    }
    finish(worker->files_digest, digest);
    require(entry == last && next == directory && !strcmp(digest, pack->files_sha256), "files of the archive");
    return files;
}

// Prepares the pack of an archive that has arrived, in a directory of staging that is named as the pack's will be.
static void stage(struct worker *worker, struct transfer *transfer) {
    struct pack *pack = transfer->pack;
    char digest[DIGITS], now[32], *receipt = worker->receipt;
    finish(transfer->digest, digest);
    require(transfer->received == pack->size && !strcmp(digest, pack->sha256), "another archive");
    publish_state(pack, "Downloaded", "unpacking", pack->size);
    require(pread(transfer->file, worker->archive, pack->size, 0) == (ssize_t)pack->size && close(transfer->file) == 0, "archive");
    snprintf(pack->directory, sizeof pack->directory, "%s.stickers", pack->identifier);
    int made = mkdirat(staging, pack->directory, 0755);
    int target = openat(staging, pack->directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    require(made == 0 && target >= 0, pack->directory);
    receipt += sprintf(receipt, "{\"archive\":{\"sha256\":\"%s\",\"size\":%zu,\"url\":\"%s%s\"},\"dependencies\":[],\"files\":[",
        pack->sha256, pack->size, address, pack->path);
    receipt = unpack(worker, pack, target, receipt);
    receipt += sprintf(receipt, "],\"format\":1,\"held\":false,\"installedAt\":\"%s\",\"kind\":\"sticker\",\"name\":\"%s\",\"operation\":"
        "\"%s\",\"price\":\"free\",\"productIdentifier\":\"%s\",\"store\":\"bench\",\"version\":\"%s\"}",
        time_text(now), pack->identifier, pack->operation, pack->identifier, pack->version);
    write_file(target, ".receipt.json", worker->receipt, receipt - worker->receipt, &pack->receipt);
    close(target);
    publish_state(pack, "Downloaded", "saving", pack->size);
    worker->group[worker->staged++] = pack;
    if (worker->staged == GROUP) commit(worker);
}

static size_t receive(char *bytes, size_t size, size_t number, void *to) {
    struct transfer *transfer = to;
    size_t count = size * number;
    // Nothing is kept of the catalogue, which only opens the connection.
    if (!transfer->pack) return count;
    if (!transfer->received) publish_state(transfer->pack, "Downloading", "transferring", count);
    if (count > transfer->pack->size - transfer->received) return 0;
    transfer->received += count;
    EVP_DigestUpdate(transfer->digest, bytes, count);
    return write(transfer->file, bytes, count);
}

// Begins to fetch the archive of a pack, or the catalogue if there is none.
static void fetch(struct worker *worker, struct transfer *transfer, struct pack *pack) {
    char url[1024];
    snprintf(url, sizeof url, "%s%s", address, pack ? pack->path : "catalogue.json");
    curl_easy_setopt(transfer->curl, CURLOPT_URL, url);
    transfer->pack = pack;
    transfer->received = 0;
    if (pack) {
        publish_state(pack, "Initializing", "connecting", 0);
        transfer->file = openat(partial, pack->operation, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        require(transfer->file >= 0 && pack->size >= 22 && pack->size <= LARGEST, "partial file");
        EVP_DigestInit_ex2(transfer->digest, sha256, NULL);
    }
    require(curl_multi_add_handle(worker->all, transfer->curl) == CURLM_OK, url);
}

// Runs the transfers that were begun; where one of a pack ends, the next begins.
static void *run(void *of) {
    struct worker *worker = of;
    struct transfer *arrived[AT_ONCE];
    for (int running = 1, waiting = 0, left; running || waiting;) {
        // Between any two packs, so that the server is asked for the next archives while those that have arrived are unpacked.
        require(curl_multi_perform(worker->all, &running) == CURLM_OK, "perform");
        for (CURLMsg *message; (message = curl_multi_info_read(worker->all, &left));) {
            CURLcode result = message->data.result;
            require(result == CURLE_OK, curl_easy_strerror(result));
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&arrived[waiting]);
            curl_multi_remove_handle(worker->all, arrived[waiting]->curl);
            if (arrived[waiting]->pack) waiting++;
        }
        if (waiting) {
            struct transfer *transfer = arrived[--waiting];
            stage(worker, transfer);
            if (worker->next >= end_of_packs) continue;
            fetch(worker, transfer, worker->next);
            worker->next += THREADS;
            running++;
        } else if (running) curl_multi_poll(worker->all, NULL, 0, 1000, NULL);
    }
    commit(worker);
    return NULL;
}

static void prepare(struct worker *worker) {
    worker->next = packs + (worker - workers);
    worker->inflater = libdeflate_alloc_decompressor();
    worker->digest = EVP_MD_CTX_new();
    worker->files_digest = EVP_MD_CTX_new();
    worker->all = curl_multi_init();
    curl_multi_setopt(worker->all, CURLMOPT_MAX_HOST_CONNECTIONS, (long)CONNECTIONS);
    for (struct transfer *transfer = worker->transfers; transfer < worker->transfers + AT_ONCE; transfer++) {
        transfer->curl = curl_easy_init();
        transfer->digest = EVP_MD_CTX_new();
        curl_easy_setopt(transfer->curl, CURLOPT_PRIVATE, transfer);
        curl_easy_setopt(transfer->curl, CURLOPT_FAILONERROR, 1L);
        // Without it, each call of curl replaces the handler of SIGPIPE and restores it.
        curl_easy_setopt(transfer->curl, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(transfer->curl, CURLOPT_BUFFERSIZE, 64L << 10);
        curl_easy_setopt(transfer->curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
        curl_easy_setopt(transfer->curl, CURLOPT_PIPEWAIT, 1L);
        if (strcmp(certificate, "-")) curl_easy_setopt(transfer->curl, CURLOPT_CAINFO, certificate);
        curl_easy_setopt(transfer->curl, CURLOPT_WRITEFUNCTION, receive);
        curl_easy_setopt(transfer->curl, CURLOPT_WRITEDATA, transfer);
    }
    fetch(worker, worker->transfers, NULL);
    run(worker);
}

static int open_directory(int home, const char *path) {
    int directory = openat(home, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    require(directory >= 0, path);
    return directory;
}

int main(int count, char **words) {
    if (count != 5) return 2;
    FILE *list = fopen(words[4], "r");
    require(list != NULL, words[4]);
    address = words[2], certificate = words[3];
    struct pack pack = {0};
    while (fscanf(list, "%ms %ms %ms %zu %ms %ms", &pack.identifier, &pack.version, &pack.path, &pack.size, &pack.sha256,
               &pack.files_sha256) == 6) {
        size_t known = end_of_packs - packs;
        packs = realloc(packs, (known + 1) * sizeof *packs);
        packs[known] = pack;
        end_of_packs = packs + known + 1;
    }
    int home = open_directory(AT_FDCWD, words[1]);
    partial = open_directory(home, "cache/partial"), archives = open_directory(home, "cache/archives");
    staging = open_directory(home, "data/staging"), installed = open_directory(home, "data/packs");
    journal.file = openat(home, "events", O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    char path[4096];
    snprintf(path, sizeof path, "%s/data/library.sqlite", words[1]);
    require(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK, path);
    // As the daemon has it: each transaction waits for the disk.
    sql("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    // With the processor's instructions for it where there are any.
    sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    for (struct worker *worker = workers; worker < workers + THREADS; worker++) prepare(worker);
    puts("warm");
    fflush(stdout);
    if (getchar() == EOF) return 1;
    begin_operations();
    for (struct worker *worker = workers; worker < workers + THREADS; worker++) {
        for (int slot = 0; slot < AT_ONCE && worker->next < end_of_packs; slot++, worker->next += THREADS) {
            fetch(worker, &worker->transfers[slot], worker->next);
        }
        require(pthread_create(&worker->thread, NULL, run, worker) == 0, "thread");
    }
    for (struct worker *worker = workers; worker < workers + THREADS; worker++) pthread_join(worker->thread, NULL);
    puts("done");
    fflush(stdout);
    // What it takes to close the database is not measured, for the daemon keeps it open.
    while (getchar() != EOF) continue;
    return sqlite3_close_v2(database);
}
