#pragma once

#include <glib.h>

/*
 * Nautilus' extension library does not need GTK, so the few GTK functions and types that the plugin needs are looked up
 * in the program that has loaded it.
 */

/* FALSE, with NULL in the symbol, if the program has none of that name. */
gboolean program_symbol(const char *name, gpointer *symbol);

/* Whether the object, which may be NULL, is of the type with that name. */
gboolean program_object_is(gpointer object, const char *type_name);
