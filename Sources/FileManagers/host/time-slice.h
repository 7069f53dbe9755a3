#pragma once

#include <glib.h>

/*
 * How long the plugin may work in one turn of the file manager's main loop. A file manager asks about all files of a
 * folder in one turn as long as each question is answered at once; the clock is read between two of its questions.
 */

typedef struct {
    gint64 (*clock)(void); /* microseconds that only grow */
    gint64 begun;
    gint64 last_read;
} TimeSlice;

/* Of that clock. */
TimeSlice time_slice_new(gint64 (*clock)(void));

/* Whether the current slice is used up. A new one begins by itself after a pause, in which the file manager did
 * something else. */
gboolean time_slice_is_over(TimeSlice *slice);

/* To be called first in a turn that the plugin has asked for. */
void time_slice_begin(TimeSlice *slice);
