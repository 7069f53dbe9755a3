#include "clinux_memory.h"

#include <malloc.h>

void clinux_keep_freed_heap(void)
{
    enum { kept = 4 * 1024 * 1024 };
    mallopt(M_TRIM_THRESHOLD, kept);
    mallopt(M_MMAP_THRESHOLD, kept);
}

void clinux_share_heaps(void)
{
    mallopt(M_ARENA_MAX, 2);
}

void clinux_release_heap(void)
{
    malloc_trim(0);
}
