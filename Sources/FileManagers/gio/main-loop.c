#include "main-loop.h"

/* After GTK's events, and before it draws. */
#define BEFORE_DRAWING (G_PRIORITY_HIGH_IDLE + 10)

/* Below redrawing, and below the idle sources in which the file managers apply a late answer: that would undo a request
 * to ask again which came just before. */
#define WHEN_IDLE (G_PRIORITY_DEFAULT_IDLE + 1)

static guint before_drawing(gpointer loop, GSourceFunc function, gpointer data)
{
    (void)loop;
    return g_idle_add_full(BEFORE_DRAWING, function, data, NULL);
}

static guint when_idle(gpointer loop, GSourceFunc function, gpointer data)
{
    (void)loop;
    return g_idle_add_full(WHEN_IDLE, function, data, NULL);
}

static guint after(gpointer loop, guint milliseconds, GSourceFunc function, gpointer data)
{
    (void)loop;
    return g_timeout_add(milliseconds, function, data);
}

static void stop(gpointer loop, guint source)
{
    (void)loop;
    g_source_remove(source);
}

const HostLoop main_loop = { before_drawing, when_idle, after, stop, NULL };
