#pragma once
#include <stddef.h>
#include <stdint.h>

// libFuzzer has no header of its own. With this entry the program keeps its `main`, which picks what is to be fed.
int LLVMFuzzerRunDriver(int *argc, char *_Nullable *_Nullable *argv, int (*feed)(const uint8_t *data, size_t size));
