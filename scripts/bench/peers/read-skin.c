// Reads one compiled skin file again and again, checks its checksum, and copies each identifier and value into memory of its own,
// an allocation for each entity: the least that reading every value needs. Prints the nanoseconds of one reading, and the values.
// usage: read-skin FILE TIMES
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

// Sources/Skins/Compiled/CompiledLayout.swift
enum { HEADER = 60, LINK = 12, SOURCE = 32, ENTITY = 12, VALUE = 22, CHECKED = 16, TEXT = 32, NO_STRING = UINT32_MAX };

struct value { uint16_t operation, name, type, form, weight; uint64_t number; char text[TEXT]; };
struct entity { uint32_t component, count; char identifier[TEXT]; struct value values[]; };

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static uint32_t number(const unsigned char *bytes, size_t offset) {
    uint32_t value;
    memcpy(&value, bytes + offset, sizeof value);
    return value;
}

static void get(void *to, const unsigned char **row, size_t size) {
    memcpy(to, *row, size);
    *row += size;
}

static int copy(char *to, const unsigned char *offsets, const unsigned char *texts, uint32_t string) {
    uint32_t start = number(offsets, 4 * string), end = number(offsets, 4 * string + 4);
    if (end - start >= TEXT) return 1;
    memcpy(to, texts + start, end - start);
    to[end - start] = 0;
    return 0;
}

// Returns the number of values, or -1.
static long read_skin(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status)) return -1;
    unsigned char *bytes = malloc(status.st_size);
    if (!bytes || read(file, bytes, status.st_size) != status.st_size) return -1;
    close(file);
    uint64_t checksum;
    memcpy(&checksum, bytes + 8, sizeof checksum);
    if (XXH3_64bits(bytes + CHECKED, status.st_size - CHECKED) != checksum) return -1;
    size_t entities = number(bytes, 40), all = number(bytes, 44), strings = number(bytes, 48);
    size_t first = HEADER + LINK * number(bytes, 32) + SOURCE * number(bytes, 36);
    const unsigned char *entity_table = bytes + first, *value_table = entity_table + ENTITY * entities;
    const unsigned char *offsets = value_table + VALUE * all;
    const unsigned char *texts = offsets + 4 * (strings + 1);
    struct entity **found = malloc(entities * sizeof *found);
    long values = 0;
    for (size_t each = 0; each < entities; each++) {
        size_t start = number(entity_table, ENTITY * each + 8);
        size_t end = each + 1 == entities ? all : number(entity_table, ENTITY * (each + 1) + 8);
        struct entity *one = found[each] = malloc(sizeof *one + (end - start) * sizeof *one->values);
        if (!one || copy(one->identifier, offsets, texts, number(entity_table, ENTITY * each))) return -1;
        one->component = number(entity_table, ENTITY * each + 4);
        one->count = end - start;
        const unsigned char *row = value_table + VALUE * start;
        for (struct value *value = one->values; value < one->values + one->count; value++) {
            get(&value->operation, &row, 2);
            get(&value->name, &row, 2);
            get(&value->type, &row, 2);
            get(&value->form, &row, 2);
            get(&value->weight, &row, 2);
            uint32_t string;
            get(&string, &row, 4);
            get(&value->number, &row, 8);
            if (string != NO_STRING && copy(value->text, offsets, texts, string)) return -1;
        }
        values += one->count;
    }
    for (size_t each = 0; each < entities; each++) free(found[each]);
    free(found);
    free(bytes);
    return values;
}

int main(int count, char **words) {
    if (count != 3) return 2;
    int times = atoi(words[2]);
    long start = 0, values = 0;
    for (int round = -1; round < times; round++) {
        if (round == 0) start = now();
        if ((values = read_skin(words[1])) < 0) return 1;
    }
    printf("%ld %ld\n", (now() - start) / times, values);
    return 0;
}
