#pragma once

#include "directory.h"
#include "host-loop.h"
#include "time-slice.h"

/*
 * Values from the service that are still to be applied, in their order. A signal may hold ten thousand rows; they are
 * applied in slices of time, so that the file manager never waits for more.
 */

typedef struct Arrivals Arrivals;

/* Called for observations that are not over. */
typedef struct {
    void (*row)(
        Directory *directory, const char *name, const char *identifier, guint32 flags, guint8 progress, gpointer data);
    void (*ended)(Directory *directory, gpointer data);
} ArrivalsEvents;

/* The slice must outlive it. */
Arrivals *arrivals_new(const HostLoop *loop, TimeSlice *slice, const ArrivalsEvents *events, gpointer data);
void arrivals_free(Arrivals *arrivals);

/* Adds the rows of the names and of the columns that stand in a tuple from `first_value` on; if the columns are not
 * well formed, none. The observation belongs to the arrivals from then on. */
void arrivals_add_rows(
    Arrivals *arrivals, Observation observation, GVariant *names, GVariant *tuple, gsize first_value);

/* No more values will come for the observation, which belongs to the arrivals from then on. */
void arrivals_add_end(Arrivals *arrivals, Observation observation);
