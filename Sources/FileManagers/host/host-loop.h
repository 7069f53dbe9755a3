#pragma once

#include <glib.h>

/* The main loop of the program that the library is in. Each of the first three calls a function until it returns
 * G_SOURCE_REMOVE, and returns the number of what does so, which is never 0. All are given `data`. */
typedef struct {
    /* In later turns, after input and before drawing. */
    guint (*before_drawing)(gpointer loop, GSourceFunc function, gpointer data);
    /* In later turns, after drawing and after what the file manager itself leaves for when it is idle. */
    guint (*when_idle)(gpointer loop, GSourceFunc function, gpointer data);
    /* Every so many milliseconds. */
    guint (*after)(gpointer loop, guint milliseconds, GSourceFunc function, gpointer data);
    void (*stop)(gpointer loop, guint source);
    gpointer data;
} HostLoop;

guint host_loop_before_drawing(const HostLoop *loop, GSourceFunc function, gpointer data);
guint host_loop_when_idle(const HostLoop *loop, GSourceFunc function, gpointer data);
guint host_loop_after(const HostLoop *loop, guint milliseconds, GSourceFunc function, gpointer data);

/* Stops what runs under the number, if it is not 0, and makes it 0. */
void host_loop_clear(const HostLoop *loop, guint *source);
