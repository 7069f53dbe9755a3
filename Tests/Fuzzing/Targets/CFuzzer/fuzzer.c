#include "fuzzer.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*test_one_input)(const uint8_t *bytes, size_t count));
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int fuzz_readers_main(int count, char **arguments)
{
    return LLVMFuzzerRunDriver(&count, &arguments, LLVMFuzzerTestOneInput);
}
