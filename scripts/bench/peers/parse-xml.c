// Reads one XML file again and again with libxml2 alone, into a tree, or as events that nobody listens to, and prints
// the nanoseconds of one reading, the file's opening included.
#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

int main(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "usage: parse-xml tree|events FILE TIMES\n");
        return 2;
    }
    int times = atoi(arguments[3]), tree = strcmp(arguments[1], "tree") == 0;
    xmlInitParser();
    xmlSAXHandler silent;
    memset(&silent, 0, sizeof silent);
    silent.initialized = XML_SAX2_MAGIC;
    long start = 0;
    for (int round = -1; round < times; round++) {
        if (round == 0) start = now();
        if (tree) {
            xmlDocPtr document = xmlReadFile(arguments[2], NULL, XML_PARSE_NONET);
            if (!document) return 1;
            xmlFreeDoc(document);
        } else if (xmlSAXUserParseFile(&silent, NULL, arguments[2]) != 0) {
            return 1;
        }
    }
    printf("%ld\n", (now() - start) / times);
    return 0;
}
