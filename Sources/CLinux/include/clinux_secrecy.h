/* What keeps the memory of a process to itself. */
#ifndef ROUNDEL_CLINUX_SECRECY_H
#define ROUNDEL_CLINUX_SECRECY_H

#include <stddef.h>
#include <sys/prctl.h>

/* With 0, keeps this process out of core dumps, and its memory from other processes of the same user (prctl(2),
 * PR_SET_DUMPABLE); 1 takes that back. Gives 0 or -1. */
static inline int clinux_allow_core_dumps(int allowed)
{
    return prctl(PR_SET_DUMPABLE, allowed, 0, 0, 0);
}

/* Maps zeroed pages that are left out of core dumps and of children, and of swap as far as the limit on locked memory
 * permits. Gives NULL if there is no memory. */
void *clinux_map_secret(size_t size);

/* Overwrites such pages and gives them back. */
void clinux_unmap_secret(void *pages, size_t size);

/* A pipe that no other program gets and that never makes its user wait. Gives 0 or -1. */
int clinux_secret_pipe(int ends[2]);

#endif
