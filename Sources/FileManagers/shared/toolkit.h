#pragma once

#include <glib.h>

/* What differs between the file managers' versions of GTK. Each plugin is linked with one implementation. */

/* The options of an action that the person just started, a floating value of type a{sv}, with the time and the window
 * as far as they are known (see activation-options.h). The window is the one that the menu belongs to, or NULL. */
GVariant *toolkit_activation_options(gpointer window);

/* Puts a text on the person's clipboard. */
void toolkit_set_clipboard(const char *text);

/* Adds a directory to those in which the icon theme looks. */
void toolkit_append_icon_path(const char *path);
