#define _GNU_SOURCE
#include "clinux_secrecy.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *clinux_map_secret(size_t size)
{
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
        return NULL;
    }
    if (madvise(pages, size, MADV_DONTDUMP) != 0) {
        munmap(pages, size);
        return NULL;
    }
    /* Both are more than can be had everywhere. */
    madvise(pages, size, MADV_WIPEONFORK);
    mlock(pages, size);
    return pages;
}

void clinux_unmap_secret(void *pages, size_t size)
{
    explicit_bzero(pages, size);
    munmap(pages, size);
}

int clinux_secret_pipe(int ends[2])
{
    return pipe2(ends, O_CLOEXEC | O_NONBLOCK);
}
