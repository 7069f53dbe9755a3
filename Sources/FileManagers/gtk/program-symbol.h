#pragma once

#include <glib.h>

/* Nautilus' extension library does not need GTK, so the few GTK functions that are needed are found in the program that
 * has loaded this module. FALSE, and NULL in the symbol, if it has none of that name. */
gboolean program_symbol(const char *name, gpointer *symbol);
