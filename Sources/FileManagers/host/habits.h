#pragma once

#include <glib.h>

/* How a file manager asks about items, and what it shows of them. */
typedef struct {
    /* It asks about what it shows alone, so badges are requested by name; otherwise for the whole directory. */
    gboolean asks_by_name;
    /* At least so many milliseconds lie between two requests by name; with 0 there is one in each turn of the main
     * loop. A file manager may go through the items of a folder in hundreds of short turns: a batch for each would hold
     * a single name. */
    guint pause;
    /* It shows no progress, so an item looks the same when nothing else changed. */
    gboolean hides_progress;
    /* It never says that an item is gone. */
    gboolean keeps_items;
} Habits;
