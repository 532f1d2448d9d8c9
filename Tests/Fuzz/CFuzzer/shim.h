#pragma once
#include <stddef.h>
#include <stdint.h>

// libFuzzer has no header of its own. With this entry point the program keeps its own `main`, which selects the target.
int LLVMFuzzerRunDriver(int *argc, char *_Nullable *_Nullable *argv, int (*feed)(const uint8_t *data, size_t size));
