/* What the allocator keeps. */
#ifndef CLINUX_MEMORY_H
#define CLINUX_MEMORY_H

/* Lets the allocator keep a few MiB that were freed, until clinux_release_heap: an answer of ten thousand rows needs
 * memory that the next one needs again. To be called before other threads start. */
void clinux_keep_freed_heap(void);

/* Gives what the allocator keeps for later back to the system. */
void clinux_release_heap(void);

#endif
