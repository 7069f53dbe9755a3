#pragma once

#include "badge.h"
#include "observer.h"

/*
 * What the service told and is still to be taken in, in its order. A signal may hold ten thousand rows; they are taken
 * in a slice of time at once, so that the file manager never waits for more.
 */

typedef struct Arrivals Arrivals;

/* Of an observation that is not over. */
typedef struct {
    BadgeColumnsVisitor row; /* gets the directory as its data */
    void (*settled)(Directory *directory);
} ArrivalsEvents;

Arrivals *arrivals_new(const ArrivalsEvents *events);
void arrivals_free(Arrivals *arrivals);

/* Both take over what they are given. The end: no more values are outstanding. */
void arrivals_add_rows(Arrivals *arrivals, Observation *observation, BadgeColumns columns);
void arrivals_add_end(Arrivals *arrivals, Observation *observation);
