#pragma once

#include <glib.h>

/* Paths, which are absolute and of any bytes, and the canonical URIs of item-uri.h. */

/* NULL with errno EINVAL for what is no absolute path without dot segments. */
char *paths_to_uri(const char *path);

/* The path of a canonical URI. */
char *paths_from_uri(const char *canonical);
