// The translations, as parts of the program.
//
// Reason for a C target: #embed (C23) makes a large file part of a program at once, while Swift's compiler needs minutes for
// a literal of the same size.
#include <stddef.h>

#define CMESSAGES_LANGUAGE(name)                                                                                         \
    const unsigned char *_Nonnull cmessages_##name(void);                                                                \
    ptrdiff_t cmessages_##name##_size(void);

CMESSAGES_LANGUAGE(ar)
CMESSAGES_LANGUAGE(ca)
CMESSAGES_LANGUAGE(de)
CMESSAGES_LANGUAGE(es)
CMESSAGES_LANGUAGE(fr)
