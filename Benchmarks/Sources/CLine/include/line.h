/* A line between two network namespaces, with a delay, a rate and a loss of its own. No privilege is needed where the
   kernel lets users have namespaces of their own. */
#ifndef LINE_H
#define LINE_H

#include <stddef.h>
#include <stdint.h>

/* Functions that return int give 0 or more, or a negative error number. Times are in nanoseconds. */

/* The address at either end. */
#define LINE_NEAR "198.18.0.1"
#define LINE_FAR "198.18.0.2"

/* What a packet meets on its way; the same in both directions. */
struct line_shape {
    /* From one end to the other. */
    uint64_t delay;
    /* How many of a million packets are lost, by chance. */
    uint32_t loss;
    /* Bits per second. */
    uint64_t rate;
    /* How long a packet waits at most for those before it; one that would wait longer is lost. */
    uint64_t patience;
    /* The same seed loses the packets of the same numbers. */
    uint64_t seed;
};

/* Makes a line and carries packets over it until standard input ends. Once it is there, it writes one line to standard
   output: the number of this process, and those of its descriptors for the namespaces of the near and of the far end.
 */
int line_serve(const struct line_shape *shape);

/* Takes this process to an end of the line that another process carries. It must not have started a thread. */
int line_enter(unsigned process, unsigned descriptor);

/* What came of echo requests from the near end to the far one. */
struct line_echoes {
    size_t sent, answered;
    /* How long an answer took, in the middle and at the worst. */
    uint64_t middle, worst;
};

/* Sends echo requests, one in each millisecond, from the end at which this process is. */
int line_probe(const char *address, size_t count, struct line_echoes *echoes);

#endif
