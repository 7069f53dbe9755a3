#pragma once

#include <glib.h>

/* The differences between the file managers' versions of GTK. Each plugin is linked with one implementation. */

/* The options of an action that the user just started, a floating value of type a{sv}, with the time and the window
 * as far as they are known (see activation-options.h). The window is the one of the menu, or NULL. */
GVariant *toolkit_activation_options(gpointer window);

/* Puts a text on the user's clipboard. */
void toolkit_set_clipboard(const char *text);

/* Adds a directory to the search path of the icon theme. */
void toolkit_append_icon_path(const char *path);

/* Reads again which icons there are. GTK itself looks at most every five seconds, and keeps what it did not find. */
void toolkit_reread_icons(void);
