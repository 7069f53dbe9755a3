#pragma once

#include <glib.h>

/*
 * Item URIs in the one encoding that the service emits: `file://`, an absolute path without empty segments, RFC 3986
 * unreserved characters and `/` plain, every other byte as %XX in capitals. Two canonical URIs are equal exactly if
 * their paths are equal byte for byte. GFile leaves more characters plain, so its URIs have to be converted.
 */

/* The canonical form of a URI, or NULL if it is not a local item with an absolute path without dot segments. */
char *item_uri_canonical(const char *uri);

/* The canonical URI of the directory that holds the item, or NULL for the root. */
char *item_uri_parent(const char *canonical);

/* The item's name, percent-encoded, inside the URI; NULL for the root. */
const char *item_uri_name(const char *canonical);

/* Whether the item is the directory or lies anywhere below it. */
gboolean item_uri_is_within(const char *canonical, const char *directory);

/* Whether a percent-encoded name comes after another one by its decoded bytes. Every name comes after "". FALSE also if
 * one of them is not well formed as far as they are compared. */
gboolean item_name_is_after(const char *name, const char *other);
