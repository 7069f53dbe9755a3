#define _GNU_SOURCE
#include "clinux_memory.h"

#include <link.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static int release_segments(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size, (void)context;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (size_t index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) != 0)
            continue;
        uintptr_t start = (object->dlpi_addr + segment->p_vaddr) & ~(page - 1);
        uintptr_t end = object->dlpi_addr + segment->p_vaddr + segment->p_memsz;
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    /* The first object that is told of is the program; libraries are shared with others anyway. */
    return 1;
}

void clinux_release_program(void)
{
    dl_iterate_phdr(release_segments, NULL);
}

void clinux_keep_freed_heap(void)
{
    enum { kept = 4 * 1024 * 1024 };
    mallopt(M_TRIM_THRESHOLD, kept);
    mallopt(M_MMAP_THRESHOLD, kept);
}

void clinux_release_heap(void)
{
    malloc_trim(0);
}
