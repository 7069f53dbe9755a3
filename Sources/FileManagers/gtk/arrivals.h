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

/* Takes the observation and the columns over. `settles`: no more values are outstanding after them. */
void arrivals_add(Arrivals *arrivals, Observation *observation, BadgeColumns columns, gboolean settles);
