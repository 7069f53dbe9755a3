#pragma once

#include <glib.h>

/* The main loop of the program that the library is in. Each of the first three calls a function until it returns
 * G_SOURCE_REMOVE, and returns the number of what does so, which is never 0. */
typedef struct {
    /* In later turns, after input and before drawing. */
    guint (*before_drawing)(GSourceFunc function, gpointer data);
    /* In later turns, after drawing and after what the file manager itself leaves for when it is idle. */
    guint (*when_idle)(GSourceFunc function, gpointer data);
    /* Every so many milliseconds. */
    guint (*after)(guint milliseconds, GSourceFunc function, gpointer data);
    gboolean (*stop)(guint source);
} HostLoop;
