/* What the allocator keeps. */
#ifndef CLINUX_MEMORY_H
#define CLINUX_MEMORY_H

/* Lets the allocator keep a few MiB that were freed, until clinux_release_heap: an answer of ten thousand rows needs
 * memory that the next one needs again. To be called before other threads start. */
void clinux_keep_freed_heap(void);

/* Has all threads share two heaps. By itself the allocator makes up to eight for each processor, and each of them keeps
 * pages for the little that some thread left there. To be called before other threads start. */
void clinux_share_heaps(void);

/* Gives what the allocator keeps for later back to the system. */
void clinux_release_heap(void);

#endif
