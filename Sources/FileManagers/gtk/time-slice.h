#pragma once

#include <glib.h>

/*
 * How long the plugin may take part in one turn of the file manager's main loop. A file manager asks about all files of
 * a folder in one go as long as each is answered at once; between two of its questions the clock is looked at.
 */

/* Whether the present slice is used up. A new one begins by itself after a pause, in which the file manager did
 * something else. */
gboolean time_slice_is_over(void);

/* Called first thing in a turn that the plugin asked for. */
void time_slice_begin(void);
