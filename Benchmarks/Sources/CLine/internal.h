/* Shared by the files of this target. */
#ifndef LINE_INTERNAL_H
#define LINE_INTERNAL_H

#include "line.h"

#include <stdbool.h>

#define MTU 1500

/* One end: its namespace and the device in it. */
struct end {
    int namespace;
    int device;
};

/* Makes a network namespace of its own, with a device that has the address; this process is in it afterwards. */
int line_make_end(const char *address, struct end *end);

/* Becomes one who may make network namespaces. */
int line_become_able(void);

uint64_t line_now(void);

struct direction;

/* One direction of a line; NULL without memory. */
struct direction *line_open_direction(const struct line_shape *shape, uint64_t seed, int from, int to);
void line_close_direction(struct direction *direction);

/* Takes what waits at one end, some packets at most. */
void line_take(struct direction *direction);
/* Hands over what has arrived, and gives the time of the next one; UINT64_MAX if there is none. */
uint64_t line_hand_over(struct direction *direction);

#endif
